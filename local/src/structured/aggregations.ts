/** Translates the aggregations of a structured query to APL. `rows` has an entry for each function. */
import type { StructuredAggregation } from '../../../api/src/index.ts';
import { quoteName } from '../../../language/src/index.ts';
import { badMember } from './errors.ts';
import { expressionOf } from './expressions.ts';
import type { Fields } from './fields.ts';

interface Given {
  readonly argument: unknown;
  readonly fields: Fields;
  /** Path in the request, for messages. */
  readonly where: string;
  readonly alias: string;
}

/** Returns an item of `summarize`. `field` is undefined if the function is applied to events. */
type Item = (field: string | undefined, given: Given) => string;

interface Row {
  readonly item: Item;
  readonly ofEvents?: true;
  /** Whether the item names its columns. A helper column for the argument is removed later. */
  readonly hidden?: true;
}

const of =
  (name: string): Item =>
  (field) =>
    `${name}(${field})`;

/** Applies the function only to events that meet the condition in `argument`. */
const conditional =
  (name: string): Item =>
  (field, given) =>
    `${name}(${field}, ${conditionOf(given)})`;

const sized =
  (name: string, otherwise: number): Item =>
  (field, { argument, where }) =>
    `${name}(${field}, ${numberOf(argument, otherwise, where)})`;

const collected =
  (name: string): Item =>
  (field, { argument, where }) =>
    isLeftOut(argument)
      ? `${name}(${field})`
      : `${name}(${field}, ${numberOf(argument, 0, where)})`;

const percentiles: Item = (field, { argument, where }) => {
  const wanted = isLeftOut(argument)
    ? PERCENTILES
    : Array.isArray(argument)
      ? argument
      : [argument];
  const numbers = wanted.map((percent) => numberOf(percent, 0, where));
  return `percentiles_array(${field}, ${numbers.join(', ')})`;
};

const PERCENTILES = [50, 75, 95, 99];

/** Returns the minimum or maximum or, with an argument, the field's value in the event with the extreme argument. */
const extreme =
  (name: 'min' | 'max'): Item =>
  (field, { argument, fields, where, alias }) => {
    if (isLeftOut(argument)) return `${alias} = ${name}(${field})`;
    const by = fields.of(String(argument), `${where}.argument`).text;
    return `arg_${name}(${quoteName(hiddenName(where))} = ${by}, ${alias} = ${field})`;
  };

const rows: Readonly<Record<string, Row>> = {
  count: {
    ofEvents: true,
    item: (field) => (field === undefined ? 'count()' : `countif(isnotnull(${field}))`),
  },
  countif: {
    ofEvents: true,
    item: (field, given) =>
      `countif(${isLeftOut(given.argument) && field !== undefined ? `tobool(${field})` : conditionOf(given)})`,
  },
  distinct: { item: of('dcount') },
  distinctif: { item: conditional('dcountif') },
  sum: { item: of('sum') },
  sumif: { item: conditional('sumif') },
  avg: { item: of('avg') },
  avgif: { item: conditional('avgif') },
  min: { item: of('min') },
  minif: { item: conditional('minif') },
  max: { item: of('max') },
  maxif: { item: conditional('maxif') },
  stdev: { item: of('stdev') },
  stdevif: { item: conditional('stdevif') },
  variance: { item: of('variance') },
  varianceif: { item: conditional('varianceif') },
  rate: { item: of('rate') },
  topk: { item: sized('topk', 10) },
  histogram: { item: sized('histogram', 100) },
  percentiles: { item: percentiles },
  argmin: { item: extreme('min'), hidden: true },
  argmax: { item: extreme('max'), hidden: true },
  makeset: { item: collected('make_set') },
  makesetif: { item: conditional('make_set_if') },
  makelist: { item: collected('make_list') },
  makelistif: { item: conditional('make_list_if') },
};

export const AGGREGATIONS: readonly string[] = Object.keys(rows);

interface AggregationText {
  readonly name: string;
  readonly item: string;
  readonly hidden?: string;
}

/** Translates an aggregation to APL. Throws an ApiError that names the invalid member. */
export function aggregationOf(
  { op, field = '', argument, alias = '' }: StructuredAggregation,
  index: number,
  fields: Fields,
  taken: ReadonlySet<string>,
): AggregationText {
  const where = `aggregations[${index}]`;
  if (!Object.hasOwn(rows, op.toLowerCase())) {
    const known = AGGREGATIONS.join(', ');
    throw badMember(`${where}.op`, `be one of ${known}, got ${JSON.stringify(op)}`);
  }
  const row = rows[op.toLowerCase()]!;
  const ofAll = field === '' || field === '*';
  if (ofAll && row.ofEvents !== true) throw badMember(`${where}.field`, 'name a field');
  const name = free(alias === '' ? op.toUpperCase() : alias, taken);
  const text = ofAll ? undefined : fields.of(field, `${where}.field`).text;
  const item = row.item(text, { argument, fields, where, alias: quoteName(name) });
  if (row.hidden !== true) return { name, item: `${quoteName(name)} = ${item}` };
  return isLeftOut(argument) ? { name, item } : { name, item, hidden: hiddenName(where) };
}

function hiddenName(where: string): string {
  return `${where} key`;
}

/** Returns an unused name. Appends a number if the name is taken, for example by a second sum without an alias. */
function free(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(tried)) return tried;
  }
}

/** Whether the argument is absent. Clients in some languages send an empty string instead of omitting it. */
function isLeftOut(argument: unknown): boolean {
  return argument === undefined || argument === null || argument === '';
}

function conditionOf({ argument, where }: Given): string {
  if (typeof argument !== 'string' || argument.trim() === '') {
    throw badMember(`${where}.argument`, 'be a condition in APL');
  }
  return expressionOf(argument, `${where}.argument`);
}

function numberOf(argument: unknown, otherwise: number, where: string): string {
  if (isLeftOut(argument)) return String(otherwise);
  const number = Number(argument);
  if (!Number.isFinite(number) || typeof argument === 'boolean') {
    throw badMember(`${where}.argument`, 'be a number');
  }
  return String(number);
}
