/** Macros over arrays and maps, which are JSON; a value of another kind gives null. */
const raw = String.raw;

export const arrayMacros: Readonly<Record<string, string>> = {
  // ── Access; a missing member and a JSON null are both null ──
  'pointer(_key)': raw`'/' || replace(replace(_key, '~', '~0'), '/', '~1')`,
  'present(_j)': raw`CASE WHEN json_type(_j) <> 'NULL' THEN _j END`,
  'member(_j, _pointer)': raw`apl.present(CASE WHEN json_type(_j) = 'OBJECT' THEN json_extract(_j, _pointer) END)`,
  'element(_j, _i)': raw`apl.present(CASE WHEN json_type(_j) = 'ARRAY' THEN json_extract(_j, _i) END)`,
  'array(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN _j END`,
  // Of a constant null DuckDB would take the type of an item, hence the cast.
  'items(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN CAST(json_extract(_j, '$[*]') AS JSON[]) END`,
  'flat(_j)': raw`CASE coalesce(json_type(_j), 'NULL') WHEN 'ARRAY' THEN CAST(json_extract(_j, '$[*]') AS JSON[]) WHEN 'NULL' THEN [] ELSE [_j] END`,
  'texts(_j)': raw`list_transform(apl.flat(_j), lambda _item: json_extract_string(_item, '$'))`,

  // array_to_string takes a constant delimiter only.
  'joined(_texts, _delimiter)': raw`CASE WHEN len(_texts) = 0 THEN '' ELSE list_reduce(_texts, lambda _all, _text: _all || _delimiter || _text) END`,

  // ── Elements that mv-expand makes rows of ──
  'elements(_j, _of_bag)': raw`CASE coalesce(json_type(_j), 'NULL')
    WHEN 'ARRAY' THEN list_transform(apl.items(_j), lambda _item: apl.present(_item)) WHEN 'OBJECT' THEN _of_bag
    ELSE [apl.present(_j)] END`,
  'elements_as_bags(_j)': raw`apl.elements(_j, list_transform(json_keys(_j), lambda _key: json_object(_key, json_extract(_j, apl.pointer(_key)))))`,
  'elements_as_pairs(_j)': raw`apl.elements(_j, list_transform(json_keys(_j), lambda _key: json_array(_key, json_extract(_j, apl.pointer(_key)))))`,

  // ── Arrays ──
  'length_of(_j)': raw`CASE json_type(_j) WHEN 'ARRAY' THEN CAST(json_array_length(_j) AS BIGINT)
    WHEN 'OBJECT' THEN CAST(len(json_keys(_j)) AS BIGINT) WHEN 'VARCHAR' THEN length(json_extract_string(_j, '$')) END`,
  'array_length(_j)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN CAST(json_array_length(_j) AS BIGINT) END`,
  'concat(_a, _b)': raw`list_concat(_a, coalesce(_b, CAST([] AS JSON[])))`,
  'array_reverse(_j)': raw`to_json(list_reverse(apl.items(_j)))`,
  'rotate(_list, _n)': raw`list_concat(list_slice(_list, _n + 1, len(_list)), list_slice(_list, 1, _n))`,
  'array_rotate(_j, _n)': raw`CASE WHEN json_type(_j) <> 'ARRAY' OR json_array_length(_j) = 0 THEN apl.array(_j)
    WHEN _j IS NOT NULL THEN to_json(apl.rotate(apl.items(_j), apl.floor_mod(_n, CAST(json_array_length(_j) AS BIGINT)))) END`,
  'array_shift(_j, _n, _fill)': raw`to_json(list_transform(range(1, apl.array_length(_j) + 1),
    lambda _i: CASE WHEN _i + _n BETWEEN 1 AND json_array_length(_j) THEN json_extract(_j, _i + _n - 1) ELSE _fill END))`,
  'slice_place(_length, _i)': raw`CASE WHEN _i < 0 THEN greatest(_length + _i, 0) ELSE _i END`,
  'array_slice(_j, _from, _to)': raw`to_json(list_slice(apl.items(_j), apl.slice_place(apl.array_length(_j), _from) + 1, apl.slice_place(apl.array_length(_j), _to)))`,
  // Durations are sorted by length and times by time; both stand in arrays as the texts that are written for them.
  'sort_length(_s)': raw`CASE WHEN ends_with(_s, 's') AND regexp_full_match(_s, '-?([0-9]+h[0-9]+m[0-9.]+s|[0-9]+m[0-9.]+s|[0-9.]+(s|ms|µs|ns))')
    THEN apl.parse_timespan(_s) END`,
  'sort_text(_s)': raw`CASE WHEN ends_with(_s, 'Z') AND regexp_full_match(_s, '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]+)?Z')
    THEN rtrim(_s, 'Z') ELSE _s END`,
  // Whole numbers that a double does not tell apart have 16 digits or more, or an exponent.
  'sort_whole(_j)': raw`CASE WHEN regexp_matches(_j, '[0-9]{16}|[eE]') THEN apl.json_whole(_j) END`,
  'sort_keys(_j)': raw`list_transform(list_filter(apl.items(_j), lambda _item: json_type(_item) <> 'NULL'),
    lambda _item: {number: apl.json_number(_item), whole: apl.sort_whole(_item),
      length: apl.sort_length(json_extract_string(_item, '$')), string: apl.sort_text(json_extract_string(_item, '$')), item: _item})`,
  'nulls_of(_j)': raw`list_filter(apl.items(_j), lambda _item: json_type(_item) = 'NULL')`,
  'with_nulls(_sorted, _nulls, _last)': raw`to_json(CASE WHEN _last THEN list_concat(_sorted, _nulls) ELSE list_concat(_nulls, _sorted) END)`,
  'array_sort_asc(_j, _nulls_last)': raw`apl.with_nulls(list_transform(list_sort(apl.sort_keys(_j)), lambda _key: _key.item), apl.nulls_of(_j), _nulls_last)`,
  'array_sort_desc(_j, _nulls_last)': raw`apl.with_nulls(list_transform(list_reverse_sort(apl.sort_keys(_j)), lambda _key: _key.item), apl.nulls_of(_j), _nulls_last)`,
  'array_split(_j, _ends)': raw`CASE WHEN json_type(_j) = 'ARRAY' THEN to_json(list_transform(list_zip(list_concat([0::BIGINT], _ends), list_concat(_ends, [apl.array_length(_j)])),
    lambda _cut: list_slice(apl.items(_j), _cut[1] + 1, _cut[2]))) END`,
  'array_places(_j)': raw`list_filter(list_transform(apl.flat(_j), lambda _item: apl.place(apl.json_long(_item))), lambda _place: _place IS NOT NULL)`,
  'index_of(_list, _found, _start, _length, _occurrence)': raw`CASE WHEN _list IS NULL THEN NULL ELSE coalesce(list_filter(range(0, len(_list)),
    lambda _i: _list[_i + 1] = _found AND _i >= apl.slice_place(len(_list), _start)
      AND (_length < 0 OR _i < apl.slice_place(len(_list), _start) + _length))[_occurrence], -1) END`,
  'strcat_array(_j, _delimiter)': raw`apl.joined(list_transform(apl.items(_j), lambda _item: coalesce(json_extract_string(_item, '$'), '')), _delimiter)`,
  'array_iff(_conditions, _then, _else)': raw`to_json(list_transform(apl.items(_conditions), lambda _item, _i:
    CASE WHEN json_type(_item) NOT IN ('BOOLEAN', 'BIGINT', 'UBIGINT', 'DOUBLE') THEN NULL
      WHEN apl.json_bool(_item) THEN CASE WHEN json_type(_then) = 'ARRAY' THEN json_extract(_then, _i - 1) ELSE _then END
      ELSE CASE WHEN json_type(_else) = 'ARRAY' THEN json_extract(_else, _i - 1) ELSE _else END END))`,
  'array_select(_j, _pointer, _found)': raw`list_filter(apl.items(_j), lambda _item: json_extract(_item, _pointer) = _found)[1]`,
  'array_select_number(_j, _pointer, _found)': raw`list_filter(apl.items(_j), lambda _item: apl.json_number(json_extract(_item, _pointer)) = _found)[1]`,
  'array_select_whole(_j, _pointer, _found)': raw`list_filter(apl.items(_j), lambda _item: apl.json_whole(json_extract(_item, _pointer)) = _found)[1]`,
  'codepoints(_s)': raw`to_json(list_transform(list_filter(string_split(_s, ''), lambda _c: _c <> ''), lambda _c: unicode(_c)))`,
  'character(_n)': raw`CASE WHEN _n BETWEEN 1 AND 55295 OR _n BETWEEN 57344 AND 1114111 THEN chr(CAST(greatest(least(_n, 1114111), 1) AS INTEGER)) ELSE chr(65533) END`,
  'from_codepoints(_j)': raw`array_to_string(list_transform(apl.items(_j), lambda _item: apl.character(apl.json_long(_item))), '')`,

  // ── Sets; the first of equal items stays, in its place ──
  'distinct_items(_list)': raw`list_filter(_list, lambda _item, _i: list_position(_list, _item) = _i)`,
  'distinct_sorted(_list)': raw`list_sort(list_distinct(_list))`,
  // Looking each item up takes the square of the time, so a long list is sorted instead.
  'distinct_first(_list)': raw`CASE WHEN len(_list) <= 2000 THEN apl.distinct_items(_list) ELSE apl.distinct_sorted(_list) END`,
  // 1 and 1.0 are one item.
  'set_items(_j)': raw`list_transform(apl.items(_j), lambda _item: CASE WHEN json_type(_item) = 'DOUBLE' THEN apl.real_json(CAST(_item AS DOUBLE)) ELSE _item END)`,
  'set_union(_a, _b)': raw`list_transform([list_concat(apl.set_items(_a), apl.set_items(_b))], lambda _all: to_json(apl.distinct_items(_all)))[1]`,
  'set_intersect(_a, _b)': raw`list_transform([[apl.set_items(_a), apl.set_items(_b)]],
    lambda _sets: to_json(apl.distinct_items(list_filter(_sets[1], lambda _each: list_contains(_sets[2], _each)))))[1]`,
  'set_difference(_a, _b)': raw`list_transform([[apl.set_items(_a), apl.set_items(_b)]],
    lambda _sets: to_json(apl.distinct_items(list_filter(_sets[1], lambda _each: NOT coalesce(list_contains(_sets[2], _each), false)))))[1]`,

  // ── Aggregates that count ──
  'topk(_counts, _k)': raw`coalesce(to_json(list_transform(list_slice(list_sort(list_transform(map_entries(_counts),
    lambda _entry: {rank: -CAST(_entry.value AS BIGINT), key: _entry.key})), 1, _k), lambda _top: {key: _top.key, count: -_top.rank, error: 0})), '[]'::JSON)`,
  'bin_of(_x, _least, _width, _bins)': raw`CASE WHEN _width = 0 THEN 0 ELSE least(CAST(floor((_x - _least) / _width) AS BIGINT), _bins - 1) END`,
  'counts_of(_list, _least, _width, _bins)': raw`list_aggregate(list_transform(list_filter(_list, lambda _x: isfinite(_x)), lambda _x: apl.bin_of(_x, _least, _width, _bins)), 'histogram')`,
  'bins_of(_counts, _least, _width, _bins)': raw`to_json(list_transform(range(0, _bins), lambda _i: {
    "from": apl.real_json(_least + _i * _width), "to": apl.real_json(_least + (_i + 1) * _width), "count": coalesce(_counts[_i], 0)}))`,
  'histogram_between(_list, _least, _most, _bins)': raw`CASE WHEN _least IS NULL THEN '[]'::JSON
    ELSE apl.bins_of(apl.counts_of(_list, _least, (_most - _least) / _bins, _bins), _least, (_most - _least) / _bins, _bins) END`,
  'histogram(_list, _bins)': raw`apl.histogram_between(_list, list_min(list_filter(_list, lambda _x: isfinite(_x))), list_max(list_filter(_list, lambda _x: isfinite(_x))), _bins)`,

  'spotlight_share(_counts, _value, _all)': raw`CASE WHEN _all > 0 THEN coalesce(_counts[_value], 0) / _all ELSE 0e0 END`,
  'spotlight_of(_field, _yes, _yes_all, _no, _no_all)': raw`CASE WHEN _yes_all > 0 THEN list_transform(
    list_distinct(list_concat(coalesce(map_keys(_yes), CAST([] AS VARCHAR[])), coalesce(map_keys(_no), CAST([] AS VARCHAR[])))),
    lambda _value: {field: _field, value: _value, selected: apl.spotlight_share(_yes, _value, _yes_all), others: apl.spotlight_share(_no, _value, _no_all)}) END`,
  // The greatest differences first, then by field and value, at most ten of a field.
  'spotlight_ranked(_shares)': raw`list_slice(list_sort(list_transform(_shares,
    lambda _share: {rank: -abs(_share.selected - _share.others), field: _share.field, value: _share.value, share: _share})), 1, 10)`,
  'spotlight(_fields)': raw`coalesce(to_json(list_transform(list_sort(flatten(list_transform(list_filter(_fields, lambda _shares: _shares IS NOT NULL), lambda _shares: apl.spotlight_ranked(_shares)))),
    lambda _ranked: {field: _ranked.field, value: _ranked.value, selected: _ranked.share.selected, others: _ranked.share.others, difference: _ranked.share.selected - _ranked.share.others})), '[]'::JSON)`,

  // ── Maps, built from pairs `{key, value}`; of equal keys the last counts ──
  'pairs_bag(_pairs)': raw`CAST('{' || array_to_string(list_transform(
    list_filter(_pairs, lambda _pair, _i: NOT list_contains(list_transform(list_slice(_pairs, _i + 1, len(_pairs)), lambda _later: _later.key), _pair.key)),
    lambda _pair: CAST(json_quote(_pair.key) AS VARCHAR) || ':' || coalesce(CAST(_pair.value AS VARCHAR), 'null')), ',') || '}' AS JSON)`,
  'bag_zip(_keys, _values)': raw`apl.pairs_bag(list_filter(list_transform(apl.items(_keys),
    lambda _item, _i: {key: apl.json_string(_item), value: json_extract(_values, _i - 1)}), lambda _pair: _pair.key IS NOT NULL))`,
  'bag_keys(_j)': raw`CASE WHEN json_type(_j) = 'OBJECT' THEN to_json(json_keys(_j)) END`,
  'bag_has_key(_j, _pointer)': raw`CASE WHEN _j IS NOT NULL THEN json_type(_j) = 'OBJECT' AND json_exists(_j, _pointer) END`,
  'find_pair(_j, _key, _value, _separator)': raw`list_filter(list_transform(apl.items(_j), lambda _item: apl.parse_pair(json_extract_string(_item, '$'), _separator)),
    lambda _pair: apl.like(json_extract_string(_pair, '/key'), _key) AND apl.like(json_extract_string(_pair, '/value'), _value))[1]`,
  'like(_s, _pattern)': raw`regexp_full_match(_s, replace(replace(regexp_escape(_pattern), '\*', '.*'), '\?', '.'))`,
  'parse_pair(_s, _separator)': raw`CASE WHEN strpos(_s, _separator) > 0 THEN json_object('key', substring(_s, 1, strpos(_s, _separator) - 1),
    'value', substring(_s, strpos(_s, _separator) + length(_separator)), 'separator', _separator)
    WHEN _s IS NOT NULL THEN json_object('key', _s, 'value', '', 'separator', _separator) END`,
};
