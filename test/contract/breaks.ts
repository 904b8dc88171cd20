// Values that each break one constraint of a member, and a check of values against a table of members.
import type { Member, Members } from './specification.ts';

export interface Break {
  /** The broken constraint, such as `compareDays above 7`. */
  readonly what: string;
  readonly member: string;
  /** The value of the member; undefined if the member is missing. */
  readonly value: unknown;
}

const wrongTypes: Readonly<Record<Member['type'], readonly unknown[]>> = {
  string: [5, {}],
  integer: ['1', 1.5],
  number: ['1', {}],
  boolean: ['true', 1],
  timestamp: [5, 'monday', '2026-02-30T00:00:00Z'],
  object: ['x', []],
  'string[]': ['x', [5]],
  'object[]': [{}, ['x']],
  array: [{}, 'x'],
};

/** Breaks every constraint of the members that a request may have, one at a time. */
export function breaksOf(members: Members): Break[] {
  return Object.entries(members).flatMap(([member, rules]) => {
    if (rules.readOnly) return [];
    const broken = (what: string, value: unknown): Break => ({ what, member, value });
    return [
      ...(rules.required ? [broken(`a missing ${member}`, undefined)] : []),
      ...wrongTypes[rules.type].map((value) =>
        broken(`${member} = ${JSON.stringify(value)}`, value),
      ),
      ...(rules.enum ? [broken(`an unknown ${member}`, 'Other')] : []),
      ...(rules.min === undefined ? [] : [broken(`${member} below ${rules.min}`, rules.min - 1)]),
      ...(rules.max === undefined ? [] : [broken(`${member} above ${rules.max}`, rules.max + 1)]),
      ...(rules.maxLength === undefined
        ? []
        : [
            broken(`${member} over ${rules.maxLength} characters`, 'x'.repeat(rules.maxLength + 1)),
          ]),
      ...(rules.minItems === undefined ? [] : [broken(`an empty list ${member}`, [])]),
      ...(rules.itemMinLength === undefined ? [] : [broken(`an empty item in ${member}`, [''])]),
      ...(rules.form === undefined ? [] : [broken(`${member} = "yesterday"`, 'yesterday')]),
      ...(rules.never ?? []).map((value) => broken(`${member} = ${JSON.stringify(value)}`, value)),
    ];
  });
}

/** Returns the values at the bounds of the members, which are accepted. */
export function boundsOf(members: Members): Break[] {
  return Object.entries(members).flatMap(([member, rules]) => {
    if (rules.readOnly) return [];
    const at = (value: unknown): Break => ({
      what: `${member} = ${JSON.stringify(value).slice(0, 40)}`,
      member,
      value,
    });
    return [
      ...(rules.min === undefined ? [] : [at(rules.min)]),
      ...(rules.max === undefined ? [] : [at(rules.max)]),
      ...(rules.maxLength === undefined ? [] : [at('x'.repeat(rules.maxLength))]),
      ...(rules.enum ?? []).map(at),
      ...(rules.nullable ? [at(null)] : []),
    ];
  });
}

/**
 * Compares a value of a response with a table. Returns the differences, empty if there are none.
 */
export function faultsOf(members: Members, value: unknown, where = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${where || 'the body'} is not an object`];
  }
  const found = value as Record<string, unknown>;
  return Object.entries(members).flatMap(([name, rules]) => {
    const path = where === '' ? name : `${where}.${name}`;
    const member = found[name];
    if (member === undefined) return rules.required || rules.answered ? [`${path} is missing`] : [];
    if (member === null && rules.nullable) return [];
    if (!isOf(rules.type, member)) return [`${path} is not of type ${rules.type}`];
    if (rules.enum && !rules.enum.includes(member as string)) return [`${path} is another word`];
    return [];
  });
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function isOf(type: Member['type'], value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'timestamp':
      return typeof value === 'string' && RFC_3339.test(value);
    case 'array':
      return Array.isArray(value);
    case 'string[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'object[]':
      return Array.isArray(value) && value.every(isObject);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
