/** Derives a query's title from its comment, or else from its dataset and stages. Ignores `let` statements. */
import { oneLine } from '../../../language/src/editing.ts';
import { parseQuery, type syntax } from '../../../language/src/index.ts';

const longestTitle = 80;

/** Returns a query's title. Passing `tree` avoids parsing the text again. */
export function titleOf(text: string, tree?: syntax.QueryTree): string {
  const comment = commentAbove(text);
  const title = shortened(comment !== '' ? comment : pipelineTitle(tree ?? parseQuery(text)));
  return shownName(title, 'query');
}

/** Returns the name, or `fallback` if it is blank, because editors reject an outline with an empty name. */
export function shownName(name: string, fallback: string): string {
  return name.trim() === '' ? fallback : name;
}

/** Matches comments that are instructions to the extension: a time range, a deployment, or problems to suppress. */
const instruction = /^\/\/\s*(?:range:|deployment:|aplomb-)/;

/** Returns the last comment above a query, or an empty string if there is none. Skips directives. */
export function commentAbove(text: string): string {
  const lines = linesOf(text);
  const above = lines.slice(0, Math.max(0, firstOf(lines)));
  const comment = above.findLast((line) => !instruction.test(line));
  return comment?.startsWith('//') ? comment.replace(/^\/+\s*/, '') : '';
}

export function shortened(title: string): string {
  if (title.length <= longestTitle) return title;
  // Don't leave half of a surrogate pair.
  return `${title.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => line.trim());
}

function firstOf(lines: readonly string[]): number {
  return lines.findIndex((line) => line !== '' && !line.startsWith('//'));
}

export function stagesOf(tree: syntax.QueryTree): string[] | undefined {
  if (commentAbove(tree.text) !== '') return undefined;
  const pipeline = pipelineOf(tree);
  return pipeline && linesOfStages(tree, pipeline).map(shortened);
}

/** Builds `http-logs | where ... | summarize ...`. If the complete stages don't fit, only their operators are shown. */
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

function linesOfStages(tree: syntax.QueryTree, { source, stages }: syntax.Pipeline): string[] {
  const few = stages.slice(0, longestTitle);
  return [plainName(oneLine(tree, source)), ...few.map(({ operator }) => oneLine(tree, operator))];
}

/** Removes the brackets and quotes around a source's name, unless the name is blank. */
function plainName(source: string): string {
  const name = /^\[\s*(['"])((?:(?!\1)[^\\])*)\1\s*\]$/.exec(source)?.[2];
  return shownName(name ?? source, source);
}
