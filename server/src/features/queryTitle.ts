/**
 * What a query is called: by the comment above it, or else by its dataset and the stages behind that,
 * since the lets that many queries begin with tell nothing of what they ask.
 */
import { parseQuery, type Span, type syntax } from '../../../language/src/index.ts';

const longestTitle = 80;

/** A short name for a query on one line, never blank; `tree` avoids parsing the text again. */
export function titleOf(text: string, tree?: syntax.QueryTree): string {
  const comment = commentAbove(text);
  const title = shortened(comment !== '' ? comment : pipelineTitle(tree ?? parseQuery(text)));
  return shownName(title, 'query');
}

/** A name that can be shown in a list: editors reject an outline in which one name is empty. */
export function shownName(name: string, fallback: string): string {
  return name.trim() === '' ? fallback : name;
}

/** What a comment says to the extension and not to the reader: a time range, a deployment, problems to suppress. */
const instruction = /^\/\/\s*(?:range:|deployment:|aplomb-)/;

/** The comment just above the query's first word, but for instructions; empty where there is none. */
export function commentAbove(text: string): string {
  const lines = linesOf(text);
  const above = lines.slice(0, Math.max(0, firstOf(lines)));
  const comment = above.findLast((line) => !instruction.test(line));
  return comment?.startsWith('//') ? comment.replace(/^\/+\s*/, '') : '';
}

/** A title cut where it gets long. */
export function shortened(title: string): string {
  return title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => line.trim());
}

function firstOf(lines: readonly string[]): number {
  return lines.findIndex((line) => line !== '' && !line.startsWith('//'));
}

/** The dataset and the stages as a title has them, each on one line; undefined where a comment is the title. */
export function stagesOf(tree: syntax.QueryTree): string[] | undefined {
  if (commentAbove(tree.text) !== '') return undefined;
  const pipeline = pipelineOf(tree);
  return pipeline && linesOfStages(tree, pipeline).map(shortened);
}

/** `http-logs | where … | summarize …`: stages as they are where all are short, else by their operators. */
function pipelineTitle(tree: syntax.QueryTree): string {
  const pipeline = pipelineOf(tree);
  if (pipeline === undefined) {
    const lines = linesOf(tree.text);
    return lines[firstOf(lines)] ?? '';
  }
  const [name = '', ...stages] = linesOfStages(tree, pipeline);
  const whole = [name, ...stages].join(' | ');
  if (whole.length <= longestTitle) return whole;
  const operators = pipeline.stages.slice(0, longestTitle).map(({ operator: { keyword, end } }) => {
    const word = oneLine(tree, keyword);
    return end > keyword.end ? `${word} …` : word;
  });
  return [name, ...operators].join(' | ');
}

function pipelineOf({ statements }: syntax.QueryTree): syntax.Pipeline | undefined {
  const query = statements.findLast((statement) => statement.kind === 'QueryStatement');
  if (query === undefined || query.pipeline.source.end <= query.pipeline.source.start)
    return undefined;
  return query.pipeline;
}

/** The source and the stages, each on one line. */
function linesOfStages(tree: syntax.QueryTree, { source, stages }: syntax.Pipeline): string[] {
  const few = stages.slice(0, longestTitle);
  return [plainName(oneLine(tree, source)), ...few.map(({ operator }) => oneLine(tree, operator))];
}

/** A dataset without the brackets and quotes of its name, unless it has nothing else. */
function plainName(source: string): string {
  const name = /^\[\s*(['"])((?:(?!\1)[^\\])*)\1\s*\]$/.exec(source)?.[2];
  return shownName(name ?? source, source);
}

/** The tokens of a span with one blank where space or a comment is, no longer than a title needs. */
function oneLine({ text, tokens }: syntax.QueryTree, { start, end }: Span): string {
  let line = '';
  let last = start;
  for (let i = firstFrom(tokens, start); line.length <= longestTitle; i++) {
    const token = tokens[i];
    if (token === undefined || token.start >= end || token.kind === 'end') break;
    if (token.start > last && line !== '') line += ' ';
    line += text.slice(token.start, Math.min(token.end, token.start + longestTitle + 1));
    last = token.end;
  }
  return line;
}

/** The index of the first token at an offset or behind it. */
function firstFrom(tokens: syntax.QueryTree['tokens'], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
