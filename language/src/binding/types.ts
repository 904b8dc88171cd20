/**
 * The rules of types: what an operator gives for the types of its operands, and which pairs it refuses.
 * A type that cannot be told goes with everything.
 */
import type { ScalarType } from '../catalog/types.ts';

/** Whether the type can be told without data: a dynamic value may hold one of any type. */
export function isCertain(type: ScalarType): boolean {
  return type !== 'unknown' && type !== 'dynamic';
}

export function isNumeric(type: ScalarType): boolean {
  return type === 'long' || type === 'real';
}

/** Whether values of the two types can ever be equal. */
export function comparable(left: ScalarType, right: ScalarType): boolean {
  if (left === right || !isCertain(left) || !isCertain(right)) return true;
  return isNumeric(left) && isNumeric(right);
}

/** `[left, right, result]`; `numeric` stands for long and real, and as a result for the wider of the two. */
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

/**
 * The type of an arithmetic operation; `unknown` when the operands leave several open, undefined when
 * the operator does not go with them. Whole numbers give a whole number, in division too.
 */
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

/** The type that values of both types share where they meet in one column. */
export function commonType(left: ScalarType, right: ScalarType): ScalarType {
  if (left === right) return left;
  return isNumeric(left) && isNumeric(right) ? 'real' : 'unknown';
}

/** A type as a message names it, with its article. */
export function describeType(type: ScalarType): string {
  return type === 'unknown' ? 'a value' : `a ${type}`;
}
