/** The line of a file that states the time range of its queries: `// range: 7d`. */

export interface RangeLine {
  /** The range as it is written. */
  readonly text: string;
  /** Where that text is: half-open offsets. */
  readonly start: number;
  readonly end: number;
}

const line = /^[ \t]*\/\/[ \t]*range:[ \t]*(\S.*?)[ \t]*$/m;

/** The first such line of a text; undefined where there is none. */
export function rangeLine(text: string): RangeLine | undefined {
  const found = line.exec(text);
  if (found === null) return undefined;
  const written = found[1] as string;
  const end = found.index + found[0].trimEnd().length;
  return { text: written, start: end - written.length, end };
}
