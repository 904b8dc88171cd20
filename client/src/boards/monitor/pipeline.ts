/**
 * The stages of a query's text, as far as a test of a monitor needs them: where the last one is, and which operators
 * there are. Not the grammar: where this is in doubt, the test asks for each run by itself.
 */

export interface Pipeline {
  /** The stages without comments, the source first. */
  readonly stages: readonly string[];
  /** Whether there are statements before the query. */
  readonly hasStatements: boolean;
}

/** What is copied as it is: strings, and names in brackets, which are strings too. */
const token = /\/\/[^\n]*|@'(?:''|[^'])*'|@"(?:""|[^"])*"|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/y;

export function readPipeline(text: string): Pipeline {
  const stages = [''];
  let depth = 0;
  let hasStatements = false;
  const add = (part: string) => {
    stages[stages.length - 1] += part;
  };
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found !== undefined) {
      at += found.length;
      add(found.startsWith('//') ? ' ' : found);
      continue;
    }
    const character = text[at] as string;
    at += 1;
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character === ';') hasStatements = true;
    if (character === '|' && depth === 0) stages.push('');
    else add(character);
  }
  return { stages: stages.map((stage) => stage.trim()), hasStatements };
}

export function operatorOf(stage: string): string {
  return /^[a-z][a-z-]*/i.exec(stage)?.[0].toLowerCase() ?? '';
}

/** Operators that do something to each row alone, so that rows of many runs may be read at once. */
const rowOperators = new Set([
  'where',
  'filter',
  'extend',
  'extend-valid',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'parse',
  'parse-kv',
  'parse-where',
]);

const ordering = new Set(['sort', 'order']);

/** Whether a query reads the events of one dataset and works on each row alone. */
export function readsRowByRow({ stages, hasStatements }: Pipeline): boolean {
  const [source = '', ...others] = stages;
  const isDataset = /^(?:\['(?:\\.|[^'\\])*'\]|\["(?:\\.|[^"\\])*"\]|[\w.:-]+)$/.test(source);
  return (
    !hasStatements && isDataset && others.every((stage) => rowOperators.has(operatorOf(stage)))
  );
}

/** Whether it does so up to its one `summarize`, and, unless that has to be its last stage, after it. */
export function summarizesRows(pipeline: Pipeline, isLast: boolean): boolean {
  const { stages } = pipeline;
  const at = stages.findIndex((stage) => operatorOf(stage) === 'summarize');
  if (at < 1 || (isLast && at !== stages.length - 1)) return false;
  return (
    readsRowByRow({ ...pipeline, stages: stages.slice(0, at) }) &&
    stages
      .slice(at + 1)
      .map(operatorOf)
      .every((operator) => rowOperators.has(operator) || ordering.has(operator))
  );
}

/** Whether the groups of a `summarize` stage begin at `by` outside of brackets and strings. */
export function hasGroups(stage: string): boolean {
  let depth = 0;
  const words = /@?'(?:\\.|[^'\\])*'|@?"(?:\\.|[^"\\])*"|[([{]|[)\]}]|\w+/g;
  for (const [word] of stage.matchAll(words)) {
    if ('([{'.includes(word)) depth += 1;
    else if (')]}'.includes(word)) depth -= 1;
    else if (depth === 0 && word === 'by') return true;
  }
  return false;
}
