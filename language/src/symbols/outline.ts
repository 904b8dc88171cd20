/** The outline of a query: `let` statements, parameters, source and stages. A stage's children are nested pipelines. */
import { append } from '../append.ts';
import type { BoundQuery } from '../binding/bound.ts';
import { oncePer } from '../maps.ts';
import type {
  LetStatement,
  Pipeline,
  QueryParameter,
  QueryTree,
  Stage,
  Statement,
} from '../syntax/tree.ts';
import { type AnyNode, children, walk } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { tokenFrom } from './tokenSearch.ts';

/** One item of an outline. Spans are relative to the query, and `selection` is inside the item's span. */
export interface OutlineItem extends Span {
  readonly kind: 'let' | 'table' | 'parameter' | 'source' | 'stage';
  readonly name: string;
  readonly detail: string;
  readonly selection: Span;
  readonly children: readonly OutlineItem[];
}

const longestDetail = 80;

export const outlineOf = oncePer(({ tree }: BoundQuery): readonly OutlineItem[] =>
  tree.statements.flatMap((statement) => statementItems(statement, tree)),
);

function statementItems(statement: Statement, tree: QueryTree): OutlineItem[] {
  switch (statement.kind) {
    case 'LetStatement':
      return letItem(statement, tree);
    case 'DeclareStatement':
      return statement.parameters.map((parameter) => parameterItem(parameter, tree));
    case 'QueryStatement': {
      const { source, children: stages } = pipelineItem(statement.pipeline, tree);
      return [...source, ...stages];
    }
    case 'SetStatement':
      return [];
  }
}

function letItem(statement: LetStatement, tree: QueryTree): OutlineItem[] {
  const { name, value, start, end } = statement;
  if (name.kind === 'Missing') return [];
  const selection = { start: name.start, end: name.end };
  const shared = { name: name.name, selection, start, end };
  if (value.kind !== 'Pipeline') {
    const detail = oneLine(tree, value);
    return [{ ...shared, kind: 'let', detail, children: nestedItems(children(value), tree) }];
  }
  const { detail, children: stages } = pipelineItem(value, tree);
  return [{ ...shared, kind: 'table', detail, children: stages }];
}

function parameterItem(parameter: QueryParameter, tree: QueryTree): OutlineItem {
  const { name, start, end } = parameter;
  return {
    kind: 'parameter',
    name: name.name,
    detail: oneLine(tree, { start: name.end, end }).replace(/^: ?/, ''),
    selection: { start: name.start, end: name.end },
    children: [],
    start,
    end,
  };
}

function pipelineItem(
  pipeline: Pipeline,
  tree: QueryTree,
): { detail: string; source: OutlineItem[]; children: OutlineItem[] } {
  const { source } = pipeline;
  const stages = pipeline.stages.map((stage) => stageItem(stage, tree));
  const detail = oneLine(tree, source);
  if (source.end <= source.start) return { detail, source: [], children: stages };
  const keyword = 'keyword' in source ? source.keyword : undefined;
  const item: OutlineItem = {
    kind: 'source',
    name: keyword === undefined ? detail : oneLine(tree, keyword),
    detail: keyword === undefined ? '' : oneLine(tree, { start: keyword.end, end: source.end }),
    selection: keyword ?? { start: source.start, end: source.end },
    children: nestedItems(children(source), tree),
    start: source.start,
    end: source.end,
  };
  return { detail, source: [item], children: stages };
}

function stageItem(stage: Stage, tree: QueryTree): OutlineItem {
  const { operator, start, end } = stage;
  const { keyword } = operator;
  const named = keyword.end > keyword.start;
  return {
    kind: 'stage',
    name: named ? oneLine(tree, keyword) : '|',
    detail: oneLine(tree, { start: keyword.end, end: operator.end }),
    selection: named ? { start: keyword.start, end: keyword.end } : { start, end },
    children: nestedItems(children(operator), tree),
    start,
    end,
  };
}

/** Returns items for the pipelines nested in the nodes. Each item is a source, and its children are the stages. */
function nestedItems(nodes: readonly AnyNode[], tree: QueryTree): OutlineItem[] {
  const found: OutlineItem[] = [];
  walk(nodes, (node) => {
    if (node.kind !== 'Pipeline') return true;
    const { source, children: stages } = pipelineItem(node, tree);
    const [item] = source;
    // Skip a table without stages, as in a union, because the item of the surrounding stage already shows its name.
    if (item === undefined || stages.length === 0) {
      append(found, item?.children ?? []);
      append(found, stages);
    } else found.push({ ...item, children: [...item.children, ...stages], end: node.end });
    return false;
  });
  return found;
}

/** Returns a span's tokens on one line, with a space for any whitespace or comment. Truncates a long line. */
export function oneLine({ text, tokens }: QueryTree, { start, end }: Span): string {
  let line = '';
  let last = start;
  for (let i = tokenFrom(tokens, start); line.length <= longestDetail; i++) {
    const token = tokens[i];
    if (token === undefined || token.start >= end || token.kind === 'end') break;
    if (token.start > last && line !== '') line += ' ';
    line += text.slice(token.start, Math.min(token.end, token.start + longestDetail + 1));
    last = token.end;
  }
  return line.length > longestDetail ? `${line.slice(0, longestDetail - 1)}…` : line;
}
