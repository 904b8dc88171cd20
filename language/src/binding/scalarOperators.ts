/** Binds scalar operators: determines result types and reports incompatible operands. */
import { kustoScalarOperators } from '../catalog/kusto.ts';
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import { timespanText } from '../syntax/units.ts';
import type { Span } from '../text.ts';
import { type Binder, report, type Scope } from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { bindExpression } from './expressions.ts';
import {
  arithmeticType,
  comparable,
  describeType,
  isArithmetic,
  isCertain,
  isNumeric,
} from './types.ts';

export function bindUnary(node: syntax.Unary, scope: Scope): BoundExpression {
  // Bind signs in a loop, because a query may have thousands of consecutive signs.
  const signs: syntax.Unary[] = [];
  let inner: syntax.Expression = node;
  while (inner.kind === 'Unary') {
    signs.push(inner);
    inner = inner.operand;
  }
  let bound = bindExpression(inner, scope);
  for (let i = signs.length - 1; i >= 0; i--) {
    const { operator, start, end } = signs[i] as syntax.Unary;
    if (operator === 'not') requireBool(bound, scope);
    else requireSigned(bound, scope);
    const type = operator === 'not' ? 'bool' : bound.type;
    bound = { kind: 'unary', operator, operand: bound, type, start, end };
  }
  return bound;
}

function requireSigned(bound: BoundExpression, scope: Scope): void {
  if (bound.kind !== 'literal' || bound.value === null) return;
  if (isNumeric(bound.type) || bound.type === 'timespan') return;
  report(scope.binder, 'signed-value', bound, { actual: describeType(bound.type) });
}

export function bindBinary(node: syntax.Binary, scope: Scope): BoundExpression {
  const spine: syntax.Binary[] = [];
  let first: syntax.Expression = node;
  while (first.kind === 'Binary') {
    spine.push(first);
    first = first.left;
  }
  let left = bindExpression(first, scope);
  for (let i = spine.length - 1; i >= 0; i--) {
    const binary = spine[i] as syntax.Binary;
    const right = bindExpression(binary.right, scope);
    const { operator, start, end } = binary;
    const type = binaryType(binary, left, right, scope);
    left = { kind: 'binary', operator, left, right, type, start, end };
  }
  return left;
}

function binaryType(
  node: syntax.Binary,
  left: BoundExpression,
  right: BoundExpression,
  scope: Scope,
): ScalarType {
  const { operator } = node;
  if (isArithmetic(operator)) {
    const type = arithmeticType(operator, left.type, right.type);
    if (type !== undefined) return type;
    reportOperands(node, left, right, scope);
    return 'unknown';
  }
  switch (operator) {
    case 'and':
    case 'or':
      requireBool(left, scope);
      requireBool(right, scope);
      break;
    case '==':
    case '!=':
    case '<>':
      checkEqual(node, left, right, scope);
      break;
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (!comparable(left.type, right.type)) reportOperands(node, left, right, scope);
      break;
    default:
      checkText(node, left, right, scope);
  }
  return 'bool';
}

export function bindIn(node: syntax.InExpression, scope: Scope): BoundExpression {
  const { operator, operatorSpan, start, end } = node;
  const left = bindExpression(node.left, scope);
  checkKusto(operator, operatorSpan, scope);
  const items = node.items.map((item) => bindExpression(item, scope));
  if (operator === 'in' || operator === '!in') {
    for (const item of items) checkEqual(node, left, item, scope);
  }
  return { kind: 'in', operator, left, items, type: 'bool', start, end };
}

export function bindBetween(node: syntax.Between, scope: Scope): BoundExpression {
  const { start, end } = node;
  const left = bindExpression(node.left, scope);
  checkKusto(node.operator, node.operatorSpan, scope);
  const low = bindExpression(node.low, scope);
  const high = bindExpression(node.high, scope);
  const negated = node.operator === '!between';
  for (const bound of [low, high]) {
    // `t between (a .. 1h)` means one hour from `a`, so the upper bound of a datetime may be a timespan.
    const isLength = bound === high && left.type === 'datetime' && bound.type === 'timespan';
    if (!isLength && !comparable(left.type, bound.type)) {
      reportOperands({ ...node, start: bound.start, end: bound.end }, left, bound, scope);
    }
  }
  return { kind: 'between', negated, left, low, high, type: 'bool', start, end };
}

function checkKusto(operator: string, span: Span, scope: Scope): void {
  const instead = kustoScalarOperators.get(operator);
  if (instead === undefined) return;
  report(scope.binder, 'kusto-scalar-operator', span, { name: operator, instead });
}

export function requireNumber(bound: BoundExpression, operator: string, binder: Binder): void {
  if (isNumeric(bound.type) || !isCertain(bound.type)) return;
  report(binder, 'number-expected', bound, { operator, actual: describeType(bound.type) });
}

export function requireBool(bound: BoundExpression, scope: Scope): void {
  if (bound.type === 'bool' || !isCertain(bound.type) || bound.kind === 'error') return;
  report(scope.binder, 'bool-expected', bound, { actual: describeType(bound.type) });
}

function checkEqual(
  node: syntax.Binary | syntax.InExpression,
  left: BoundExpression,
  right: BoundExpression,
  scope: Scope,
): void {
  const variants = variantsOf(left) ?? variantsOf(right);
  if (variants !== undefined) {
    const other = variantsOf(left) === undefined ? left : right;
    if (!isCertain(other.type) || variants.some((type) => comparable(type, other.type))) return;
    const values = {
      left: variants.map(describeType).join(' or '),
      right: describeType(other.type),
      hint: '',
    };
    report(scope.binder, 'never-equal', right, values);
    return;
  }
  if (comparable(left.type, right.type)) return;
  const values = { left: describeType(left.type), right: describeType(right.type) };
  const suggestion = retyped(left.type, right);
  const hint = suggestion === undefined ? '' : ` Use ${suggestion}.`;
  const span = node.kind === 'Binary' && suggestion === undefined ? node : right;
  report(scope.binder, 'never-equal', span, { ...values, hint }, suggestion);
}

function variantsOf(bound: BoundExpression): readonly ScalarType[] | undefined {
  return bound.kind === 'column' ? bound.column?.variants : undefined;
}

/** Returns a literal of type `wanted` that was probably meant, such as `'5'` for `5`. */
function retyped(wanted: ScalarType, bound: BoundExpression): string | undefined {
  if (bound.kind !== 'literal' || bound.value === null) return undefined;
  const { value } = bound;
  if (wanted === 'string' && (typeof value === 'number' || bound.type === 'long')) {
    return `'${value}'`;
  }
  if (wanted === 'datetime' && bound.type === 'timespan' && typeof value === 'bigint')
    return `ago(${timespanText(value)})`;
  if (typeof value !== 'string') return undefined;
  if ((wanted === 'long' || wanted === 'real') && isNumber(value)) return value;
  if (wanted === 'bool' && (value === 'true' || value === 'false')) return value;
  if (wanted === 'datetime' && isDate(value)) return `datetime(${value})`;
  return undefined;
}

function isNumber(text: string): boolean {
  return text.length < 20 && /^\d+(\.\d+)?$/.test(text);
}

function isDate(text: string): boolean {
  return text.length < 40 && /^\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?$/.test(text);
}

function reportOperands(
  node: Span & { readonly operator: string },
  left: BoundExpression,
  right: BoundExpression,
  scope: Scope,
): void {
  // Don't suggest a literal for an arithmetic operator, because the operator wouldn't accept that literal.
  const suggestion = isArithmetic(node.operator) ? undefined : retyped(left.type, right);
  const values = {
    operator: node.operator,
    left: describeType(left.type),
    right: describeType(right.type),
    hint:
      suggestion === undefined ? joiningHint(node.operator, left, right) : ` Use ${suggestion}.`,
  };
  report(scope.binder, 'operand-type', suggestion === undefined ? node : right, values, suggestion);
}

/** Suggests strcat() for strings, because `+` doesn't concatenate strings in APL. */
function joiningHint(operator: string, left: BoundExpression, right: BoundExpression): string {
  const texts = operator === '+' && (left.type === 'string' || right.type === 'string');
  return texts ? ' Concatenate strings with strcat().' : '';
}

function checkText(
  node: syntax.Binary,
  left: BoundExpression,
  right: BoundExpression,
  scope: Scope,
): void {
  checkKusto(node.operator, node.operatorSpan, scope);
  for (const bound of [left, right]) {
    if (bound.type === 'string' || !isCertain(bound.type) || variantsOf(bound)) continue;
    const hint = bound === left ? ' Convert the left operand with tostring().' : '';
    const values = {
      operator: node.operator,
      left: describeType(left.type),
      right: describeType(right.type),
      hint,
    };
    report(scope.binder, 'operand-type', node, values);
    return;
  }
}
