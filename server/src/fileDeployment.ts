/** The deployment that a file names for its queries, in a line such as `// deployment: Staging`. */

const line = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(\S.*?)[ \t]*$/m;

/** Looked at with every change, so only near the beginning; the client does the same. */
const WITHIN = 4_096;

export function deploymentNamedIn(text: {
  slice(start: number, end: number): string;
}): string | undefined {
  return line.exec(text.slice(0, WITHIN))?.[1];
}
