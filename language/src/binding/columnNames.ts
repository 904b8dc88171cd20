/** Binds a name in an expression to the column, parameter or `let` statement that it refers to. */
import { distance } from '../catalog/closest.ts';
import { aggregateNamed } from '../catalog/index.ts';
import { takes } from '../catalog/signatures.ts';
import { quoteName } from '../names.ts';
import { didYouMean } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  type Binder,
  refer,
  referToColumn,
  referToUnknown,
  report,
  reportUnknownColumn,
  type Scope,
  unbound,
} from './binder.ts';
import type { BoundExpression, Column } from './bound.ts';
import type { Row } from './columns.ts';
import { sourceAlone } from './pipelines.ts';

export function bindName(node: syntax.NameReference, scope: Scope): BoundExpression {
  return (
    resolveName(node, scope) ??
    (isOpen(scope) && !isSlip(node.name, scope.row, scope.binder)
      ? openColumn(node, node.name, scope)
      : unknownName(node, scope))
  );
}

/** The minimum length of a name that is compared with known names. Shorter names resemble too many of them. */
const shortestSlip = 4;

/** Returns whether an unknown name is probably misspelled: all columns are known, and a known name is similar. */
export function isSlip(name: string, row: Row | undefined, binder: Binder): boolean {
  const guessed = row?.columns.guessed;
  if (row === undefined || guessed === undefined || name.length < shortestSlip) return false;
  for (const known of row.names()) {
    // Limit the number of comparisons, because a query may define and use thousands of columns.
    if (binder.slips <= 0) return false;
    binder.slips--;
    if (guessed.has(known) || distance(name, known, 1) === undefined) continue;
    // Names that differ only in digits are probably different columns.
    if (known.replace(/\d/g, '') !== name.replace(/\d/g, '')) return true;
  }
  return false;
}

export function resolveName(node: syntax.NameReference, scope: Scope): BoundExpression | undefined {
  const column = scope.row?.find(node.name);
  if (column !== undefined) return boundColumn(node, column, scope);
  return resolveValue(node, scope.binder);
}

/** Returns whether an unknown name may refer to an unlisted column. */
export function isOpen(scope: Scope): boolean {
  return scope.row?.open === true;
}

export function boundColumn(span: Span, column: Column, scope: Scope): BoundExpression {
  referToColumn(scope.binder, span, column);
  requireAggregate(span, column.name, scope);
  const { name, type } = column;
  return { kind: 'column', name, column, type, start: span.start, end: span.end };
}

/** Binds an unknown name that may be an unlisted column. */
export function openColumn(span: Span, name: string, scope: Scope): BoundExpression {
  referToUnknown(scope.binder, span, name);
  requireAggregate(span, name, scope, uncalled(name, scope));
  return { kind: 'column', name, type: 'unknown', start: span.start, end: span.end };
}

/** Returns the call probably meant by an aggregate's name, such as `count()` in `summarize count by method`. */
function uncalled(name: string, scope: Scope): string | undefined {
  if (scope.aggregates !== 'expected') return undefined;
  const row = aggregateNamed(name);
  return row?.signatures.some((one) => takes(one, 0)) ? `${name}()` : undefined;
}

function requireAggregate(span: Span, name: string, scope: Scope, meant?: string): void {
  if (scope.aggregates !== 'allowed' && scope.aggregates !== 'expected') return;
  // Inside a function, report only a warning, because a documented example uses a column in this position.
  const code = scope.aggregates === 'expected' ? 'aggregate-expected' : 'aggregate-advised';
  report(scope.binder, code, span, { name: quoteName(name), hint: didYouMean(meant) }, meant);
}

/** Fields that every event has, although field lists don't include them. */
const reservedFields = new Set('_blockInfo _cursor _rowID _rowId _source'.split(' '));

function unknownName(node: syntax.NameReference, scope: Scope): BoundExpression {
  const { row } = scope;
  if (row !== undefined && (reservedFields.has(node.name) || row.columns.unlisted.has(node.name))) {
    return openColumn(node, node.name, scope);
  }
  if (uncalled(node.name, scope) !== undefined) return openColumn(node, node.name, scope);
  reportUnknownColumn(scope.binder, scope.row, node, node.name);
  return unbound(node);
}

function resolveValue(node: syntax.NameReference, binder: Binder): BoundExpression | undefined {
  const { name, start, end } = node;
  const value = binder.values.get(name);
  if (value === undefined) return undefined;
  if (value.kind === 'parameter') {
    refer(binder, node, name, { kind: 'parameter', name, type: value.type });
    return { kind: 'parameter', name, type: value.type, start, end };
  }
  if (value.kind === 'scalar') {
    refer(binder, node, name, { kind: 'let', name, type: value.type });
    return { kind: 'let', name, type: value.type, start, end };
  }
  // A table used as a value means its first column, as in `x in (table)`.
  refer(binder, node, name, { kind: 'let', name, type: 'table' });
  const { columns } = value.pipeline;
  const pipeline = sourceAlone({ kind: 'let', name, columns, start, end });
  return { kind: 'subquery', pipeline, type: columns.list[0]?.type ?? 'unknown', start, end };
}
