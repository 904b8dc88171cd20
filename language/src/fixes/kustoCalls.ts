/** Rewrites calls of functions that APL lacks as equivalent APL expressions. */
import type { QueryAnalysis } from '../analysis.ts';
import type { BoundQuery } from '../binding/bound.ts';
import { exact, type Fix, replace } from '../edits.ts';
import { isPlainName } from '../names.ts';
import type { Problem } from '../problems.ts';
import type { Assignment, Call, Expression } from '../syntax/tree.ts';
import { type AnyNode, pathAt } from '../syntax/visit.ts';
import { dateFormat } from './dateFormat.ts';

/** Names separated by spaces, their number of arguments, and the equivalent. `$1` is the first argument. */
type Row = readonly [names: string, count: number, equivalent: string];

const rows: readonly Row[] = [
  ['bin_at', 3, 'bin($1 - $3, $2) + $3'],
  ['materialize', 1, '$1'],
  ['median p50', 1, 'percentile($1, 50)'],
  ['minute', 1, "datetime_part('minute', $1)"],
  ['mod', 2, '$1 % $2'],
  ['p75', 1, 'percentile($1, 75)'],
  ['p90', 1, 'percentile($1, 90)'],
  ['p95', 1, 'percentile($1, 95)'],
  ['p99', 1, 'percentile($1, 99)'],
  ['pack_all', 0, 'pack(*)'],
  ['regexp_like', 2, '$1 matches regex $2'],
  ['second', 1, "datetime_part('second', $1)"],
];

const equivalents = new Map(
  rows.flatMap((row) => row[0].split(' ').map((name) => [name, row] as const)),
);

/** A call that isn't supported, with the nodes around it from the outside inward. */
interface Place {
  readonly call: Call;
  readonly around: readonly AnyNode[];
  readonly text: string;
  readonly bound: BoundQuery;
}

/** Returns the fix for a call of an unsupported function at the problem, if it has an equivalent. */
export function callInstead({ tree, bound }: QueryAnalysis, problem: Problem): Fix[] {
  const path = pathAt(tree, problem.start);
  const at = path.findLastIndex(({ kind }) => kind === 'Call');
  const call = path[at] as Call | undefined;
  if (call?.name.start !== problem.start || !call.closed) return [];
  const place = { call, around: path.slice(0, at), text: tree.text, bound };
  const instead = special[call.name.name]?.(place) ?? fromTable(place);
  if (instead === undefined) return [];
  const [node, text] = instead;
  const fix = { title: 'Replace with the APL form', edits: [replace(node, text)] };
  return inexact.has(call.name.name) ? [fix] : exact([fix]);
}

/**
 * Functions whose APL form can return other values: the median of an even number of values, the remainder of a negative
 * number, a match that ignores case in some databases, the text of a null time, and another value of the group.
 */
const inexact: ReadonlySet<string> = new Set([
  'any',
  'anyif',
  'format_datetime',
  'median',
  'mod',
  'regexp_like',
  'take_any',
  'take_anyif',
]);

/** A node to replace and its new text. */
type Replacement = readonly [node: AnyNode, text: string];

const special: Readonly<Record<string, (place: Place) => Replacement | undefined>> = {
  percentiles: separatePercentiles,
  format_datetime: ({ call, text, bound }) => {
    const [time, format] = call.arguments;
    if (call.arguments.length !== 2 || time === undefined || format?.kind !== 'Literal') return;
    if (typeof format.value !== 'string') return undefined;
    const type = columnType(time, bound);
    if (type !== undefined && type !== 'datetime') return undefined;
    const formatted = dateFormat(sourceOf(time, text), format.value);
    return formatted === undefined ? undefined : [call, formatted];
  },
  any: (place) => anyValues(place, 'any_'),
  anyif: conditionalMaximum,
  take_any: (place) => anyValues(place, ''),
  take_anyif: conditionalMaximum,
};

function fromTable({ call, around, text }: Place): Replacement | undefined {
  const row = equivalents.get(call.name.name);
  if (row === undefined || row[1] !== call.arguments.length) return undefined;
  if (call.arguments.some(({ kind }) => kind === 'Missing' || kind === 'Star')) return undefined;
  const [, , equivalent] = row;
  const isOperator = equivalent.startsWith('$1 ') || equivalent.includes(') + ');
  const written = equivalent.replace(/\$(\d)/g, (_, number: string) => {
    const argument = call.arguments[Number(number) - 1] as Expression;
    const source = sourceOf(argument, text);
    // Arguments next to an operator need parentheses if they contain one themselves.
    return isOperator && isCompound(argument) ? `(${source})` : source;
  });
  const parent = around.at(-1);
  const nested = parent !== undefined && operatorKinds.has(parent.kind);
  const name = groupName(call, around);
  const prefix = name === undefined ? '' : `${sourceOf(name, text)} = `;
  return [call, isOperator && nested ? `(${written})` : `${prefix}${written}`];
}

/** Returns the name that Kusto gives to the group `bin_at(created, 1d, start)` of `summarize`: `created`. */
function groupName({ name, arguments: [value] }: Call, around: readonly AnyNode[]) {
  const [operator, item] = around.slice(-2);
  if (name.name !== 'bin_at' || operator?.kind !== 'SummarizeOperator') return undefined;
  const isNamed = item?.kind !== 'Assignment' || (item.names ?? item.name) !== undefined;
  return isNamed || value?.kind !== 'NameReference' ? undefined : value;
}

const operatorKinds: ReadonlySet<string> = new Set([
  'Between',
  'Binary',
  'InExpression',
  'Index',
  'Member',
  'Slice',
  'Unary',
]);

const isCompound = ({ kind }: Expression) =>
  kind === 'Binary' || kind === 'InExpression' || kind === 'Between' || kind === 'Unary';

const sourceOf = ({ start, end }: { readonly start: number; readonly end: number }, text: string) =>
  text.slice(start, end);

/** Returns one `percentile()` for each value of `percentiles(x, 50, 95)`, with the names that Kusto gives its columns. */
function separatePercentiles({ call, around, text }: Place): Replacement | undefined {
  const item = around.at(-1);
  const [value, ...levels] = call.arguments;
  if (item?.kind !== 'Assignment' || value === undefined || levels.length === 0) return undefined;
  const source = sourceOf(value, text);
  const column = isCompound(value) ? '' : source;
  return separateItems(item, text, levels, (level) => {
    const number = sourceOf(level, text);
    const name = `percentile_${column}_${number.replace('.', '_')}`;
    return [isPlainName(name) ? name : undefined, `percentile(${source}, ${number})`];
  });
}

/**
 * Returns `max(a)` for `take_any(a)` in `summarize`, since any value of the group is right, and `arg_max(a, b)` for
 * `take_any(a, b)`, whose values are those of one event. `prefix` is part of the names in Kusto.
 */
function anyValues({ call, around, text, bound }: Place, prefix: string): Replacement | undefined {
  const item = around.at(-1);
  const [first, ...others] = call.arguments;
  if (item?.kind !== 'Assignment' || first === undefined || !hasMaximum(first, bound)) return;
  if (others.some((value) => columnType(value, bound) === undefined)) return undefined;
  const given = item.names ?? (item.name === undefined ? [] : [item.name]);
  if (given.length > call.arguments.length) return undefined;
  const columns = call.arguments.map((value) => sourceOf(value, text));
  const names = columns.map((column, index) => {
    const own = given[index];
    if (own !== undefined) return sourceOf(own, text);
    return prefix === '' || isPlainName(column) ? `${prefix}${column}` : undefined;
  });
  if (others.length === 0) {
    const maximum = `max(${columns[0]})`;
    return [item, names[0] === undefined ? maximum : `${names[0]} = ${maximum}`];
  }
  if (names.includes(undefined)) return undefined;
  const values = `arg_max(${columns.join(', ')})`;
  const hasOwnNames = names.every((name, index) => name === columns[index]);
  return [item, hasOwnNames ? values : `(${names.join(', ')}) = ${values}`];
}

function conditionalMaximum({ call, text, bound }: Place): Replacement | undefined {
  const [value, condition] = call.arguments;
  if (call.arguments.length !== 2 || value === undefined || condition === undefined)
    return undefined;
  if (!hasMaximum(value, bound)) return undefined;
  return [call, `maxif(${sourceOf(value, text)}, ${sourceOf(condition, text)})`];
}

/** Returns whether an expression is a column of a type that `max()` supports. Arrays and maps have no maximum. */
function hasMaximum(value: Expression, bound: BoundQuery): boolean {
  return orderedTypes.has(columnType(value, bound) ?? '');
}

/** Returns the type of an expression that is a column. */
function columnType({ kind, start }: Expression, { references }: BoundQuery): string | undefined {
  if (kind !== 'NameReference') return undefined;
  const meaning = references.find((one) => one.start === start)?.meaning;
  return meaning?.kind === 'column' ? meaning.column.type : undefined;
}

const orderedTypes: ReadonlySet<string> = new Set([
  'datetime',
  'long',
  'real',
  'string',
  'timespan',
]);

/**
 * Replaces an item that makes a column for each of `values` with one item for each. `itemOf` returns the name in Kusto,
 * if certain, and the expression. Explicit names come first.
 */
function separateItems(
  item: Assignment,
  text: string,
  values: readonly Expression[],
  itemOf: (value: Expression) => readonly [name: string | undefined, expression: string],
): Replacement | undefined {
  const given = item.names ?? (item.name === undefined ? [] : [item.name]);
  if (given.length > values.length) return undefined;
  const items = values.map((value, index) => {
    const [derived, expression] = itemOf(value);
    const own = given[index];
    const name = own === undefined ? derived : sourceOf(own, text);
    return name === undefined ? expression : `${name} = ${expression}`;
  });
  return [item, items.join(', ')];
}
