/** Comments that set the range and the deployment of a file's queries: `// range: 7d` and `// deployment: Staging`. */

export interface FileLine {
  /** The text after the colon. */
  readonly text: string;
  /** The offsets of the text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

const range = /^[ \t]*\/\/[ \t]*range:[ \t]*(\S.*?)[ \t]*$/m;
const deployment = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(\S.*?)[ \t]*$/m;

/** Number of leading characters to search for a deployment comment, limited because each edit repeats the search. */
export const DEPLOYMENT_WITHIN = 4_096;

export function rangeLine(text: string): FileLine | undefined {
  return found(range, text);
}

export function deploymentLine(text: string): FileLine | undefined {
  return found(deployment, text.slice(0, DEPLOYMENT_WITHIN));
}

/** Formats a title as a comment. A prefix prevents a title such as `range: 7d` from setting the range or deployment. */
export function titleLine(title: string): string {
  const line = `// ${title.replace(/\s+/g, ' ').trim()}`;
  return range.test(line) || deployment.test(line) ? line.replace('// ', '// Query: ') : line;
}

/**
 * Separates a query from the comments above it: the last line is its title, and `about` has the others. The query keeps
 * comments that suppress problems. Range and deployment comments are dropped.
 */
export function withoutTitle(text: string): { apl: string; title?: string; about?: string } {
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
