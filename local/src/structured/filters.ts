/** Translates the filters of a structured query to APL conditions. */
import { StructuredFilter } from '../../../api/src/index.ts';
import { checked } from '../check.ts';
import { badMember } from './errors.ts';
import type { Fields } from './fields.ts';
import { literalOf } from './literals.ts';

/** A filter without child filters. */
interface Leaf {
  readonly field: string;
  readonly value: string;
  readonly isText: boolean;
  readonly isList: boolean;
  readonly caseSensitive: boolean | undefined;
}

interface LeafOperator {
  readonly condition: (leaf: Leaf) => string;
  /** `text` requires a string, and `none` means that the operator has no value. */
  readonly value?: 'text' | 'none';
}

const compared = (operator: string): LeafOperator => ({
  condition: ({ field, value }) => `${field} ${operator} ${value}`,
});

/** Creates an equality operator. Unlike string operators, it ignores case only if `caseSensitive` is false. */
const equal = (operator: string, insensitive: string): LeafOperator => ({
  condition: ({ field, value, isText, caseSensitive }) =>
    `${field} ${isText && caseSensitive === false ? insensitive : operator} ${value}`,
});

/** Creates a string operator, which ignores case by default. */
const text = (operator: string): LeafOperator => ({
  value: 'text',
  condition: ({ field, value, caseSensitive }) =>
    `${field} ${operator}${caseSensitive === true ? '_cs' : ''} ${value}`,
});

const contains: LeafOperator = {
  condition: (leaf) =>
    leaf.isList
      ? `array_index_of(${leaf.field}, ${leaf.value}) >= 0`
      : text('contains').condition(leaf),
};

const matches: LeafOperator = {
  value: 'text',
  condition: ({ field, value }) => `${field} matches regex ${value}`,
};

const exists: LeafOperator = { value: 'none', condition: ({ field }) => `isnotnull(${field})` };

const not = (operator: LeafOperator): LeafOperator => ({
  ...operator,
  condition: (leaf) => `not(${operator.condition(leaf)})`,
});

/** Public clients use all of these names. */
const comparisons: Readonly<Record<string, LeafOperator>> = {
  '==': compared('=='),
  eq: equal('==', '=~'),
  '!=': compared('!='),
  ne: equal('!=', '!~'),
  '>': compared('>'),
  gt: compared('>'),
  '>=': compared('>='),
  gte: compared('>='),
  '<': compared('<'),
  lt: compared('<'),
  '<=': compared('<='),
  lte: compared('<='),
};

/** The loop below adds negations (`not-contains`), and names without dashes, because one client sends them. */
const predicates: Readonly<Record<string, LeafOperator>> = {
  exists,
  'starts-with': text('startswith'),
  'ends-with': text('endswith'),
  contains,
  regexp: matches,
};

const leaves: Readonly<Record<string, LeafOperator>> = { ...comparisons };
for (const [name, operator] of Object.entries(predicates)) {
  const negated = not(operator);
  const undashed = name.replaceAll('-', '');
  Object.assign(leaves, { [name]: operator, [undashed]: operator });
  Object.assign(leaves, { [`not-${name}`]: negated, [`not${undashed}`]: negated });
}

/** `not` negates the conjunction of its children. */
const branches: Readonly<Record<string, (conditions: readonly string[]) => string>> = {
  and: (conditions) => conditions.join(' and '),
  or: (conditions) => conditions.join(' or '),
  not: (conditions) => `not(${conditions.join(' and ')})`,
};

export const FILTER_OPERATORS: readonly string[] = Object.keys({ ...branches, ...leaves });

export interface Condition {
  readonly text: string;
  readonly isComputed: boolean;
}

/** Translates a filter to APL. Returns undefined for an empty filter. Throws an ApiError for an invalid member. */
export function conditionOf(
  filter: StructuredFilter,
  fields: Fields,
  where = 'filter',
): Condition | undefined {
  const op = (filter.op ?? '').toLowerCase();
  if (op === '') return undefined;
  if (Object.hasOwn(branches, op)) {
    const conditions = (filter.children ?? []).flatMap((child, i) => {
      const path = `${where}.children[${i}]`;
      const read = checked(StructuredFilter, child as StructuredFilter, path);
      return conditionOf(read, fields, path) ?? [];
    });
    if (conditions.length === 0) return undefined;
    return {
      text: branches[op]!(conditions.map(({ text }) => `(${text})`)),
      isComputed: conditions.some(({ isComputed }) => isComputed),
    };
  }
  if (!Object.hasOwn(leaves, op)) {
    const known = FILTER_OPERATORS.join(', ');
    throw badMember(`${where}.op`, `be one of ${known}, got ${JSON.stringify(filter.op)}`);
  }
  return leafCondition(leaves[op]!, filter, fields, where);
}

function leafCondition(
  { value: kind, condition }: LeafOperator,
  { field: name = '', value: given, caseSensitive }: StructuredFilter,
  fields: Fields,
  where: string,
): Condition {
  const { text: field, type } = fields.of(name, `${where}.field`);
  const isText = typeof given === 'string';
  if (kind === 'text' && !isText) throw badMember(`${where}.value`, 'be text');
  const isNull = kind !== 'none' && (given === undefined || given === null);
  if (isNull) throw badMember(`${where}.value`, 'be text, a number, true or false');
  const value = kind === 'none' ? '' : literalOf(given, type, `${where}.value`);
  const isList = type === 'array';
  return {
    text: condition({ field, value, isText, isList, caseSensitive }),
    isComputed: fields.computed.has(name),
  };
}
