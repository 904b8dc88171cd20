/** The operators `project-away`, `project-keep` and `project-reorder`, which select columns by patterns. */
import { type Binder, reportQuotedPattern } from '../binding/binder.ts';
import type { Column } from '../binding/bound.ts';
import { columnOrders } from '../binding/columnOrder.ts';
import { ColumnList, type Row } from '../binding/columns.ts';
import { columnNamed, selection } from '../binding/selection.ts';
import { wildcard } from '../binding/wildcards.ts';
import { words } from '../catalog/words.ts';
import { itemLines } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { operatorHere } from '../syntax/grammar/expressions.ts';
import { operatorNameHere } from '../syntax/grammar/keywords.ts';
import { list } from '../syntax/grammar/lists.ts';
import { optPattern } from '../syntax/grammar/names.ts';
import type { ColumnPattern } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface ProjectByPatternOperator extends OperatorNode {
  readonly kind: 'ProjectByPatternOperator';
  readonly mode: 'away' | 'keep' | 'reorder';
  readonly items: readonly ColumnPattern[];
}

/** A bound `project-away`, `project-keep`, `project-rename` or `project-reorder`. */
export interface BoundSelect extends BoundOperatorNode {
  readonly kind: 'select';
  readonly name: 'project-away' | 'project-keep' | 'project-rename' | 'project-reorder';
  /** The output columns in order, each with the name of its input column. */
  readonly columns: readonly { readonly name: string; readonly from: string }[];
}

export const awayCore: OperatorCore<ProjectByPatternOperator, BoundSelect> = {
  facts: { rows: 'all', order: 'kept', columns: 'selected' },
  children: ['items'],
  operands: [],
  parse: (c) => projectByPattern(c, 'away'),
  bind: bindByPattern,
};

export const keepCore: OperatorCore<ProjectByPatternOperator, BoundSelect> = {
  ...awayCore,
  parse: (c) => projectByPattern(c, 'keep'),
};

export const reorderCore: OperatorCore<ProjectByPatternOperator, BoundSelect> = {
  ...awayCore,
  parse: (c) => projectByPattern(c, 'reorder'),
};

function projectByPattern(
  c: Cursor,
  mode: ProjectByPatternOperator['mode'],
): Own<ProjectByPatternOperator> {
  const items = list(c, (c) => columnPattern(c, mode === 'reorder'));
  return {
    kind: 'ProjectByPatternOperator',
    mode,
    items: items.filter((item) => item !== undefined),
  };
}

const directions = ['asc', 'desc', 'granny-asc', 'granny-desc'] as const;

/** Parses a pattern. If `ordered`, also parses a sort direction. */
function columnPattern(c: Cursor, ordered: boolean): ColumnPattern | undefined {
  const pattern = optPattern(c);
  if (pattern === undefined) {
    c.expected('expected-name');
    return undefined;
  }
  const { name, wildcard, start, end: nameEnd } = pattern;
  if (operatorHere(c) !== undefined) {
    // An operator after a pattern means that the text is a condition or belongs to another stage.
    c.report('unexpected-text', { start, end: c.token.end }, { found: c.found, after: c.after });
  }
  const written = ordered ? operatorNameHere(c) : '';
  const direction = directions.find((known) => known === written);
  if (direction === undefined) {
    return { kind: 'ColumnPattern', name, nameEnd, wildcard, start, end: nameEnd };
  }
  for (let parts = direction.includes('-') ? 3 : 1; parts > 0; parts--) c.advance();
  return { kind: 'ColumnPattern', name, nameEnd, wildcard, direction, start, end: c.lastEnd };
}

function bindByPattern(node: ProjectByPatternOperator, row: Row, binder: Binder): Own<BoundSelect> {
  const exact = new Map<string, Column>();
  const patterns: ColumnPattern[] = [];
  for (const item of node.items) {
    if (item.wildcard) {
      patterns.push(item);
      continue;
    }
    const { name: written, start, nameEnd: end } = item;
    const span = { start, end };
    const column = isQuotedPattern(span, written, row, binder)
      ? undefined
      : columnNamed(span, written, row, binder);
    if (column !== undefined) exact.set(written, column);
  }
  if (node.mode === 'away') bindAway(exact, patterns, row);
  else if (node.mode === 'keep') bindKeep(exact, patterns, row);
  else bindReorder(node, exact, row);
  return selection(`project-${node.mode}`, row.columns, (column) => column);
}

/** Reports a quoted pattern, because quotes make the stars literal. Returns whether it was reported. */
function isQuotedPattern(span: Span, name: string, row: Row, binder: Binder): boolean {
  if (row.find(name) !== undefined) return false;
  return reportQuotedPattern(binder, span, name, 'unknown-column', !row.open);
}

function bindAway(
  exact: ReadonlyMap<string, Column>,
  patterns: readonly ColumnPattern[],
  row: Row,
): void {
  const names = [...exact.keys()];
  if (patterns.length > 0) {
    const tests = patterns.map(({ name }) => wildcard(name));
    for (const name of row.names()) if (tests.some((test) => test(name))) names.push(name);
  }
  row.remove(names, 'project-away');
}

function bindKeep(
  exact: ReadonlyMap<string, Column>,
  patterns: readonly ColumnPattern[],
  row: Row,
): void {
  const tests = patterns.map(({ name }) => wildcard(name));
  const kept: Column[] = [];
  for (const column of row.columns.list) {
    if (exact.has(column.name) || tests.some((test) => test(column.name))) kept.push(column);
  }
  for (const column of exact.values()) if (row.find(column.name) === undefined) kept.push(column);
  // A pattern may also match unknown columns, so the list stays open.
  row.replace(ColumnList.of(kept, row.open && patterns.length > 0), 'project-keep');
}

/** Moves the listed columns to the front. A pattern skips columns that are listed by name. */
function bindReorder(
  node: ProjectByPatternOperator,
  exact: ReadonlyMap<string, Column>,
  row: Row,
): void {
  const unknown = [...exact.values()].filter(({ name }) => row.find(name) === undefined);
  if (unknown.length > 0) row.extend(unknown);
  row.reorder((columns) => {
    const result = new Map<string, Column>();
    for (const item of node.items) {
      if (!item.wildcard) {
        const column = columns.get(item.name);
        if (column !== undefined) result.set(item.name, column);
        continue;
      }
      const test = wildcard(item.name);
      const matching = [...columns.values()].filter(({ name }) => !exact.has(name) && test(name));
      if (item.direction !== undefined) matching.sort(columnOrders[item.direction]);
      for (const column of matching) if (!result.has(column.name)) result.set(column.name, column);
    }
    for (const [name, column] of columns) if (!result.has(name)) result.set(name, column);
    return result;
  });
}

export const awayEditing: OperatorEditing = {
  slots: { first: 'pattern' },
  layout: { ProjectByPatternOperator: itemLines },
  prose: {
    syntax: 'project-away field, prefix*, …',
    summary: 'Removes columns.',
    example: 'logs | project-away user_agent, geo*',
    snippet: 'project-away ${1:field}',
  },
};

export const keepEditing: OperatorEditing = {
  slots: { first: 'pattern' },
  prose: {
    syntax: 'project-keep field, prefix*, …',
    summary: 'Keeps only the listed columns, in their existing order.',
    example: 'logs | project-keep _time, resp*',
    snippet: 'project-keep ${1:field}',
  },
};

export const reorderEditing: OperatorEditing = {
  slots: { first: 'pattern' },
  prose: {
    syntax: 'project-reorder field asc, prefix*, …',
    summary: 'Moves the listed columns to the front and keeps the others.',
    example: 'logs | project-reorder _time, status, req* asc',
    snippet: 'project-reorder ${1:field}',
    modifiers: /* @__PURE__ */ words({
      asc: 'Sort the columns in alphabetical order.',
      desc: 'Sort the columns in reverse alphabetical order.',
      'granny-asc': 'Sort the columns in alphabetical order, with numbers in names by their value.',
      'granny-desc':
        'Sort the columns in reverse alphabetical order, with numbers in names by their value.',
    }),
  },
};
