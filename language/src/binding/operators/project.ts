/** Binds operators that add, keep, drop, rename and order columns. */
import { quoteName } from '../../names.ts';
import type * as syntax from '../../syntax/tree.ts';
import type { Span } from '../../text.ts';
import {
  type Binder,
  define,
  referToColumn,
  referToUnknown,
  report,
  reportQuotedPattern,
  reportUnknownColumn,
  type Scope,
} from '../binder.ts';
import type { BoundExpression, BoundOperator, Column, NamedExpression } from '../bound.ts';
import { isSlip } from '../columnNames.ts';
import { ColumnList, type Row } from '../columns.ts';
import { derivedName, Names } from '../derivedNames.ts';
import { bindExpression } from '../expressions.ts';
import { columnOf, nameItem } from '../namedItems.ts';
import { wildcard } from '../wildcards.ts';
import { columnOrders } from './columnOrder.ts';

export function bindExtend(node: syntax.ExtendOperator, row: Row, binder: Binder): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names((name) => row.find(name) !== undefined);
  const columns: Column[] = [];
  const items = node.items.map((item) => {
    const expression = bindExpression(item.expression, scope);
    keepExisting(item, row, names);
    return makeItem(item, expression, names, columns, row, binder);
  });
  row.extend(columns);
  const { valid, keyword, start, end } = node;
  return { kind: 'extend', valid, items, keyword, start, end };
}

/** Names an item, and records the name so that its use in a sibling item can be reported. */
function makeItem(
  node: syntax.Assignment,
  expression: BoundExpression,
  names: Names,
  columns: Column[],
  row: Row,
  binder: Binder,
): NamedExpression {
  const item = nameItem(node, expression, names, columns, binder);
  if (item.named) row.make(item.name);
  return item;
}

/** Reserves a derived name that an existing column has: `extend bin(x, 1)` adds `x1` and keeps `x`. */
function keepExisting(item: syntax.Assignment, row: Row, names: Names): void {
  if (item.name !== undefined || item.expression.kind === 'NameReference') return;
  const derived = derivedName(item.expression);
  if (derived !== undefined && row.find(derived) !== undefined) names.take(derived);
}

export function bindProject(node: syntax.ProjectOperator, row: Row, binder: Binder): BoundOperator {
  const items = bindItems(node.items, row, binder, 'project');
  const { keyword, start, end } = node;
  return { kind: 'project', items, keyword, start, end };
}

/** Returns the item names that can't be predicted. */
export function guessedNames(items: readonly NamedExpression[]): Set<string> {
  const guessed = new Set<string>();
  for (const { name, named, expression } of items)
    if (!named && !isForeseeable(expression)) guessed.add(name);
  return guessed;
}

/** Returns whether the documentation determines the name of an unnamed expression. */
function isForeseeable(expression: BoundExpression): boolean {
  if (expression.kind === 'column' || expression.kind === 'error') return true;
  return expression.kind === 'call' && /^bin(_auto)?$/.test(expression.name);
}

export function bindDistinct(
  node: syntax.DistinctOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const { keyword, start, end } = node;
  const [first] = node.items;
  if (node.items.length === 1 && first?.expression.kind === 'Star') {
    return distinctOfAll(node, first.expression, row.columns);
  }
  const items = bindItems(node.items, row, binder, 'distinct');
  return { kind: 'distinct', items, keyword, start, end };
}

/** Binds `distinct *`. Its items, one per column, are created on first access because there may be many. */
function distinctOfAll(
  node: syntax.DistinctOperator,
  star: syntax.Star,
  columns: ColumnList,
): BoundOperator {
  const { keyword, start, end } = node;
  const span = { start: star.start, end: star.end };
  let items: readonly NamedExpression[] | undefined;
  return {
    kind: 'distinct',
    get items() {
      items ??= columns.list.map((column) => {
        const { name, type } = column;
        const expression: BoundExpression = { kind: 'column', name, column, type, ...span };
        return { name, named: false, expression, ...span };
      });
      return items;
    },
    keyword,
    start,
    end,
  };
}

/** Binds items whose columns replace all others. */
function bindItems(
  nodes: readonly syntax.Assignment[],
  row: Row,
  binder: Binder,
  operator: string,
): readonly NamedExpression[] {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names();
  const columns: Column[] = [];
  const items = nodes.map((node) => {
    if (node.expression.kind === 'Star') report(binder, 'unexpected-star', node.expression);
    const expression = bindExpression(node.expression, scope);
    return makeItem(node, expression, names, columns, row, binder);
  });
  row.replace(ColumnList.guessing(columns, guessedNames(items)), operator);
  return items;
}

/** Binds `project-away`, `project-keep` and `project-reorder`. */
export function bindByPattern(
  node: syntax.ProjectByPatternOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const name = `project-${node.mode}` as const;
  const exact = new Map<string, Column>();
  const patterns: syntax.ColumnPattern[] = [];
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
  return selection(node, name, row.columns, (column) => column);
}

/** Reports a pattern in quotes, which names a nonexistent column. */
function isQuotedPattern(span: Span, name: string, row: Row, binder: Binder): boolean {
  if (row.find(name) !== undefined) return false;
  return reportQuotedPattern(binder, span, name, 'unknown-column', !row.open);
}

function bindAway(
  exact: ReadonlyMap<string, Column>,
  patterns: readonly syntax.ColumnPattern[],
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
  patterns: readonly syntax.ColumnPattern[],
  row: Row,
): void {
  const tests = patterns.map(({ name }) => wildcard(name));
  const kept: Column[] = [];
  for (const column of row.columns.list) {
    if (exact.has(column.name) || tests.some((test) => test(column.name))) kept.push(column);
  }
  for (const column of exact.values()) if (row.find(column.name) === undefined) kept.push(column);
  // A pattern may match unknown columns, so the row stays open.
  row.replace(ColumnList.of(kept, row.open && patterns.length > 0), 'project-keep');
}

/**
 * Moves named and matched columns to the front, in the given order. A pattern skips columns that are named explicitly.
 */
function bindReorder(
  node: syntax.ProjectByPatternOperator,
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

export function bindRename(
  node: syntax.ProjectRenameOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const renamed = new Map<string, Column>();
  const origins = new Map<string, string>();
  const taken: syntax.Name[] = [];
  for (const written of node.items) {
    const item = comparisonAsRename(written, row, binder);
    const from = item.expression;
    if (item.name === undefined || from.kind !== 'NameReference') {
      bindExpression(from, { binder, row, aggregates: 'refused' });
      if (!isOldName(from)) report(binder, 'rename-item', item);
      continue;
    }
    const column = columnNamed(from, from.name, row, binder);
    const to = item.name.name;
    const expression: BoundExpression = {
      kind: 'column',
      name: from.name,
      ...(column === undefined ? {} : { column }),
      type: column?.type ?? 'unknown',
      start: from.start,
      end: from.end,
    };
    const made = columnOf(to, expression, item.name);
    define(binder, item.name, to, { kind: 'column', column: made });
    if (row.find(to) !== undefined && to !== from.name) taken.push(item.name);
    // A missing column can't be renamed, but the new name exists from here on.
    if (row.find(from.name) === undefined) row.extend([made]);
    else renamed.set(from.name, made);
    origins.set(to, from.name);
  }
  // A name released by another item may be reused, so columns can swap names.
  for (const name of taken) {
    if (renamed.has(name.name)) continue;
    report(binder, 'duplicate-column', name, { name: quoteName(name.name) });
  }
  row.rename(renamed, 'project-rename');
  return selection(node, 'project-rename', row.columns, (name) => origins.get(name) ?? name);
}

/** Reports `new == old` if `new` isn't a column, and treats it as `new = old`. */
function comparisonAsRename(item: syntax.Assignment, row: Row, binder: Binder): syntax.Assignment {
  const { name, expression } = item;
  if (name !== undefined || expression.kind !== 'Binary' || expression.operator !== '==')
    return item;
  const { left, right } = expression;
  if (left.kind !== 'NameReference' || right.kind !== 'NameReference') return item;
  if (row.find(left.name) !== undefined) return item;
  const suggestion = `${quoteName(left.name)} = ${quoteName(right.name)}`;
  report(binder, 'rename-item', item, {}, suggestion);
  return { ...item, name: { ...left, kind: 'Name' }, expression: right };
}

/** Returns whether another problem already covers an invalid old name: a property or a missing name. */
function isOldName(node: syntax.Expression): boolean {
  return node.kind === 'Member' || node.kind === 'Index' || node.kind === 'Missing';
}

/** Returns the output columns with their old names. Computed on first access. */
function selection(
  node: syntax.Operator,
  name: Extract<BoundOperator, { kind: 'select' }>['name'],
  output: ColumnList,
  originOf: (name: string) => string,
): BoundOperator {
  const { keyword, start, end } = node;
  let columns: readonly { name: string; from: string }[] | undefined;
  return {
    kind: 'select',
    name,
    get columns() {
      columns ??= output.list.map((column) => ({
        name: column.name,
        from: originOf(column.name),
      }));
      return columns;
    },
    keyword,
    start,
    end,
  };
}

/** Returns the column with a name. An unknown name counts as a column if the row is open. */
function columnNamed(span: Span, name: string, row: Row, binder: Binder): Column | undefined {
  const column = row.find(name);
  if (column !== undefined) {
    referToColumn(binder, span, column);
    return column;
  }
  if (!row.open || isSlip(name, row, binder)) {
    reportUnknownColumn(binder, row, span, name);
    return undefined;
  }
  referToUnknown(binder, span, name);
  return { name, type: 'unknown' };
}
