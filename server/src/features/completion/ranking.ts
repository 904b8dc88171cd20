/** Ranks completion items. The client sorts by how well an item matches the typed text, then by `sortText`. */
import type { ScalarType } from '../../../../language/src/index.ts';

/** The sort keys of item groups. Within a group, likelier items come first, and equally likely items by name. */
export const ranks = {
  /** Items valid only in this context, such as its keywords, likely values or a map's keys. */
  here: '0',
  column: '1',
  otherColumn: '2',
  let: '1',
  table: '1',
  operator: '1',
  aggregate: '0',
  function: '3',
  otherFunction: '4',
  source: '5',
  shape: '6',
  constant: '6',
  statement: '7',
} as const;

const rows = (words: string): ReadonlyMap<string, number> =>
  new Map(words.split(/\s+/).map((word, index) => [word, index]));

/** Operators in order of frequency. */
const operators = rows(
  'where summarize extend project sort take top limit project-away order distinct count project-keep parse join union mv-expand project-rename lookup make-series',
);

const functions = rows(
  'count avg sum max min dcount countif percentile percentiles_array topk rate make_set make_list arg_max histogram bin_auto bin ago now iff case isnotempty isempty isnotnull isnull tostring toint todouble todatetime strcat tolower toupper extract parse_json round startofday datetime_diff split replace_string substring strlen',
);

const ordered = '> >= < <= == != between in';

/** The most frequently used scalar operators for each type of left operand. */
const scalarOperators: Readonly<Record<ScalarType, ReadonlyMap<string, number>>> = {
  bool: rows('and or == !='),
  datetime: rows(ordered),
  dynamic: rows('== != contains has'),
  long: rows(`== != ${ordered}`),
  real: rows(ordered),
  string: rows('== != contains has startswith in endswith =~ has_any !contains !in'),
  timespan: rows(ordered),
  unknown: rows('== != contains has > >= < <= in startswith'),
};

/** Returns a name's sort key by its index in the list. Unlisted names come last, in alphabetical order. */
function placeIn(likely: ReadonlyMap<string, number>, name: string): string {
  const index = likely.get(name);
  return index === undefined ? `~${name}` : String(index).padStart(2, '0');
}

export const operatorOrder = (name: string): string => placeIn(operators, name);
export const functionOrder = (name: string): string => placeIn(functions, name);

/** Returns a sort key: case-insensitive forms come before case-sensitive ones, and both before their negations. */
function formOf(name: string): string {
  return `${(name.startsWith('!') ? 2 : 0) + (name.endsWith('_cs') ? 1 : 0)}${name}`;
}

/** Returns a sort key: `and` and `or` come first after a possible condition, and last after any other value. */
export function scalarOperatorOrder(name: string, type: ScalarType, lone: boolean): string {
  if (name === 'and' || name === 'or') return lone ? `~~${name}` : `!${name}`;
  const likely = scalarOperators[type];
  return likely.has(name) ? placeIn(likely, name) : placeIn(likely, formOf(name));
}
