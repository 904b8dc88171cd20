/** Plans the functions for arrays and property bags. */
import { argumentError } from '../errors.ts';
import { pointerOf } from '../expressions.ts';
import { jsonNumber, needsAllDigits, numberForJson } from '../integers.ts';
import { inCalls } from '../macros/computed.ts';
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
  type FunctionPlan,
  kindTest,
  limitSize,
  optionalAt,
  positionAt,
  simple,
  values,
} from './define.ts';

/** Returns the path argument with quoted keys. Rejects a path on which DuckDB would fail. */
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
  throw argumentError(
    call,
    1,
    `Invalid path ${path}. Use a path such as $.name, $[0] or $[*].name.`,
  );
}

/** Plans the sorting of an array. Unlike in Kusto, the call can't sort several arrays. */
function sorting(macro: string): FunctionPlan {
  return (call) => {
    const last = optionalAt(call, 1);
    if (last !== undefined && last.type !== 'bool' && !isNull(last)) {
      const message = `${call.node.name} accepts one array and, after it, whether nulls come last.`;
      throw argumentError(call, 1, message);
    }
    const nullsLast = last === undefined ? sql`true` : as(last, 'bool');
    return arrayValue(print.call(macro, as(at(call, 0), 'dynamic'), nullsLast));
  };
}

/** Returns the key argument of `bag_has_key` as a JSON path if it looks like `$.a.b`, or else as a JSON pointer. */
function keyIn(call: Call): Sql {
  const key = at(call, 1);
  const known = knownOf(key);
  const isPath = typeof known === 'string' && /^\$[.[][^*]*$/.test(known);
  return isPath ? print.text(jsonPath(call)) : pointerOf(key);
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
  return (call) => {
    const [array, count] = [as(at(call, 0), 'dynamic'), positionAt(call, 1, 0n)];
    return arrayValue(sql`apl.array_rotate(${array}, ${sign}(${count}))`);
  };
}

/** Plans an array shift. Vacated positions get the third argument or, as in the documentation's examples, null. */
function shift(sign: Sql): FunctionPlan {
  return (call) => {
    const array = as(at(call, 0), 'dynamic');
    const fill = optionalAt(call, 2);
    const filling = fill === undefined ? nullOf('dynamic').sql : toDynamic(fill).sql;
    return arrayValue(
      sql`apl.array_shift(${array}, ${sign}(${positionAt(call, 1, 1n)}), ${filling})`,
    );
  };
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

/** Plans a map of the pairs. The caller guarantees that the keys are distinct. */
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
  array_concat: (call) => {
    const lists = values(call).map(
      (of) => sql`coalesce(apl.items(${as(of, 'dynamic')}), CAST([] AS JSON[]))`,
    );
    return arrayValue(limitSize(call, sql`to_json(flatten([${print.join(lists)}]))`));
  },
  array_extract: arrayExtract,
  array_iff: simple(['dynamic', 'dynamic', 'dynamic'], 'array', 'apl.array_iff'),
  array_index_of: indexOf,
  array_length: simple(['dynamic'], 'long', 'apl.array_length'),
  array_reverse: simple(['dynamic'], 'array', 'apl.array_reverse'),
  array_rotate_left: rotate(sql``),
  array_rotate_right: rotate(sql`-`),
  array_select_dict: (call) => {
    const [array, key, of] = [as(at(call, 0), 'dynamic'), pointerOf(at(call, 1)), at(call, 2)];
    if (isNumeric(of.type)) {
      const macro = needsAllDigits(of) ? 'apl.array_select_whole' : 'apl.array_select_number';
      return mapValue(print.call(macro, array, key, numberForJson(of)));
    }
    return mapValue(sql`apl.array_select(${array}, ${key}, ${toDynamic(of).sql})`);
  },
  array_shift_left: shift(sql``),
  array_shift_right: shift(sql`-`),
  array_slice: (call) => {
    const [from, to] = [positionAt(call, 1, 0n), positionAt(call, 2, 2n ** 31n - 1n)];
    return arrayValue(sql`apl.array_slice(${as(at(call, 0), 'dynamic')}, ${from}, ${to})`);
  },
  array_sort_asc: sorting('apl.array_sort_asc'),
  array_sort_desc: sorting('apl.array_sort_desc'),
  array_split: arraySplit,
  array_sum: simple(
    ['dynamic'],
    'real',
    (j) =>
      sql`list_sum(list_transform(apl.items(${j}), lambda _item: coalesce(apl.json_real(_item), CAST(apl.json_timespan(_item) AS DOUBLE))))`,
  ),
  bag_has_key: (call) =>
    value(sql`apl.bag_has_key(${as(at(call, 0), 'dynamic')}, ${keyIn(call)})`, 'bool'),
  bag_keys: simple(['dynamic'], 'array', 'apl.bag_keys'),
  bag_pack: bagPack,
  bag_zip: simple(['dynamic', 'dynamic'], 'map', 'apl.bag_zip'),
  find_pair: simple(['dynamic', 'string', 'string', 'string'], 'map', 'apl.find_pair', separator),
  isarray: (call) => kindTest(at(call, 0), sql`'ARRAY'`),
  len: (call) => {
    const of = at(call, 0);
    if (of.type === 'dynamic') return value(sql`apl.length_of(${toDynamic(of).sql})`, 'long');
    return value(sql`length(${as(of, 'string')})`, 'long');
  },
  pack: bagPack,
  pack_array: packArray,
  pack_dictionary: bagPack,
  pair: simple(
    ['string', 'string', 'string'],
    'map',
    (key, of, by) => sql`json_object('key', ${key}, 'value', ${of}, 'separator', ${by})`,
    separator,
  ),
  parse_pair: simple(['string', 'string'], 'map', 'apl.parse_pair', separator),
  strcat_array: simple(['dynamic', 'string'], 'string', 'apl.strcat_array', { 1: sql`''` }),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

const raw = String.raw;

/** The bytes above which JSON is expanded in a separate call, so that a canceled statement can stop between calls. */
const LONG_JSON = 65_536;

/** Returns SQL for the elements of `_j`. `member` is SQL that converts `_member`, an object member `[name, value]`. */
function elementsOf(member: string): string {
  const elements = (json: string) =>
    raw`apl.elements(${json}, list_transform(apl.members(${json}), lambda _member: ${member}))`;
  const inParts = raw`list_transform([_j], lambda _whole: ${inCalls('strlen(_whole)', elements('_whole'))})[1]`;
  return raw`CASE WHEN strlen(_j) > ${LONG_JSON} THEN ${inParts} ELSE ${elements('_j')} END`;
}

/** Macros over JSON. Most return null for JSON of the wrong type. */
export const arrayMacros: Readonly<Record<string, string>> = {
  // ── Access: a missing member and a JSON null are both null ──
  'pointer(_key)': raw`'/' || replace(replace(_key, '~', '~0'), '/', '~1')`,
  'present(_j)': raw`CASE WHEN json_type(_j) <> 'NULL' THEN _j END`,
  'member(_j, _pointer)': raw`apl.present(CASE WHEN json_type(_j) = 'OBJECT' THEN json_extract(_j, _pointer) END)`,
  'element(_j, _i)': raw`apl.present(CASE WHEN json_type(_j) = 'ARRAY' THEN json_extract(_j, _i) END)`,
  'array(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN _j END`,
  // Casts to JSON[], because DuckDB would infer JSON for a constant null.
  'items(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN CAST(json_extract(_j, '$[*]') AS JSON[]) END`,
  'flat(_j)': raw`CASE coalesce(json_type(_j), 'NULL') WHEN 'ARRAY' THEN CAST(json_extract(_j, '$[*]') AS JSON[]) WHEN 'NULL' THEN [] ELSE [_j] END`,
  'texts(_j)': raw`list_transform(apl.flat(_j), lambda _item: json_extract_string(_item, '$'))`,

  // array_to_string accepts only a constant delimiter, so each item gets the delimiter as a prefix.
  'joined(_texts, _delimiter)': raw`list_transform(list_zip([_texts], [_delimiter]), lambda _j: CASE WHEN len(_j[1]) = 0 THEN '' WHEN len(_j[1]) = 1 THEN _j[1][1]
    WHEN list_count(_j[1]) < len(_j[1]) OR _j[2] IS NULL THEN NULL WHEN apl.joined_together(_j[1], _j[2])
    THEN array_to_string(list_slice(flatten(list_transform(_j[1], lambda _text: [_j[2], _text])), 2, 2 * len(_j[1])), '') END)[1]`,
  'joined_together(_texts, _delimiter)': raw`apl.bytes_together(list_sum(list_transform(_texts, lambda _text: strlen(_text))) + len(_texts) * strlen(_delimiter))`,

  // ── Elements for mv-expand ──
  'elements(_j, _of_bag)': raw`CASE coalesce(json_type(_j), 'NULL')
    WHEN 'ARRAY' THEN list_transform(apl.items(_j), lambda _item: apl.present(_item)) WHEN 'OBJECT' THEN _of_bag
    ELSE [apl.present(_j)] END`,
  'elements_as_bags(_j)': elementsOf('json_object(_member[1], _member[2])'),
  'elements_as_pairs(_j)': elementsOf('json_array(_member[1], _member[2])'),
  'members(_j)': raw`list_zip(json_keys(_j), CAST(json_extract(_j, '$.*') AS JSON[]))`,

  // ── Arrays ──
  'length_of(_j)': raw`CASE json_type(_j) WHEN 'ARRAY' THEN CAST(json_array_length(_j) AS BIGINT)
    WHEN 'OBJECT' THEN CAST(len(json_keys(_j)) AS BIGINT) WHEN 'VARCHAR' THEN length(json_extract_string(_j, '$')) END`,
  'array_length(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN CAST(json_array_length(_j) AS BIGINT) END`,
  'concat(_a, _b)': raw`list_concat(_a, coalesce(_b, CAST([] AS JSON[])))`,
  'array_reverse(_j)': raw`to_json(list_reverse(apl.items(_j)))`,
  'rotate(_list, _n)': raw`list_concat(list_slice(_list, _n + 1, len(_list)), list_slice(_list, 1, _n))`,
  'array_rotate(_j, _n)': raw`CASE WHEN json_type(_j) <> 'ARRAY' OR json_array_length(_j) = 0 THEN apl.array(_j)
    WHEN _j IS NOT NULL THEN to_json(apl.rotate(apl.items(_j), apl.floor_mod(_n, CAST(json_array_length(_j) AS BIGINT)))) END`,
  'array_shift(_j, _n, _fill)': raw`list_transform(list_zip([apl.items(_j)], [_n], [_fill]), lambda _s:
    CASE WHEN apl.array_bytes_together(coalesce(strlen(_s[3]), 0) * least(abs(_s[2]), coalesce(len(_s[1]), 0))) THEN to_json(list_transform(_s[1],
    lambda _item, _i: CASE WHEN _i + _s[2] BETWEEN 1 AND len(_s[1]) THEN _s[1][_i + _s[2]] ELSE _s[3] END)) END)[1]`,
  'slice_place(_length, _i)': raw`CASE WHEN _i < 0 THEN greatest(_length + _i, 0) ELSE _i END`,
  'array_slice(_j, _from, _to)': raw`to_json(list_slice(apl.items(_j), apl.slice_place(apl.array_length(_j), _from) + 1, apl.slice_place(apl.array_length(_j), _to)))`,
  // Sort formatted durations by length and formatted times chronologically.
  'sort_length(_s)': raw`CASE WHEN ends_with(_s, 's') AND regexp_full_match(_s, '-?([0-9]+h[0-9]+m[0-9.]+s|[0-9]+m[0-9.]+s|[0-9.]+(s|ms|µs|ns))')
    THEN apl.parse_timespan(_s) END`,
  'sort_text(_s)': raw`CASE WHEN ends_with(_s, 'Z') AND regexp_full_match(_s, '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]+)?Z')
    THEN rtrim(_s, 'Z') ELSE _s END`,
  // Only integers with 16 or more digits or an exponent need an exact sort key, because shorter ones are exact as
  // doubles.
  'sort_whole(_j)': raw`CASE WHEN regexp_matches(_j, '[0-9]{16}|[eE]') THEN apl.json_whole(_j) END`,
  'sort_keys(_j)': raw`list_transform(list_filter(apl.items(_j), lambda _item: json_type(_item) <> 'NULL'),
    lambda _item, _i: {number: CASE WHEN apl.goes_on(_i) THEN apl.json_number(_item) END, whole: apl.sort_whole(_item),
      length: apl.sort_length(json_extract_string(_item, '$')), string: apl.sort_text(json_extract_string(_item, '$')), item: _item})`,
  'nulls_of(_j)': raw`list_filter(apl.items(_j), lambda _item: json_type(_item) = 'NULL')`,
  'with_nulls(_sorted, _nulls, _last)': raw`to_json(CASE WHEN _last THEN list_concat(_sorted, _nulls) ELSE list_concat(_nulls, _sorted) END)`,
  'array_sort_asc(_j, _nulls_last)': raw`apl.with_nulls(list_transform(list_sort(apl.sort_keys(_j)), lambda _key: _key.item), apl.nulls_of(_j), _nulls_last)`,
  'array_sort_desc(_j, _nulls_last)': raw`apl.with_nulls(list_transform(list_reverse_sort(apl.sort_keys(_j)), lambda _key: _key.item), apl.nulls_of(_j), _nulls_last)`,
  // list_slice isn't used, because it copies the entire array for each part.
  'array_split(_j, _ends)': raw`list_transform(list_zip([apl.items(_j)], [_ends]), lambda _s: list_transform([list_sort(list_transform(_s[2], lambda _end: apl.slice_place(len(_s[1]), _end)))],
    lambda _cuts: CASE WHEN _s[1] IS NOT NULL THEN to_json(list_transform(list_zip(list_concat([0::BIGINT], _cuts), list_concat(_cuts, [len(_s[1])])), lambda _cut: list_transform(range(_cut[1] + 1, least(_cut[2], len(_s[1])) + 1), lambda _k: _s[1][_k]))) END)[1])[1]`,
  'array_places(_j)': raw`list_filter(list_transform(apl.flat(_j), lambda _item: apl.place(apl.json_long(_item))), lambda _place: _place IS NOT NULL)`,
  'place_in(_list, _found, _from, _length, _occurrence)': raw`list_filter(range(0, len(_list)),
    lambda _i: _list[_i + 1] = _found AND _i >= _from AND (_length < 0 OR _i < _from + _length))[_occurrence]`,
  'index_of(_list, _found, _start, _length, _occurrence)': raw`list_transform(list_zip([_list], [_found], [_start], [_length], [_occurrence]), lambda _f: CASE WHEN _f[1] IS NOT NULL
    THEN coalesce(apl.place_in(_f[1], _f[2], apl.slice_place(len(_f[1]), _f[3]), _f[4], _f[5]), -1) END)[1]`,
  'strcat_array(_j, _delimiter)': raw`apl.joined(list_transform(apl.items(_j), lambda _item: coalesce(json_extract_string(_item, '$'), '')), _delimiter)`,
  'branch(_items, _alone, _i)': raw`CASE WHEN _items IS NULL THEN _alone ELSE _items[_i] END`,
  // Returns the total size, in bytes, of a scalar branch that is copied for each condition. Returns 0 for an array.
  'alone_bytes(_items, _alone, _count)': raw`CASE WHEN _items IS NULL THEN coalesce(strlen(_alone), 0) * _count ELSE 0 END`,
  'array_iff(_conditions, _then, _else)': raw`list_transform(list_zip([apl.items(_then)], [apl.items(_else)], [_then], [_else], [apl.items(_conditions)]), lambda _b:
    CASE WHEN apl.array_bytes_together(apl.alone_bytes(_b[1], _b[3], len(_b[5])) + apl.alone_bytes(_b[2], _b[4], len(_b[5]))) THEN to_json(list_transform(_b[5], lambda _item, _i:
    CASE WHEN json_type(_item) NOT IN ('BOOLEAN', 'BIGINT', 'UBIGINT', 'DOUBLE') THEN NULL
      WHEN apl.json_bool(_item) THEN apl.branch(_b[1], _b[3], _i) ELSE apl.branch(_b[2], _b[4], _i) END)) END)[1]`,
  // Returns null for an item that is too short to contain the member. Escaping at most doubles the length of a key.
  'select_member(_item, _pointer)': raw`CASE WHEN strlen(_pointer) <= 2 * strlen(_item) THEN json_extract(_item, _pointer) END`,
  // The pointer is wrapped in a list, so that it is computed once rather than for each item.
  'array_select(_j, _pointer, _found)': raw`list_transform(list_zip([apl.items(_j)], [_found], [_pointer]), lambda _f: list_filter(_f[1], lambda _item: apl.select_member(_item, _f[3]) = _f[2])[1])[1]`,
  'array_select_number(_j, _pointer, _found)': raw`list_transform(list_zip([apl.items(_j)], [_found], [_pointer]), lambda _f: list_filter(_f[1], lambda _item: apl.json_number(apl.select_member(_item, _f[3])) = _f[2])[1])[1]`,
  'array_select_whole(_j, _pointer, _found)': raw`list_transform(list_zip([apl.items(_j)], [_found], [_pointer]), lambda _f: list_filter(_f[1], lambda _item: apl.json_whole(apl.select_member(_item, _f[3])) = _f[2])[1])[1]`,
  'codepoints(_s)': raw`CASE WHEN _s = '' THEN '[]'::JSON ELSE to_json(list_transform(string_split(_s, ''), lambda _c, _i: CASE WHEN apl.goes_on(_i) THEN unicode(_c) END)) END`,
  'character(_n)': raw`CASE WHEN _n BETWEEN 1 AND 55295 OR _n BETWEEN 57344 AND 1114111 THEN chr(CAST(greatest(least(_n, 1114111), 1) AS INTEGER)) ELSE chr(65533) END`,
  'from_codepoints(_j)': raw`array_to_string(list_transform(apl.items(_j), lambda _item: apl.character(apl.json_long(_item))), '')`,

  // ── Sets: sorting makes equal items adjacent, so that only the first one is kept ──
  'graded(_list)': raw`list_sort(list_transform(_list, lambda _item, _i: {item: _item, place: CASE WHEN apl.goes_on(_i) THEN _i END}))`,
  'first_places(_graded)': raw`list_sort(list_transform(list_filter(_graded, lambda _entry, _i: _i = 1 OR _entry.item IS DISTINCT FROM _graded[_i - 1].item), lambda _entry: _entry.place))`,
  'last_places(_graded)': raw`list_sort(list_transform(list_filter(_graded, lambda _entry, _i: _i = len(_graded) OR _entry.item IS DISTINCT FROM _graded[_i + 1].item), lambda _entry: _entry.place))`,
  'distinct_items(_list)': raw`list_transform([_list], lambda _of: list_transform(list_transform([apl.graded(_of)], lambda _graded: apl.first_places(_graded))[1], lambda _place: _of[_place]))[1]`,
  'distinct_sorted(_list)': raw`list_sort(list_distinct(_list))`,
  // Writes 1.0 as 1, so that a set treats both as the same item.
  'set_items(_j)': raw`list_transform(apl.items(_j), lambda _item, _i: CASE WHEN NOT apl.goes_on(_i) THEN NULL WHEN json_type(_item) = 'DOUBLE' THEN apl.real_json(CAST(_item AS DOUBLE)) ELSE _item END)`,
  'set_union(_a, _b)': raw`to_json(apl.distinct_items(list_concat(apl.set_items(_a), apl.set_items(_b))))`,
  // Sorts the items of both sets together. Of two equal items, the second set's item is first (its `place` is 0).
  // So an item of the first set that follows an equal item is in both sets.
  'both_graded(_a, _b)': raw`list_sort(list_concat(list_transform(_b, lambda _item: {item: _item, place: 0}), list_transform(_a, lambda _item, _i: {item: _item, place: _i})))`,
  'places_in_both(_graded, _wanted)': raw`list_sort(list_transform(list_filter(_graded, lambda _entry, _i: _entry.place > 0
    AND (_i > 1 AND _entry.item IS NOT DISTINCT FROM _graded[_i - 1].item) = _wanted), lambda _entry: _entry.place))`,
  'set_compare(_a, _b, _wanted)': raw`list_transform(list_zip([apl.distinct_items(apl.set_items(_a))], [apl.distinct_items(apl.set_items(_b))]), lambda _sets: CASE WHEN _sets[1] IS NOT NULL THEN to_json(list_transform(
    list_transform([apl.both_graded(_sets[1], _sets[2])], lambda _graded: apl.places_in_both(_graded, _wanted))[1], lambda _place: _sets[1][_place])) END)[1]`,
  'set_intersect(_a, _b)': raw`apl.set_compare(_a, _b, true)`,
  'set_difference(_a, _b)': raw`apl.set_compare(_a, _b, false)`,

  // ── Counting aggregates ──
  'topk(_counts, _k)': raw`coalesce(to_json(list_transform(list_slice(list_sort(list_transform(map_entries(_counts),
    lambda _entry, _i: {rank: CASE WHEN apl.goes_on(_i) THEN -CAST(_entry.value AS BIGINT) END, key: _entry.key})), 1, _k), lambda _top: {key: _top.key, count: -_top.rank, error: 0})), '[]'::JSON)`,
  'bin_of(_x, _least, _width, _bins)': raw`CASE WHEN _width = 0 THEN 0 ELSE least(CAST(floor((_x - _least) / _width) AS BIGINT), _bins - 1) END`,
  'bins_of(_counts, _least, _width, _bins)': raw`to_json(list_transform(range(0, _bins), lambda _i: {
    "from": apl.real_json(_least + _i * _width), "to": apl.real_json(_least + (_i + 1) * _width), "count": coalesce(_counts[_i], 0)}))`,
  'counts_in(_list, _least, _width, _bins)': raw`list_aggregate(list_transform(_list, lambda _x: apl.bin_of(_x, _least, _width, _bins)), 'histogram')`,
  'histogram_of(_list, _least, _width, _bins)': raw`CASE WHEN _least IS NULL THEN '[]'::JSON
    ELSE list_transform([apl.counts_in(_list, _least, _width, _bins)], lambda _counts: apl.bins_of(_counts, _least, _width, _bins))[1] END`,
  'histogram(_list, _bins)': raw`list_transform([list_filter(_list, lambda _x: isfinite(_x))], lambda _finite: list_transform(
    list_zip([list_min(_finite)], [(list_max(_finite) - list_min(_finite)) / _bins]), lambda _h: apl.histogram_of(_finite, _h[1], _h[2], _bins))[1])[1]`,

  'spotlight_share(_count, _all)': raw`CASE WHEN _all > 0 THEN _count / _all ELSE 0e0 END`,
  'spotlight_counts(_yes, _no)': raw`list_sort(list_concat(
    list_transform(map_entries(_yes), lambda _entry, _i: {value: _entry.key, yes: CASE WHEN apl.goes_on(_i) THEN CAST(_entry.value AS BIGINT) END, no: 0}),
    list_transform(map_entries(_no), lambda _entry, _i: {value: _entry.key, yes: 0, no: CASE WHEN apl.goes_on(_i) THEN CAST(_entry.value AS BIGINT) END})))`,
  'spotlight_at(_counts, _i)': raw`CASE WHEN _counts[_i + 1].value = _counts[_i].value
    THEN {value: _counts[_i].value, yes: _counts[_i].yes + _counts[_i + 1].yes, no: _counts[_i].no + _counts[_i + 1].no} ELSE _counts[_i] END`,
  // Adds up the two adjacent counts of a value that is in both the selected and the other rows.
  'spotlight_merged(_counts)': raw`list_transform(list_filter(range(1, len(_counts) + 1), lambda _i: _i = 1 OR _counts[_i].value <> _counts[_i - 1].value), lambda _i: apl.spotlight_at(_counts, _i))`,
  'spotlight_of(_field, _yes, _yes_all, _no, _no_all)': raw`CASE WHEN _yes_all > 0 THEN list_transform(
    list_transform([apl.spotlight_counts(_yes, _no)], lambda _counts: apl.spotlight_merged(_counts))[1],
    lambda _value: {field: _field, value: _value.value, selected: apl.spotlight_share(_value.yes, _yes_all), others: apl.spotlight_share(_value.no, _no_all)}) END`,
  // Sorts by descending difference, then by field and value, and keeps at most ten values per field.
  'spotlight_ranked(_shares)': raw`list_slice(list_sort(list_transform(_shares,
    lambda _share: {rank: -abs(_share.selected - _share.others), field: _share.field, value: _share.value, share: _share})), 1, 10)`,
  'spotlight(_fields)': raw`coalesce(to_json(list_transform(list_sort(flatten(list_transform(list_filter(_fields, lambda _shares: _shares IS NOT NULL), lambda _shares: apl.spotlight_ranked(_shares)))),
    lambda _ranked: {field: _ranked.field, value: _ranked.value, selected: _ranked.share.selected, others: _ranked.share.others, difference: _ranked.share.selected - _ranked.share.others})), '[]'::JSON)`,

  // ── Maps from pairs `{key, value}`: the last pair with a key wins ──
  'pairs_bag(_pairs)': raw`list_transform([_pairs], lambda _bag: CAST('{' || array_to_string(list_transform(
    list_transform([apl.graded(list_transform(_bag, lambda _pair: _pair.key))], lambda _graded: apl.last_places(_graded))[1],
    lambda _place: CAST(json_quote(_bag[_place].key) AS VARCHAR) || ':' || coalesce(CAST(_bag[_place].value AS VARCHAR), 'null')), ',') || '}' AS JSON))[1]`,
  'bag_zip(_keys, _values)': raw`list_transform(list_zip([apl.items(_keys)], [apl.items(_values)]), lambda _zip: apl.pairs_bag(list_filter(list_transform(_zip[1],
    lambda _item, _i: {key: apl.json_string(_item), value: _zip[2][_i]}), lambda _pair: _pair.key IS NOT NULL)))[1]`,
  'bag_keys(_j)': raw`CASE WHEN json_type(_j) = 'OBJECT' THEN to_json(json_keys(_j)) END`,
  'bag_has_key(_j, _pointer)': raw`CASE WHEN _j IS NOT NULL THEN json_type(_j) = 'OBJECT' AND json_exists(_j, _pointer) END`,
  'find_pair(_j, _key, _value, _separator)': raw`list_transform([list_filter(apl.texts(apl.array(_j)), lambda _text, _i: apl.goes_on(_i)
    AND apl.like(apl.pair_key(_text, _separator), _key) AND apl.like(apl.pair_value(_text, _separator), _value))[1]], lambda _found: apl.parse_pair(_found, _separator))[1]`,
  'glob(_pattern)': raw`CASE WHEN strlen(_pattern) > 1000 THEN error('A pattern of find_pair has at most 1,000 bytes, not ' || format('{:,}', strlen(_pattern)) || '. Shorten it with an asterisk.')
    ELSE replace(replace(regexp_escape(_pattern), '\*', '.*'), '\?', '.') END`,
  'like(_s, _pattern)': raw`regexp_full_match(_s, apl.glob(_pattern))`,
  'pair_key(_s, _separator)': raw`CASE WHEN strpos(_s, _separator) > 0 THEN substring(_s, 1, strpos(_s, _separator) - 1) ELSE _s END`,
  'pair_value(_s, _separator)': raw`CASE WHEN strpos(_s, _separator) > 0 THEN substring(_s, strpos(_s, _separator) + length(_separator)) ELSE '' END`,
  'parse_pair(_s, _separator)': raw`CASE WHEN _s IS NOT NULL THEN json_object('key', apl.pair_key(_s, _separator), 'value', apl.pair_value(_s, _separator), 'separator', _separator) END`,
};
