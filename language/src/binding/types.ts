/** The rules for comparing types and for arithmetic. */
import type { ScalarType } from '../catalog/types.ts';

/** Returns whether a value's type is known before the query runs. A dynamic value may contain any type. */
export function isCertain(type: ScalarType): boolean {
  return type !== 'unknown' && type !== 'dynamic';
}

export function isNumeric(type: ScalarType): boolean {
  return type === 'long' || type === 'real';
}

export function comparable(left: ScalarType, right: ScalarType): boolean {
  if (left === right || !isCertain(left) || !isCertain(right)) return true;
  return isNumeric(left) && isNumeric(right);
}

/**
 * The types of an operation's operands and result. A `numeric` operand is long or real. A `numeric` result has the
 * wider operand type.
 */
type ArithmeticRule = readonly [
  left: ScalarType | 'numeric',
  right: ScalarType | 'numeric',
  result: ScalarType | 'numeric',
];

const arithmetic: Readonly<Record<string, readonly ArithmeticRule[]>> = {
  '+': [
    ['numeric', 'numeric', 'numeric'],
    ['datetime', 'timespan', 'datetime'],
    ['timespan', 'datetime', 'datetime'],
    ['timespan', 'timespan', 'timespan'],
  ],
  '-': [
    ['numeric', 'numeric', 'numeric'],
    ['datetime', 'timespan', 'datetime'],
    ['datetime', 'datetime', 'timespan'],
    ['timespan', 'timespan', 'timespan'],
  ],
  '*': [
    ['numeric', 'numeric', 'numeric'],
    ['timespan', 'numeric', 'timespan'],
    ['numeric', 'timespan', 'timespan'],
  ],
  '/': [
    ['numeric', 'numeric', 'numeric'],
    ['timespan', 'timespan', 'real'],
    ['timespan', 'numeric', 'timespan'],
  ],
  '%': [
    ['numeric', 'numeric', 'numeric'],
    ['timespan', 'timespan', 'timespan'],
    ['datetime', 'timespan', 'timespan'],
  ],
};

export function isArithmetic(operator: string): boolean {
  return Object.hasOwn(arithmetic, operator);
}

function matches(rule: ScalarType | 'numeric', type: ScalarType): boolean {
  if (!isCertain(type)) return true;
  return rule === 'numeric' ? isNumeric(type) : rule === type;
}

/** Returns the result type, or undefined if the operator rejects the operands. The quotient of two longs is a long. */
export function arithmeticType(
  operator: string,
  left: ScalarType,
  right: ScalarType,
): ScalarType | undefined {
  let result: ScalarType | undefined;
  for (const [ruleLeft, ruleRight, ruleResult] of arithmetic[operator] ?? []) {
    if (!matches(ruleLeft, left) || !matches(ruleRight, right)) continue;
    const type = ruleResult === 'numeric' ? widerNumber(left, right) : ruleResult;
    if (result !== undefined && result !== type) return 'unknown';
    result = type;
  }
  return result;
}

function widerNumber(left: ScalarType, right: ScalarType): ScalarType {
  if (left === 'real' || right === 'real') return 'real';
  return left === 'long' && right === 'long' ? 'long' : 'unknown';
}

/** Returns the type of a column that contains values of both types. */
export function commonType(left: ScalarType, right: ScalarType): ScalarType {
  if (left === right) return left;
  return isNumeric(left) && isNumeric(right) ? 'real' : 'unknown';
}

export function describeType(type: ScalarType): string {
  return type === 'unknown' ? 'a value' : `a ${type}`;
}
