/** Binds calls of functions and aggregates: checks the arguments and determines the result type. */
import { aggregates, functionNamed, functions } from '../catalog/index.ts';
import { kustoArguments, kustoFunctions } from '../catalog/kusto.ts';
import { arityOf, returnTypeOf, takes, unite } from '../catalog/signatures.ts';
import type { FunctionRow, ScalarType, Signature } from '../catalog/types.ts';
import { didYouMean } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { checkArguments } from './arguments.ts';
import {
  hintFor,
  isUnreadable,
  refer,
  referToUnknown,
  report,
  type Scope,
  unbound,
} from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { branchesOf, checkBranches } from './branches.ts';
import { bindExpression } from './expressions.ts';

export function bindCall(node: syntax.Call, scope: Scope): BoundExpression {
  const { name } = node.name;
  const row = functionNamed(name);
  if (row === undefined) {
    const meant = reportUnknownFunction(node, scope);
    // The unknown function may be an aggregate, so don't report columns in its arguments.
    const inner: Scope = isPlaceOfAggregate(scope) ? { ...scope, aggregates: 'inside' } : scope;
    const args = bindArguments(node, inner);
    const [only] = args;
    // The columns of the table are known all the same.
    if (name === 'materialize' && args.length === 1 && only?.kind === 'subquery') return only;
    // Bind a misspelled `arg_max` as a call, so that later stages can use its columns.
    if (meant?.spreads !== 'columns') return unbound(node);
    const { start, end } = node;
    const call = { name: meant.name, aggregate: true, arguments: args, type: 'unknown' as const };
    return { kind: 'call', ...call, start, end };
  }
  refer(scope.binder, node.name, name, { kind: 'function', name: row.name });
  const aggregate = row.kind === 'aggregate';
  if (aggregate) checkPlace(node, scope);
  const args = bindArguments(node, aggregate ? { ...scope, aggregates: 'inside' } : scope);
  const fits = checkCount(node, row, scope);
  if (fits !== undefined) {
    checkArguments(row, fits, args, scope);
    if (row.category === 'conditional') checkBranches(row, args, scope.binder);
  }
  const type = callType(row, node, args, scope);
  const { start, end } = node;
  return { kind: 'call', name: row.name, aggregate, arguments: args, type, start, end };
}

function isPlaceOfAggregate(scope: Scope): boolean {
  return scope.aggregates === 'allowed' || scope.aggregates === 'expected';
}

function checkPlace(node: syntax.Call, scope: Scope): void {
  if (scope.aggregates === 'allowed' || scope.aggregates === 'expected') return;
  report(scope.binder, misplaced[scope.aggregates], node.name, { name: `${node.name.name}()` });
}

const misplaced = {
  inside: 'nested-aggregate',
  group: 'aggregate-as-group',
  refused: 'aggregate-outside-summarize',
} as const;

function bindArguments(node: syntax.Call, scope: Scope): BoundExpression[] {
  return node.arguments.map((argument) => bindExpression(argument, scope));
}

/** Reports an unknown function and returns the closest known function, if any. */
function reportUnknownFunction(node: syntax.Call, scope: Scope): FunctionRow | undefined {
  const { name } = node.name;
  if (isUnreadable(scope.binder.values.get(name))) {
    refer(scope.binder, node.name, name, { kind: 'let', name, type: 'unknown' });
    return undefined;
  }
  referToUnknown(scope.binder, node.name, name);
  if (undocumented.has(name)) {
    report(scope.binder, 'undocumented-function', node.name, { name: `${name}()` });
    return undefined;
  }
  const instead = kustoFunctions.get(name);
  if (instead !== undefined) {
    report(scope.binder, 'kusto-function', node.name, { name: `${name}()`, instead });
    return undefined;
  }
  const others = aggregates.map((row) => row.name);
  const hint =
    hintFor(scope.binder, name, candidates(scope)) ?? hintFor(scope.binder, name, others);
  const values = { name, hint: didYouMean(hint === undefined ? undefined : `${hint}()`) };
  report(scope.binder, 'unknown-function', node.name, values, hint);
  return hint === undefined ? undefined : functionNamed(hint);
}

/** Aggregates that appear in the service's own examples but not in its documentation. */
const undocumented: ReadonlySet<string> = new Set(['dimensional_analysis', 'presence']);

/**
 * Yields candidates for a misspelled function. Omits aggregates where none is allowed, because the suggested aggregate
 * would be reported too.
 */
function* candidates(scope: Scope): Iterable<string> {
  if (isPlaceOfAggregate(scope)) for (const row of aggregates) yield row.name;
  for (const row of functions) yield row.name;
}

/**
 * Reports an invalid argument count. Returns the signatures for type checks, or undefined if no checks are possible.
 */
function checkCount(
  node: syntax.Call,
  row: FunctionRow,
  scope: Scope,
): readonly Signature[] | undefined {
  const count = node.arguments.length;
  const fitting = row.signatures.filter((signature) => takes(signature, count));
  if (fitting.length > 0) return fitting;
  // The parser has already reported an incomplete call.
  if (!node.closed || node.arguments.some((argument) => argument.kind === 'Missing'))
    return undefined;
  if (lacksDefault(row, count)) {
    report(scope.binder, 'missing-default', node.name, { name: `${row.name}()` });
    return row.signatures;
  }
  const expected = describeCounts(row.signatures);
  const advice = kustoArguments.get(row.name);
  const hint = advice === undefined ? '' : ` ${advice}`;
  const values = { name: `${row.name}()`, expected, actual: String(count), hint };
  report(scope.binder, 'argument-count', countSpan(node, row), values);
  return undefined;
}

function lacksDefault(row: FunctionRow, count: number): boolean {
  const repeats = row.signatures.some(({ repeating }) => repeating === 2);
  return row.category === 'conditional' && repeats && count > 0 && count % 2 === 0;
}

function countSpan(node: syntax.Call, row: FunctionRow): Span {
  const arities = row.signatures.map(arityOf);
  const endless = arities.some((arity) => arity.most === undefined);
  const most = endless ? -1 : Math.max(...arities.map((arity) => arity.most as number));
  const extra = node.arguments[most];
  const last = node.arguments.at(-1);
  return extra === undefined || last === undefined ? node : { start: extra.start, end: last.end };
}

function describeCounts(all: readonly Signature[]): string {
  // Ignore signatures that accept only `*`, because they would widen the range of counts in the message.
  const others = all.filter(({ parameters }) => parameters[0]?.type !== 'wildcard');
  const arities = (others.length === 0 ? all : others).map(arityOf);
  const least = Math.min(...arities.map((arity) => arity.least));
  const endless = arities.some((arity) => arity.most === undefined);
  if (endless) {
    const step = Math.max(...arities.map((arity) => arity.step));
    const groups = step > 1 ? `, and then ${step} at a time` : '';
    return `at least ${counted(least)}${groups}`;
  }
  const most = Math.max(...arities.map((arity) => arity.most as number));
  if (most === 0) return 'no arguments';
  return least === most ? counted(least) : `${least} to ${counted(most)}`;
}

function counted(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`;
}

function callType(
  row: FunctionRow,
  node: syntax.Call,
  args: readonly BoundExpression[],
  scope: Scope,
): ScalarType {
  const named = args.find((argument) => argument.kind === 'typeof');
  if (named !== undefined) return named.of;
  if (row.name === 'column_ifexists') return columnOrDefault(node, args, scope);
  if (row.category === 'conditional') return unite(branchesOf(args).map(({ type }) => type));
  const types = args.map(({ type }) => type);
  return returnTypeOf(row, types);
}

/** Returns the type of `column_ifexists('name', default)`, or `unknown` if the column may or may not exist. */
function columnOrDefault(
  node: syntax.Call,
  args: readonly BoundExpression[],
  scope: Scope,
): ScalarType {
  const [name, fallback] = args;
  if (name?.kind !== 'literal' || typeof name.value !== 'string') return 'unknown';
  const column = scope.row?.find(name.value);
  if (column !== undefined) {
    const span = node.arguments[0] as syntax.Expression;
    refer(scope.binder, span, column.name, { kind: 'column', column });
    return column.type;
  }
  return scope.row?.open === false && fallback !== undefined ? fallback.type : 'unknown';
}
