/** Describes keywords, operators, and the APL equivalents of names from other languages. */
import {
  joinSides,
  kustoRenames,
  operatorAt,
  proseOf,
  statements,
} from '../../../../language/src/editing.ts';
import {
  type BoundQuery,
  type BoundStage,
  contains,
  functionNamed,
  operatorNamed,
  pathAt,
  type QueryAnalysis,
  scalarOperatorNamed,
  types,
} from '../../../../language/src/index.ts';
import {
  code,
  columnCount,
  columnsLine,
  functionMarkdown,
  inline,
  operatorMarkdown,
  scalarOperatorMarkdown,
} from '../../markdown.ts';
import { operatorsOf } from '../operatorKeywords.ts';
import type { Found } from './literals.ts';

export function operatorHover(bound: BoundQuery, at: number): Found | undefined {
  const operator = operatorsOf(bound.tree).find((candidate) => contains(candidate.keyword, at));
  const row = operator && operatorNamed(operator.name);
  if (operator === undefined || row === undefined) return undefined;
  const stage = bound.stages.find((candidate) => contains(candidate.operator.keyword, at));
  const text = operatorMarkdown(row);
  return { span: operator.keyword, text: stage ? `${flow(stage)}\n\n---\n\n${text}` : text };
}

function flow({ input, output }: BoundStage): string {
  const into = `In: ${columnCount(input)}: ${columnsLine(input)}`;
  const had = new Map(input.list.map((column) => [column.name, column]));
  const isSame =
    output.open === input.open &&
    output.list.length === input.list.length &&
    output.list.every((column) => had.get(column.name)?.type === column.type);
  const out = isSame ? 'the same columns' : `${columnCount(output)}: ${columnsLine(output)}`;
  return `${into}\n\nOut: ${out}`;
}

export function scalarOperatorHover(bound: BoundQuery, at: number): Found | undefined {
  for (const node of pathAt(bound.tree, at).reverse()) {
    if (!('operatorSpan' in node) || !contains(node.operatorSpan, at)) continue;
    const row = scalarOperatorNamed(node.operator);
    return row && { span: node.operatorSpan, text: scalarOperatorMarkdown(row) };
  }
  return undefined;
}

/** Sources that start with a keyword. These keywords have no nodes in the tree. */
const sources: ReadonlySet<string> = new Set([
  'DatatableSource',
  'ExternaldataSource',
  'PrintSource',
  'TableCall',
]);

/** Describes a keyword that depends on its context: a type, a statement, an option or its value. */
export function wordHover(bound: BoundQuery, at: number): Found | undefined {
  const { tokens, text } = bound.tree;
  const index = tokens.findIndex((token) => token.kind === 'word' && contains(token, at));
  const span = tokens[index];
  if (span === undefined) return undefined;
  const textAt = (i: number) => text.slice(tokens[i]?.start ?? 0, tokens[i]?.end ?? 0);
  const word = textAt(index);
  const found = (says: string): Found => ({ span, text: says });
  const path = pathAt(bound.tree, at);
  const source = path.find(({ kind, start }) => sources.has(kind) && start === span.start);
  const sourceRow = source && operatorNamed(word);
  if (sourceRow !== undefined) return found(operatorMarkdown(sourceRow));
  if (path.at(-1)?.kind === 'TypeName') {
    const row = types.find(({ name, aliases }) => name === word || aliases.includes(word));
    return row && found(`${code(row.name)}\n\n${row.summary}\n\n${code(row.literal)}`);
  }
  const starts = index === 0 || textAt(index - 1) === ';';
  const statement = starts ? statements.find(({ name }) => name === word) : undefined;
  if (statement !== undefined) return found(statement.summary);
  const operator = operatorNamed(operatorAt(bound, at + 1)?.name ?? '');
  if (operator === undefined) return undefined;
  const before = textAt(index - 1) === '=' ? textAt(index - 2) : undefined;
  const option = operator.options?.find(({ name }) => name === (before ?? word));
  if (before !== undefined) {
    const value = option?.values?.find(({ name }) => name === word);
    return value && found(`${inline(`${before}=${word}`)}: ${value.summary}`);
  }
  if (option !== undefined && textAt(index + 1) === '=') {
    const fallback = option.defaultValue;
    const usual = fallback === undefined ? '' : ` Default: ${inline(fallback)}.`;
    return found(`${inline(`${word}=`)}: ${option.summary}${usual}`);
  }
  const written = [
    word,
    `${word}=`,
    `${textAt(index - 1)} ${word}`,
    `${word} ${textAt(index + 1)}`,
  ];
  const { modifiers, clauses } = proseOf(operator);
  const modifier = modifiers?.find(({ name }) => written.includes(name));
  if (modifier !== undefined) return found(`${inline(modifier.name)}: ${modifier.summary}`);
  const clause = clauses?.[word];
  return clause === undefined ? undefined : found(`${inline(word)}: ${clause}`);
}

export function joinSideHover(bound: BoundQuery, at: number): Found | undefined {
  const { tokens, text } = bound.tree;
  const span = tokens.find((token) => token.kind === 'word' && contains(token, at));
  if (span === undefined) return undefined;
  const side = joinSides.find(({ name }) => name === text.slice(span.start, span.end));
  const stage = side && bound.stages.findLast((candidate) => contains(candidate, at));
  if (side === undefined || stage?.operator.kind !== 'join') return undefined;
  const columns = side.name === '$left' ? stage.input : stage.operator.right.columns;
  const listed = `${columnCount(columns)}: ${columnsLine(columns)}`;
  return { span, text: `${inline(side.name)}: ${side.summary}\n\n${listed}` };
}

/** Describes the APL function or operator that replaces a Kusto name. The editor also shows the name's problem. */
export function renamedHover(
  { problems, tree: { text } }: QueryAnalysis,
  at: number,
): Found | undefined {
  for (const problem of problems) {
    if (!contains(problem, at)) continue;
    const instead = kustoRenames(problem.code).get(text.slice(problem.start, problem.end));
    if (instead === undefined) continue;
    const found = markdownOf(instead);
    if (found !== undefined) return { span: problem, text: found };
  }
  return undefined;
}

function markdownOf(name: string): string | undefined {
  const operator = operatorNamed(name.split(' ')[0] ?? '');
  if (operator !== undefined) return operatorMarkdown(operator);
  const called = functionNamed(name);
  if (called !== undefined) return functionMarkdown(called);
  const between = scalarOperatorNamed(name);
  return between && scalarOperatorMarkdown(between);
}
