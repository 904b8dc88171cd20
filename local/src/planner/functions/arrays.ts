/** Functions over arrays and maps. */
import { PlanError } from '../errors.ts';
import { pointerTo } from '../expressions.ts';
import { jsonNumber, needsAllDigits, numberForJson } from '../integers.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { columnValue } from '../table.ts';
import {
  arrayValue,
  as,
  isNull,
  isNumeric,
  knownOf,
  mapValue,
  nullOf,
  scalarOf,
  toDynamic,
  toText,
  type Value,
  value,
} from '../values.ts';
import {
  at,
  type Call,
  constantText,
  custom,
  type FunctionPlan,
  limitSize,
  optionalAt,
  positionAt,
  simple,
  values,
} from './define.ts';

/** Returns the JSON pointer of a key, which is a constant or a value of the row. */
function pointer(of: Value): Sql {
  const known = scalarOf(of);
  return typeof known === 'string' ? pointerTo(known) : sql`apl.pointer(${as(of, 'string')})`;
}

/** Validates a path such as `$[*].value`, because DuckDB fails the query for an invalid path. */
function jsonPath(call: Call): string {
  const path = constantText(call, 1, 'path');
  const step = /\.\*|\.[\p{L}\p{N}_-]+|\.?\["([^"\\]*)"\]|\.?\['([^'\\]*)'\]|\[\*\]|\[\d{1,9}\]/uy;
  let written = '$';
  step.lastIndex = path.startsWith('$') ? 1 : path.length + 1;
  while (step.lastIndex < path.length) {
    const from = step.lastIndex;
    const found = step.exec(path);
    if (found === null) break;
    const key = found[1] ?? found[2];
    const plain = path.slice(from, step.lastIndex);
    if (key !== undefined) written += `."${key}"`;
    else if (plain.startsWith('.') && plain !== '.*') written += `."${plain.slice(1)}"`;
    else written += plain;
    if (step.lastIndex === path.length) return written;
  }
  if (path === '$') return path;
  throw new PlanError(
    'invalid-argument',
    call.args[1] ?? call.node,
    `Invalid path ${path}. Use a path such as $.name, $[0] or $[*].name.`,
  );
}

/** Plans sorting of one array. Kusto also sorts further arrays in the same order and returns a column for each. */
function sorting(macro: string): FunctionPlan {
  return custom((call) => {
    const last = optionalAt(call, 1);
    if (last !== undefined && last.type !== 'bool' && !isNull(last)) {
      const message = `${call.node.name} accepts one array and, after it, whether nulls come last.`;
      throw new PlanError('invalid-argument', call.args[1] ?? call.node, message);
    }
    const nullsLast = last === undefined ? sql`true` : as(last, 'bool');
    return arrayValue(print.call(macro, as(at(call, 0), 'dynamic'), nullsLast));
  });
}

/** Returns the key of `bag_has_key`: a key of the bag, or a path such as `$.a.b`. */
function keyIn(call: Call): Sql {
  const key = at(call, 1);
  const known = knownOf(key);
  const isPath = typeof known === 'string' && /^\$[.[][^*]*$/.test(known);
  return isPath ? print.text(jsonPath(call)) : pointer(key);
}

function arrayExtract(call: Call): Value {
  const array = as(at(call, 0), 'dynamic');
  const path = jsonPath(call);
  if (!path.includes('*'))
    return value(sql`apl.present(json_extract(${array}, ${print.text(path)}))`, 'dynamic');
  return arrayValue(sql`to_json(json_extract(${array}, ${print.text(path)}))`);
}

function indexOf(call: Call): Value {
  const array = as(at(call, 0), 'dynamic');
  const found = at(call, 1);
  const [start, length, occurrence] = [
    positionAt(call, 2, 0n),
    positionAt(call, 3, -1n),
    positionAt(call, 4, 1n),
  ];
  const number = found.type === 'long' || found.type === 'real';
  const items = number
    ? sql`list_transform(apl.items(${array}), lambda _item: ${jsonNumber(sql`_item`, found)})`
    : sql`apl.items(${array})`;
  const wanted = number ? numberForJson(found) : toDynamic(found).sql;
  return value(sql`apl.index_of(${items}, ${wanted}, ${start}, ${length}, ${occurrence})`, 'long');
}

function rotate(sign: Sql): FunctionPlan {
  return custom((call) => {
    const [array, count] = [as(at(call, 0), 'dynamic'), positionAt(call, 1, 0n)];
    return arrayValue(sql`apl.array_rotate(${array}, ${sign}(${count}))`);
  });
}

/** Plans an array shift. Vacated positions become null, as in the documentation's examples, or the third argument. */
function shift(sign: Sql): FunctionPlan {
  return custom((call) => {
    const array = as(at(call, 0), 'dynamic');
    const fill = optionalAt(call, 2);
    const filling = fill === undefined ? nullOf('dynamic').sql : toDynamic(fill).sql;
    return arrayValue(
      sql`apl.array_shift(${array}, ${sign}(${positionAt(call, 1, 1n)}), ${filling})`,
    );
  });
}

function arraySplit(call: Call): Value {
  const array = as(at(call, 0), 'dynamic');
  const ends = at(call, 1);
  const positions =
    ends.type === 'dynamic'
      ? sql`apl.array_places(${ends.sql})`
      : sql`[${positionAt(call, 1, 0n)}]`;
  return arrayValue(sql`apl.array_split(${array}, ${positions})`);
}

/** Returns all columns for `pack(*)` and `pack_array(*)`; undefined for other arguments. */
function allColumns(call: Call): readonly (readonly [string, Value])[] | undefined {
  if (call.args[0]?.kind !== 'star') return undefined;
  return call.scope.table.columns.map((column) => [column.name, columnValue(column)]);
}

function bagPack(call: Call): Value {
  const columns = allColumns(call);
  if (columns !== undefined) {
    return bag(columns.map(([name, of]) => [print.text(name), of]));
  }
  const all = values(call);
  const pairs: (readonly [Value, Value])[] = [];
  for (let i = 0; i + 1 < all.length; i += 2) pairs.push([all[i] as Value, all[i + 1] as Value]);
  const known = pairs.map(([key]) => scalarOf(key));
  if (known.every((key) => typeof key === 'string') && new Set(known).size === known.length) {
    const packed = bag(pairs.map(([key, of]) => [toText(key), of]));
    return { ...packed, sql: limitSize(call, packed.sql) };
  }
  const entries = pairs.map(([key, of]) => sql`{key: ${toText(key)}, value: ${toDynamic(of).sql}}`);
  return mapValue(limitSize(call, sql`apl.pairs_bag([${print.join(entries)}])`));
}

/** Returns a map of keys that are known to be distinct. */
function bag(pairs: readonly (readonly [Sql, Value])[]): Value {
  const parts = pairs.flatMap(([key, of]) => [key, toDynamic(of).sql]);
  return mapValue(print.call('json_object', ...parts));
}

function packArray(call: Call): Value {
  const all = allColumns(call)?.map(([, of]) => of) ?? values(call);
  return arrayValue(
    limitSize(call, print.call('json_array', ...all.map((of) => toDynamic(of).sql))),
  );
}

const separator = { 1: sql`':'`, 2: sql`':'`, 3: sql`':'` };

export const arrayFunctions = {
  array_concat: custom((call) => {
    const lists = values(call).map(
      (of) => sql`coalesce(apl.items(${as(of, 'dynamic')}), CAST([] AS JSON[]))`,
    );
    return arrayValue(limitSize(call, sql`to_json(flatten([${print.join(lists)}]))`));
  }),
  array_extract: custom(arrayExtract),
  array_iff: simple(['dynamic', 'dynamic', 'dynamic'], 'array', 'apl.array_iff'),
  array_index_of: custom(indexOf),
  array_length: simple(['dynamic'], 'long', 'apl.array_length'),
  array_reverse: simple(['dynamic'], 'array', 'apl.array_reverse'),
  array_rotate_left: rotate(sql``),
  array_rotate_right: rotate(sql`-`),
  array_select_dict: custom((call) => {
    const [array, key, of] = [as(at(call, 0), 'dynamic'), pointer(at(call, 1)), at(call, 2)];
    if (isNumeric(of.type)) {
      const macro = needsAllDigits(of) ? 'apl.array_select_whole' : 'apl.array_select_number';
      return mapValue(print.call(macro, array, key, numberForJson(of)));
    }
    return mapValue(sql`apl.array_select(${array}, ${key}, ${toDynamic(of).sql})`);
  }),
  array_shift_left: shift(sql``),
  array_shift_right: shift(sql`-`),
  array_slice: custom((call) => {
    const [from, to] = [positionAt(call, 1, 0n), positionAt(call, 2, 2n ** 31n - 1n)];
    return arrayValue(sql`apl.array_slice(${as(at(call, 0), 'dynamic')}, ${from}, ${to})`);
  }),
  array_sort_asc: sorting('apl.array_sort_asc'),
  array_sort_desc: sorting('apl.array_sort_desc'),
  array_split: custom(arraySplit),
  array_sum: simple(
    ['dynamic'],
    'real',
    (j) =>
      sql`list_sum(list_transform(apl.items(${j}), lambda _item: coalesce(apl.json_real(_item), CAST(apl.json_timespan(_item) AS DOUBLE))))`,
  ),
  bag_has_key: custom((call) =>
    value(sql`apl.bag_has_key(${as(at(call, 0), 'dynamic')}, ${keyIn(call)})`, 'bool'),
  ),
  bag_keys: simple(['dynamic'], 'array', 'apl.bag_keys'),
  bag_pack: custom(bagPack),
  bag_zip: simple(['dynamic', 'dynamic'], 'map', 'apl.bag_zip'),
  find_pair: simple(['dynamic', 'string', 'string', 'string'], 'map', 'apl.find_pair', separator),
  isarray: custom((call) => kindTest(at(call, 0), sql`'ARRAY'`)),
  ismap: custom((call) => kindTest(at(call, 0), sql`'OBJECT'`)),
  len: custom((call) => {
    const of = at(call, 0);
    if (of.type === 'dynamic') return value(sql`apl.length_of(${toDynamic(of).sql})`, 'long');
    return value(sql`length(${as(of, 'string')})`, 'long');
  }),
  pack: custom(bagPack),
  pack_array: custom(packArray),
  pack_dictionary: custom(bagPack),
  pair: simple(
    ['string', 'string', 'string'],
    'map',
    (key, of, by) => sql`json_object('key', ${key}, 'value', ${of}, 'separator', ${by})`,
    separator,
  ),
  parse_pair: simple(['string', 'string'], 'map', 'apl.parse_pair', separator),
  strcat_array: simple(['dynamic', 'string'], 'string', 'apl.strcat_array', { 1: sql`''` }),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

function kindTest(of: Value, kind: Sql): Value {
  if (of.type !== 'dynamic') return value(sql`false`, 'bool');
  return value(sql`coalesce(json_type(${toDynamic(of).sql}) = ${kind}, false)`, 'bool');
}
