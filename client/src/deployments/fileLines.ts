/** The lines of a file that state what its queries use: `// range: 7d` and `// deployment: Staging`. */

export interface FileLine {
  /** The text after the colon. */
  readonly text: string;
  /** The text's half-open offsets. */
  readonly start: number;
  readonly end: number;
}

const range = /^[ \t]*\/\/[ \t]*range:[ \t]*(\S.*?)[ \t]*$/m;
const deployment = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(\S.*?)[ \t]*$/m;

/** A file names its deployment near its beginning: the language server looks for it with every change. */
export const DEPLOYMENT_WITHIN = 4_096;

/** The first line of a text that states a time range; undefined where there is none. */
export function rangeLine(text: string): FileLine | undefined {
  return found(range, text);
}

/** The first line that names a deployment; undefined where there is none. */
export function deploymentLine(text: string): FileLine | undefined {
  return found(deployment, text.slice(0, DEPLOYMENT_WITHIN));
}

/** A title as the first line of a file. One that reads like such a line, which others may have written, says nothing. */
export function titleLine(title: string): string {
  const line = `// ${title.replace(/\s+/g, ' ').trim()}`;
  return range.test(line) || deployment.test(line) ? line.replace('// ', '// Query: ') : line;
}

interface TitledQuery {
  /** The query without the comments above it, except those that suppress problems. */
  readonly apl: string;
  /** The comment just above the query; absent where there is none. */
  readonly title?: string;
  /** The other comments above it. */
  readonly about?: string;
}

/** A query apart from what the comments above it say: its title, and the lines that state where and when it runs. */
export function withoutTitle(text: string): TitledQuery {
  const lines = text.split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== '' && !comment.test(line));
  if (first < 0) return { apl: text };
  const above = lines.slice(0, first);
  const directives = above.filter((line) => directive.test(line));
  const said = above
    .filter((line) => !range.test(line) && !deployment.test(line) && !directive.test(line))
    .map((line) => line.replace(comment, '').trim())
    .filter((line) => line !== '');
  const title = said.pop();
  return {
    apl: [...directives, ...lines.slice(first)].join('\n').trim(),
    ...(title !== undefined && { title }),
    ...(said.length > 0 && { about: said.join(' ') }),
  };
}

const comment = /^[ \t]*\/\/+/;
const directive = /^[ \t]*\/\/+[ \t]*aplomb-/;

function found(line: RegExp, text: string): FileLine | undefined {
  const match = line.exec(text);
  if (match === null) return undefined;
  const written = match[1] as string;
  const end = match.index + match[0].trimEnd().length;
  return { text: written, start: end - written.length, end };
}
