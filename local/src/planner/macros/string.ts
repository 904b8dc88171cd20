/** String macros, for terms, matches, replacements, CSV, paths, phrases, Base64, sizes and URLs. */
import { inCalls } from './computed.ts';

const raw = String.raw;

/** Stop words, which are never part of a phrase. */
const stopWords =
  'a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your';

export const stringMacros: Readonly<Record<string, string>> = {
  // ── has and its variants: a plain search runs first, because the regular expression is slower ──
  'has(_s, _n, _pattern)': raw`contains(lower(_s), lower(_n)) AND regexp_matches(_s, _pattern)`,
  'has_cs(_s, _n, _pattern)': raw`contains(_s, _n) AND regexp_matches(_s, _pattern)`,
  // Marks both ends of each term with a noncharacter, so that only entire terms match. A regular expression per row
  // would be slow, because DuckDB takes milliseconds to compile one.
  'with_ends(_s)': raw`regexp_replace(_s, '[\pL\pN]+', chr(64976) || '\0' || chr(64976), 'g')`,
  'has_cs_term(_s, _n)': raw`CASE WHEN NOT contains(_s, _n) THEN false ELSE contains(apl.with_ends(_s), apl.with_ends(_n)) END`,
  'hasprefix_cs_term(_s, _n)': raw`CASE WHEN NOT contains(_s, _n) THEN false ELSE contains(apl.with_ends(_s), rtrim(apl.with_ends(_n), chr(64976))) END`,
  'hassuffix_cs_term(_s, _n)': raw`CASE WHEN NOT contains(_s, _n) THEN false ELSE contains(apl.with_ends(_s), ltrim(apl.with_ends(_n), chr(64976))) END`,
  'has_term(_s, _n)': raw`apl.has_cs_term(lower(_s), lower(_n))`,
  'hasprefix_term(_s, _n)': raw`apl.hasprefix_cs_term(lower(_s), lower(_n))`,
  'hassuffix_term(_s, _n)': raw`apl.hassuffix_cs_term(lower(_s), lower(_n))`,
  'has_each(_s, _terms)': raw`list_bool_or(list_transform(_terms, lambda _term: apl.has_term(_s, _term)))`,
  'has_each_cs(_s, _terms)': raw`list_bool_or(list_transform(_terms, lambda _term: apl.has_cs_term(_s, _term)))`,

  // Limits the pattern's length, because RE2's time per character can be proportional to that length.
  'valid_pattern(_p)': raw`CASE WHEN length(_p) > 1000 THEN error('A regular expression of a column has at most 1,000 characters, not ' || format('{:,}', length(_p)) || '. Compare with == or contains, or write the pattern as a constant.')
    WHEN TRY(regexp_matches('', _p)) IS NOT NULL THEN _p END`,

  // ── Substrings: positions are in characters, from 0 ──
  'substring_from(_s, _start)': raw`substring(_s, CASE WHEN _start < 0 THEN greatest(length(_s) + _start, 0) ELSE _start END + 1)`,
  'substring(_s, _start, _length)': raw`CASE WHEN _start < 0
    THEN substring(_s, greatest(length(_s) + _start, 0) + 1, greatest(least(length(_s) + _start, 0) + _length, 0))
    ELSE substring(_s, _start + 1, greatest(_length, 0)) END`,
  'nth(_list, _occurrence)': raw`CASE WHEN _occurrence = 0 THEN NULL ELSE _list[_occurrence] END`,
  'start_place(_s, _start)': raw`CASE WHEN _start < 0 THEN greatest(length(_s) + _start, 0) ELSE _start END`,
  'indexof(_s, _n)': raw`CAST(strpos(_s, _n) - 1 AS BIGINT)`,
  'indexof_from(_s, _n, _start)': raw`CASE WHEN strpos(substring(_s, apl.start_place(_s, _start) + 1), _n) = 0 THEN -1
    ELSE strpos(substring(_s, apl.start_place(_s, _start) + 1), _n) - 1 + apl.start_place(_s, _start) END`,
  // Finds an occurrence. `_length` limits the gap before the first and between consecutive occurrences, as in Kusto.
  'near_place(_places, _size, _start, _length, _occurrence)': raw`CASE WHEN _length < 0 OR list_bool_and(list_transform(list_slice(_places, 1, _occurrence),
    lambda _place, _i: _place + _size <= CASE WHEN _i = 1 THEN _start ELSE _places[_i - 1] + 1 END + _length)) THEN _places[_occurrence] END`,
  'indexof_nth(_s, _n, _start, _length, _occurrence)': raw`CASE WHEN _s IS NULL OR _n IS NULL OR _length < -1 OR _occurrence < 1 THEN NULL ELSE
    list_transform(list_zip([apl.places(_s, _n)], [apl.start_place(_s, _start)], [length(_n)], [_length], [_occurrence]), lambda _f: coalesce(
      list_transform([list_filter(_f[1], lambda _i: _i >= _f[2])], lambda _places: apl.near_place(_places, _f[3], _f[2], _f[4], _f[5]))[1], -1))[1] END`,
  'indexof_regex(_s, _pattern, _start, _occurrence, _length)': raw`CASE WHEN _s IS NULL OR _pattern IS NULL OR _start < 0 OR _length < -1 OR _occurrence < 1 THEN NULL ELSE coalesce(
    apl.match_place(CASE WHEN _length < 0 THEN substring(_s, _start + 1) ELSE substring(_s, _start + 1, _length) END, _pattern, _occurrence) + _start, -1) END`,
  'lengths(_texts)': raw`coalesce(list_sum(list_transform(_texts, lambda _text: length(_text))), 0)`,
  'match_place_of(_gaps, _matches, _occurrence)': raw`CASE WHEN _occurrence <= len(_matches) THEN
    apl.lengths(list_slice(_gaps, 1, _occurrence)) + apl.lengths(list_slice(_matches, 1, _occurrence - 1)) END`,
  'match_place(_s, _pattern, _occurrence)': raw`list_transform(list_zip([regexp_split_to_array(_s, _pattern)], [regexp_extract_all(_s, _pattern)], [_occurrence]),
    lambda _m: apl.match_place_of(_m[1], _m[2], _m[3]))[1]`,
  'countof(_n, _s)': raw`CASE WHEN _n = '' THEN 0 ELSE length(apl.places(_s, _n)) END`,

  // ── Regular expression matches: a missing group is an empty string, and a missing match is null ──
  'extract(_s, _p, _group)': raw`CASE WHEN regexp_matches(_s, _p) THEN regexp_extract(_s, _p, _group) END`,
  // nullif isn't used, because DuckDB computes its operand twice, which is slow for the matches of a long string.
  'matches_or_null(_matches)': raw`list_filter([to_json(_matches)], lambda _json: _json <> '[]'::JSON)[1]`,
  // Removes escapes and character classes, so that `groups_in` can count the parentheses that open a group.
  'plain_pattern(_p)': raw`regexp_replace(_p, '(?s)\\Q.*?(\\E|$)|\\.|\[(\\.|[^\]\\])*\]', '', 'g')`,
  'groups_in(_plain)': raw`length(_plain) - length(replace(_plain, '(', '')) - (length(_plain) - length(replace(_plain, '(?', ''))) // 2 + len(regexp_extract_all(_plain, '\(\?P?<'))`,
  'group_count(_p)': raw`list_transform([apl.plain_pattern(_p)], lambda _plain: apl.groups_in(_plain))[1]`,
  'extract_of_row(_s, _p, _group)': raw`CASE WHEN apl.group_count(_p) >= _group THEN apl.extract(_s, _p, _group) END`,
  // Replaces each escape sequence in a quoted value with the escaped character.
  'unescaped_or_bare(_parts, _escaped)': raw`CASE WHEN _parts.quoted <> '' THEN regexp_replace(_parts.quoted, _escaped, '\1', 'g') ELSE _parts.bare END`,
  'quoted_or_bare(_parts)': raw`CASE WHEN _parts.quoted <> '' THEN _parts.quoted ELSE _parts.bare END`,
  'masks(_texts, _token)': raw`list_transform(_texts, lambda _text: repeat(_token, length(_text)))`,
  'tokens(_texts, _token)': raw`list_transform(_texts, lambda _text: CASE WHEN _text = '' THEN '' ELSE _token END)`,
  'hashes(_texts)': raw`list_transform(_texts, lambda _text: CASE WHEN _text = '' THEN '' ELSE sha256(_text) END)`,
  // Joins the strings between the matches with the replacements.
  'interleaved(_gaps, _found)': raw`array_to_string(list_transform(list_zip(_gaps, _found), lambda _pair: _pair[1] || coalesce(_pair[2], '')), '')`,
  'redact(_s, _pattern, _token)': raw`apl.interleaved(regexp_split_to_array(_s, _pattern), apl.masks(regexp_extract_all(_s, _pattern), _token))`,
  'redact_hash(_s, _pattern)': raw`apl.interleaved(regexp_split_to_array(_s, _pattern), apl.hashes(regexp_extract_all(_s, _pattern)))`,
  // `_pieces` lists, for each part of the pattern, the string that it captured in each match.
  'rejoined(_s, _pattern, _pieces)': raw`list_transform([_pieces], lambda _all: apl.interleaved(regexp_split_to_array(_s, _pattern),
    list_transform(range(1, len(_all[1]) + 1), lambda _i: array_to_string(list_transform(_all, lambda _piece: _piece[_i]), ''))))[1]`,

  // ── Replacements and case ──
  'repeated_text(_s, _n, _delimiter)': raw`CASE WHEN _n <= 1 THEN _s WHEN apl.bytes_together((strlen(_s) + strlen(_delimiter)) * _n) THEN repeat(_s || _delimiter, _n - 1) || _s END`,
  'repeat(_s, _n, _delimiter)': raw`list_transform(list_zip([_s], [CASE WHEN _n > 1024 THEN 1024 ELSE _n END], [_delimiter]), lambda _r: CASE WHEN _r[2] IS NOT NULL THEN apl.repeated_text(_r[1], _r[2], _r[3]) END)[1]`,
  // Limits the size of the result, because a replacement can make the string many times as long.
  'replace_string(_found, _by, _s)': raw`list_transform(list_zip([_found], [_by], [_s]), lambda _r: CASE WHEN _r[1] = '' THEN _r[3]
    WHEN apl.bytes_together(strlen(_r[3]) + (strlen(_r[3]) - strlen(replace(_r[3], _r[1], ''))) // strlen(_r[1]) * strlen(_r[2])) THEN replace(_r[3], _r[1], _r[2]) END)[1]`,
  'replace_pattern(_found, _by, _s)': raw`list_transform(list_zip([_found], [_by], [_s]), lambda _r: CASE
    WHEN apl.bytes_together(strlen(_r[3]) + len(regexp_extract_all(_r[3], _r[1])) * strlen(_r[2])) THEN regexp_replace(_r[3], _r[1], _r[2], 'g') END)[1]`,
  // Unicode's simple case mapping has no uppercase ß, so a noncharacter stands in for ß and preserves it.
  'upper(_s)': raw`CASE WHEN contains(_s, 'ß') THEN replace(upper(replace(_s, 'ß', chr(64976))), chr(64976), 'ß') ELSE upper(_s) END`,
  // A word is a run of letters and digits. The caller has replaced ß, as in `upper`.
  'title_of(_s)': raw`array_to_string(list_transform(regexp_extract_all(_s, '[\pL\pN\x{fdd0}]+[^\pL\pN\x{fdd0}]*|^[^\pL\pN\x{fdd0}]+'),
    lambda _word, _i: CASE WHEN apl.goes_on(_i) THEN upper(substring(_word, 1, 1)) || lower(substring(_word, 2)) END), '')`,
  'title(_s)': raw`CASE WHEN contains(_s, 'ß') THEN replace(apl.title_of(replace(_s, 'ß', chr(64976))), chr(64976), 'ß') ELSE apl.title_of(_s) END`,
  // DuckDB's `reverse` keeps the characters of a grapheme cluster, such as a flag, in order, so it is used only for
  // strings without such clusters.
  'reverse(_s)': raw`CASE WHEN length_grapheme(_s) = length(_s) THEN reverse(_s) ELSE apl.reversed(_s) END`,
  // Pads `_to` with its last character, because DuckDB removes characters that have no counterpart in `_to`.
  'translate(_from, _to, _s)': raw`translate(_s, _from, CASE WHEN _to = '' THEN '' ELSE rpad(_to, CAST(length(_from) AS INTEGER), substring(_to, length(_to))) END)`,
  'compare(_a, _b)': raw`CAST(CASE WHEN _a < _b THEN -1 WHEN _a > _b THEN 1 WHEN _a = _b THEN 0 END AS BIGINT)`,
  'quote(_s)': raw`json_quote(_s)`,
  'strip_ansi(_s)': raw`regexp_replace(_s, '\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]', '', 'g')`,
  // `$$` is a literal dollar sign. It is written as `\d`, and a backslash as `\e`, while group references are replaced.
  'dollar_rewrite(_s)': raw`replace(replace(regexp_replace(replace(replace(_s, '\', '\e'), '$$', '\d'),
    '\$(?:\{([0-9])\}|([0-9]))', '\\\1\2', 'g'), '\d', '$'), '\e', '\\')`,
  // Appends nine empty groups, because a rewrite may refer to groups 1 to 9. Closes an unclosed \Q first.
  'with_groups(_p)': raw`_p || CASE WHEN contains(regexp_replace(_p, '(?s)\\Q.*?\\E|\\[^Q]', '', 'g'), '\Q') THEN '\E' ELSE '' END || '()()()()()()()()()'`,

  // Trims all Unicode whitespace. \s alone would miss some characters.
  'trim_space(_s)': raw`regexp_replace(_s, '^[\s\x0b\x{85}\pZ]+|[\s\x0b\x{85}\pZ]+$', '', 'g')`,
  'quote_pattern(_s)': raw`regexp_replace(_s, '[\\.+*?()|\[\]{}^$]', '\\\0', 'g')`,

  // A field is quoted or ends at the next comma. A field with a misplaced or unclosed quote is kept unchanged.
  'csv_record(_s)': raw`regexp_extract(_s, '^(?:(?:^|,)"(?:[^"]|"")*"|[^\r\n])*')`,
  'parse_csv(_s)': raw`to_json(list_transform(regexp_extract_all(apl.csv_record(_s) || ',', '("(?:[^"]|"")*"|[^,]*),', 1),
    lambda _field, _i: CASE WHEN NOT apl.goes_on(_i) THEN NULL WHEN regexp_full_match(_field, '"(?:[^"]|"")*"') THEN replace(substring(_field, 2, length(_field) - 2), '""', '"') ELSE _field END))`,

  // ── File paths: Unix paths, Windows paths with a drive or a share, and URLs ──
  'path_rest(_s)': raw`regexp_replace(_s, '^[A-Za-z][A-Za-z0-9+.-]*://', '')`,
  'path_file(_rest)': raw`regexp_replace(regexp_extract(_rest, '[^/\\]*$'), '^[A-Za-z]:', '')`,
  'path_folder(_rest)': raw`CASE WHEN regexp_full_match(_rest, '[A-Za-z]:[/\\][^/\\]*') THEN substring(_rest, 1, 3)
    WHEN regexp_full_match(_rest, '[/\\][^/\\]*') THEN substring(_rest, 1, 1)
    ELSE regexp_replace(_rest, '[/\\]?[^/\\]*$', '') END`,
  'path_parts(_scheme, _rest, _folder, _file)': raw`json_object(
    'Scheme', _scheme,
    'RootPath', regexp_extract(_rest, '^[A-Za-z]:[/\\]'),
    'DirectoryPath', _folder,
    'DirectoryName', regexp_extract(_folder, '[^/\\:]*$'),
    'Filename', regexp_extract(_file, '^[^:]*'),
    'Extension', regexp_extract(regexp_extract(_file, '^[^:]*'), '.\.([^.]*)$', 1),
    'AlternateDataStreamName', regexp_extract(_file, ':(.*)$', 1))`,
  'parse_path(_s)': raw`CASE WHEN _s IS NOT NULL THEN apl.path_parts(regexp_extract(_s, '^([A-Za-z][A-Za-z0-9+.-]*)://', 1),
    apl.path_rest(_s), apl.path_folder(apl.path_rest(_s)), apl.path_file(apl.path_rest(_s))) END`,

  // ── Phrases: two to six words without stop words between them, and with no punctuation except `_`, `/` and `-` ──
  'phrases_of(_s)': raw`list_transform([_s], lambda _text: ${inCalls('4 * strlen(_text)', 'apl.phrases_in(_text)')})[1]`,
  'phrases_in(_s)': raw`list_filter(list_transform(
    string_split(regexp_replace(regexp_replace(lower(_s), '[^\pL\pN''_ /-]+|\b(?:${stopWords.replaceAll(' ', '|')})\b', '|', 'g'), '[^\pL\pN''|]+', ' ', 'g'), '|'),
    lambda _phrase, _p: CASE WHEN apl.goes_on(_p) THEN trim(_phrase) END), lambda _phrase: len(string_split(_phrase, ' ')) BETWEEN 2 AND 6)`,
  'top_phrases(_list, _most)': raw`list_transform([list_aggregate(_list, 'histogram')], lambda _counts:
    coalesce(to_json(list_transform(list_slice(list_sort(list_transform(map_entries(_counts), lambda _entry, _i: {rank: CASE WHEN apl.goes_on(_i) THEN -CAST(_entry.value AS BIGINT) END, phrase: _entry.key})), 1, _most),
      lambda _top: {phrase: _top.phrase, count: -_top.rank})), '[]'::JSON))[1]`,

  // ── Base64 and bytes: CASE stops DuckDB from moving a subexpression that two TRYs share out of both ──
  'base64_text(_s)': raw`CASE WHEN _s IS NOT NULL THEN coalesce(TRY(decode(from_base64(_s))), '') END`,
  'base64_hex(_s)': raw`CASE WHEN _s IS NOT NULL THEN coalesce(hex(TRY(from_base64(_s))), '') END`,
  'hex_bytes(_hex)': raw`list_transform(regexp_extract_all(_hex, '..'), lambda _byte: CAST(('0x' || _byte) AS BIGINT))`,
  'base64_bytes(_s)': raw`apl.hex_bytes(apl.base64_hex(_s))`,
  'is_byte(_item)': raw`json_type(_item) IN ('BIGINT', 'UBIGINT') AND apl.json_number(_item) BETWEEN 0 AND 255`,
  'bytes_base64(_list)': raw`CASE WHEN list_bool_and(list_transform(_list, lambda _item: apl.is_byte(_item))) THEN
    to_base64(unhex(apl.joined(list_transform(_list, lambda _item: lpad(to_hex(apl.json_long(_item)), 2, '0')), ''))) END`,

  // ── Sizes ──
  'size_power(_x, _base)': raw`CASE WHEN _x IS NOT NULL THEN coalesce(list_position(list_transform(range(1, 9), lambda _i: abs(_x) < _base ** _i), true) - 1, 8) END`,
  'format_fixed(_x, _precision)': raw`format('{:.' || greatest(least(_precision, 20), 0) || 'f}', _x)`,
  'format_bytes(_x, _precision, _power, _base, _names)': raw`apl.format_fixed(_x / _base ** _power, _precision) || ' ' || _names[_power + 1]`,
  'parse_bytes(_s, _base)': raw`CASE WHEN _s IS NULL THEN NULL ELSE coalesce(TRY_CAST(round(
    TRY_CAST(regexp_extract(_s, '(?i)^\s*([0-9]*\.?[0-9]+)\s*([kmgtpe]i?)?(?:b|bytes)?\s*$', 1) AS DOUBLE)
    * CASE WHEN contains(lower(_s), 'i') THEN 1024 ELSE _base END
      ** CASE lower(regexp_extract(_s, '(?i)([kmgtpe])i?b?\s*$', 1))
        WHEN 'k' THEN 1 WHEN 'm' THEN 2 WHEN 'g' THEN 3 WHEN 't' THEN 4 WHEN 'p' THEN 5 WHEN 'e' THEN 6 ELSE 0 END) AS BIGINT), 0) END`,

  // ── URLs ──
  'url_part(_bag, _key)': raw`coalesce(json_extract_string(_bag, _key), '')`,
  // Escapes only characters that are invalid in a URL, so that existing escapes are kept. `_legal` is the content of a
  // regular expression's character class.
  'escaped(_s, _legal)': raw`array_to_string(list_transform(regexp_extract_all(_s, '[' || _legal || ']+|[^' || _legal || ']+'),
    lambda _run: CASE WHEN regexp_full_match(_run, '[' || _legal || ']+') THEN _run ELSE url_encode(_run) END), '')`,
  'escaped_path(_s)': raw`apl.escaped(_s, '\w.~!$&''()*+,;=:@/%-')`,
  'escaped_query(_s)': raw`apl.escaped(_s, '\w.~!$&''()*+,;=:@/?%-')`,
  'escaped_user(_s)': raw`apl.escaped(_s, '\w.~!$&''()*+,;=%-')`,
  // The user name is in `user`, or in `username` as in the result of parse_url.
  'url_user(_bag)': raw`apl.escaped_user(coalesce(nullif(apl.url_part(_bag, '/user'), ''), apl.url_part(_bag, '/username')))`,
  'url_query(_bag)': raw`CASE WHEN json_type(_bag, '/query') = 'OBJECT' THEN apl.format_query(json_extract(_bag, '/query')) ELSE apl.escaped_query(apl.url_part(_bag, '/query')) END`,
  'prefixed(_mark, _s)': raw`CASE WHEN _s = '' THEN '' ELSE _mark || _s END`,
  'format_url(_bag)': raw`CASE WHEN json_type(_bag) = 'OBJECT' THEN
    CASE WHEN apl.url_part(_bag, '/scheme') = '' THEN '' ELSE apl.url_part(_bag, '/scheme') || '://' END
    || CASE WHEN apl.url_user(_bag) = '' THEN '' ELSE apl.url_user(_bag) || apl.prefixed(':', apl.escaped_user(apl.url_part(_bag, '/password'))) || '@' END
    || apl.url_part(_bag, '/host') || apl.prefixed(':', apl.url_part(_bag, '/port'))
    || CASE WHEN starts_with(apl.url_part(_bag, '/path'), '/') THEN apl.escaped_path(apl.url_part(_bag, '/path')) ELSE apl.prefixed('/', apl.escaped_path(apl.url_part(_bag, '/path'))) END
    || apl.prefixed('?', apl.url_query(_bag)) || apl.prefixed('#', apl.escaped_query(apl.url_part(_bag, '/fragment'))) END`,
  'format_query(_bag)': raw`array_to_string(list_transform(apl.members(_bag), lambda _member:
    url_encode(_member[1]) || '=' || url_encode(coalesce(json_extract_string(_member[2], '$'), ''))), '&')`,
  'url_decode(_s)': raw`TRY(url_decode(replace(_s, '+', ' ')))`,
  'parse_query(_s)': raw`apl.pairs_bag(list_transform(list_filter(string_split(ltrim(_s, '?'), '&'), lambda _pair: _pair <> ''), lambda _pair: {
    key: coalesce(apl.url_decode(regexp_extract(_pair, '^[^=]*')), ''),
    value: to_json(coalesce(apl.url_decode(regexp_extract(_pair, '^[^=]*=(.*)$', 1)), ''))}))`,
  'parse_url(_s)': raw`CASE WHEN _s IS NOT NULL THEN json_object(
    'scheme', regexp_extract(_s, '^([a-zA-Z][a-zA-Z0-9+.-]*):', 1),
    'host', regexp_extract(_s, '^(?:[^:/?#]+:)?//(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)', 1),
    'port', regexp_extract(_s, '^(?:[^:/?#]+:)?//(?:[^@/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):([0-9]*)', 1),
    'path', regexp_extract(_s, '^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)', 1),
    'username', regexp_extract(_s, '^(?:[^:/?#]+:)?//([^:@/?#]*)(?::[^@/?#]*)?@', 1),
    'password', regexp_extract(_s, '^(?:[^:/?#]+:)?//[^:@/?#]*:([^@/?#]*)@', 1),
    'query', apl.parse_query(regexp_extract(_s, '^[^?#]*\?([^#]*)', 1)),
    'fragment', regexp_extract(_s, '#(.*)$', 1)) END`,
};
