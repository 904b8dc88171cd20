/** Plans the functions for IP addresses. Without a prefix argument, all bits of the addresses are compared. */

import { inCalls } from '../macros/computed.ts';
import { precomputeLarge } from '../precompute.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { as, knownOf, plainText, scalarOf, type Value, value } from '../values.ts';
import { at, type Call, type FunctionPlan, optionalAt, simple, unsupported } from './define.ts';

const wholeAddress = { 2: sql`32` };
const wholeAddress6 = { 2: sql`128` };

/** Plans a list of strings: all arguments from `first` on, or the items of a single dynamic argument. */
function textsFrom(call: Call, first: number): Sql {
  const all = call.args.slice(first).map((_, i) => at(call, first + i));
  const [only] = all;
  if (all.length === 1 && only !== undefined && only.type === 'dynamic') {
    return sql`apl.texts(${as(only, 'dynamic')})`;
  }
  return sql`[${print.join(all.map((of: Value) => plainText(of)))}]`;
}

function anyOf(macro: string): FunctionPlan {
  return (call) => value(print.call(macro, plainText(at(call, 0)), textsFrom(call, 1)), 'bool');
}

/** The length above which a list of ranges is converted by the query, because the query can be canceled. */
const manyRanges = 100;

/** Plans a test whether an address is in any range. Converts constant ranges to numbers once, not per row. */
function inAnyRange(version: 'ipv4' | 'ipv6'): FunctionPlan {
  return (call) => {
    const known = knownTexts(call, 1);
    const texts =
      known === undefined
        ? textsFrom(call, 1)
        : sql`apl.texts(${print.text(JSON.stringify(known))}::JSON)`;
    const boundsOf = (of: Sql) => value(print.call(`apl.${version}_ranges`, of), 'dynamic');
    const isLong = known !== undefined && known.length > manyRanges;
    const bounds = isLong
      ? precomputeLarge({ ...call.node }, texts, boundsOf, call.scope)
      : boundsOf(texts);
    const address = plainText(at(call, 0));
    return value(print.call(`apl.${version}_in_any`, address, bounds.sql), 'bool');
  };
}

function knownTexts(call: Call, first: number): readonly string[] | undefined {
  const all = call.args.slice(first).map((_, i) => knownOf(at(call, first + i)));
  const [only] = all;
  const list: readonly unknown[] = all.length === 1 && Array.isArray(only) ? only : all;
  return list.every((item) => typeof item === 'string') ? list : undefined;
}

export const ipFunctions = {
  format_ipv4: (call) => formatted(call, lengthOf(call)),
  format_ipv4_mask: (call) => {
    const of = at(call, 0);
    const prefix = lengthOf(call);
    const text = formatted(call, prefix).sql;
    const length = of.type === 'string' ? networkLength(of, prefix) : prefix;
    return value(
      sql`CASE WHEN ${text} = '' THEN '' ELSE ${text} || '/' || ${length} END`,
      'string',
    );
  },
  geo_info_from_ip_address: unsupported(
    'it needs a file of places by address that is not part of the extension',
  ),
  has_any_ipv4: anyOf('apl.has_any_ipv4'),
  has_any_ipv4_prefix: anyOf('apl.has_any_ipv4_prefix'),
  has_ipv4: simple(['string', 'string'], 'bool', 'apl.has_ipv4'),
  has_ipv4_prefix: simple(['string', 'string'], 'bool', 'apl.has_ipv4_prefix'),
  ipv4_compare: simple(
    ['string', 'string', 'long'],
    'long',
    (a, b, prefix) => sql`apl.sign(apl.ipv4_difference(${a}, ${b}, ${prefix}))`,
    wholeAddress,
  ),
  ipv4_is_in_any_range: inAnyRange('ipv4'),
  ipv4_is_in_range: simple(['string', 'string'], 'bool', 'apl.ipv4_in'),
  ipv4_is_match: simple(
    ['string', 'string', 'long'],
    'bool',
    (a, b, prefix) => sql`(apl.ipv4_difference(${a}, ${b}, ${prefix}) = 0)`,
    wholeAddress,
  ),
  ipv4_is_private: simple(['string'], 'bool', (s) => sql`(apl.ipv4_is_private(${s}))`),
  ipv4_netmask_suffix: simple(
    ['string'],
    'long',
    (s) => sql`CASE WHEN apl.ipv4_number(${s}) IS NOT NULL THEN apl.ipv4_prefix(${s}) END`,
  ),
  ipv6_compare: simple(['string', 'string', 'long'], 'long', 'apl.ipv6_compare', wholeAddress6),
  ipv6_is_in_any_range: inAnyRange('ipv6'),
  ipv6_is_in_range: simple(
    ['string', 'string'],
    'bool',
    (s, range) => sql`(apl.ipv6_in(${s}, ${range}))`,
  ),
  ipv6_is_match: simple(
    ['string', 'string', 'long'],
    'bool',
    (a, b, prefix) => sql`(apl.ipv6_compare(${a}, ${b}, ${prefix}) = 0)`,
    wholeAddress6,
  ),
  parse_ipv4: simple(['string'], 'long', 'apl.parse_ipv4'),
  parse_ipv4_mask: simple(['string', 'long'], 'long', 'apl.parse_ipv4_mask'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;

function lengthOf(call: Call): Sql {
  const prefix = optionalAt(call, 1);
  return prefix === undefined ? sql`32` : as(prefix, 'long');
}

function formatted(call: Call, prefix: Sql): Value {
  const of = at(call, 0);
  const known = scalarOf(of);
  const text = of.type === 'string' || typeof known === 'string';
  const number = text ? sql`apl.ipv4_number(${plainText(of)})` : as(of, 'long');
  const length = text ? networkLength(of, prefix) : prefix;
  return value(sql`coalesce(apl.format_ipv4(apl.ipv4_masked(${number}, ${length})), '')`, 'string');
}

function networkLength(of: Value, prefix: Sql): Sql {
  return sql`apl.ipv4_shared(apl.ipv4_prefix(${plainText(of)}), ${prefix})`;
}

const raw = String.raw;

const form = raw`[0-9]{1,3}(\.[0-9]{1,3}){3}(/(3[0-2]|[12]?[0-9]))?`;

/**
 * Macros over IP addresses, which become 32-bit numbers (IPv4) or 128-bit numbers (IPv6). In functions for IPv6, an
 * IPv4 address is mapped to `::ffff:0:0/96`.
 */
export const ipMacros: Readonly<Record<string, string>> = {
  'ipv4_parts(_s)': raw`CASE WHEN regexp_full_match(_s, '${form}') THEN list_transform(string_split(regexp_extract(_s, '^[^/]*'), '.'), lambda _part: TRY_CAST(_part AS BIGINT)) END`,
  'ipv4_join(_parts)': raw`CASE WHEN list_max(_parts) <= 255 THEN _parts[1] * 16777216 + _parts[2] * 65536 + _parts[3] * 256 + _parts[4] END`,
  'ipv4_number(_s)': raw`list_transform([apl.ipv4_parts(_s)], lambda _parts: apl.ipv4_join(_parts))[1]`,
  'ipv4_prefix(_s)': raw`CASE WHEN regexp_full_match(_s, '${form}') THEN coalesce(TRY_CAST(regexp_extract(_s, '/(.*)$', 1) AS BIGINT), 32) END`,
  // A null or invalid prefix makes the result null.
  'ipv4_shared(_a, _prefix)': raw`CASE WHEN _prefix BETWEEN 0 AND 32 THEN CASE WHEN _a <= _prefix THEN _a WHEN _a IS NOT NULL THEN _prefix END END`,
  'ipv4_masked(_n, _prefix)': raw`CASE WHEN _prefix BETWEEN 0 AND 32 AND _n BETWEEN 0 AND 4294967295 THEN _n - _n % CAST(2 ** (32 - _prefix) AS BIGINT) END`,
  'parse_ipv4(_s)': raw`apl.ipv4_masked(apl.ipv4_number(_s), apl.ipv4_prefix(_s))`,
  'parse_ipv4_mask(_s, _prefix)': raw`apl.ipv4_masked(apl.ipv4_number(_s), apl.ipv4_shared(apl.ipv4_prefix(_s), _prefix))`,
  'ipv4_difference(_a, _b, _prefix)': raw`apl.parse_ipv4_mask(_a, apl.ipv4_shared(apl.ipv4_prefix(_b), _prefix)) - apl.parse_ipv4_mask(_b, apl.ipv4_shared(apl.ipv4_prefix(_a), _prefix))`,
  'ipv4_in(_s, _range)': raw`apl.ipv4_masked(apl.ipv4_number(_s), apl.ipv4_prefix(_range)) = apl.parse_ipv4(_range)`,
  'ipv4_bounds(_range)': raw`{first: apl.parse_ipv4(_range), last: apl.parse_ipv4(_range) + CAST(2 ** (32 - apl.ipv4_prefix(_range)) AS BIGINT) - 1}`,
  'ipv4_ranges(_ranges)': raw`list_transform(_ranges, lambda _range, _i: CASE WHEN apl.goes_on(_i) THEN apl.ipv4_bounds(_range) END)`,
  'ipv4_in_any(_s, _bounds)': raw`list_transform([apl.ipv4_number(_s)], lambda _n: CASE WHEN _n IS NOT NULL
    THEN coalesce(list_bool_or(list_transform(_bounds, lambda _of: _n BETWEEN _of.first AND _of.last)), false) END)[1]`,
  'ipv4_is_private(_s)': raw`apl.ipv4_in(_s, '10.0.0.0/8') OR apl.ipv4_in(_s, '172.16.0.0/12') OR apl.ipv4_in(_s, '192.168.0.0/16')`,
  'format_ipv4(_n)': raw`CASE WHEN _n BETWEEN 0 AND 4294967295 THEN concat_ws('.', _n // 16777216, _n // 65536 % 256, _n // 256 % 256, _n % 256) ELSE '' END`,
  // The address must not touch letters, digits or further dotted parts.
  'has_ipv4(_s, _ip)': raw`CASE WHEN apl.ipv4_number(_ip) IS NULL OR contains(_ip, '/') OR _s IS NULL THEN false
    WHEN NOT contains(_s, _ip) THEN false ELSE regexp_matches(_s, '(?:^|[^0-9A-Za-z.])' || regexp_escape(_ip) || '(?:$|[^0-9A-Za-z.]|\.(?:$|[^0-9]))') END`,
  // The prefix must end with a dot or be a complete address.
  'has_ipv4_prefix(_s, _prefix)': raw`CASE WHEN strlen(_prefix) < 16 AND contains(_s, _prefix) THEN coalesce(list_bool_or(list_transform(
    regexp_extract_all(_s, '(?:^|[^0-9A-Za-z.])(' || regexp_escape(_prefix) || '[0-9A-Za-z.]*)', 1),
    lambda _run, _r: apl.goes_on(_r) AND apl.ipv4_number(rtrim(_run, '.')) IS NOT NULL AND (ends_with(_prefix, '.') OR rtrim(_run, '.') = _prefix))), false) ELSE false END`,
  // The parameters of nested lambdas need different names, because macros are inlined into each other.
  'ipv4_addresses(_s)': raw`list_transform(regexp_extract_all(_s, '[0-9A-Za-z.]+'), lambda _run: rtrim(_run, '.'))`,
  'has_ipv4_of(_s, _range)': raw`list_transform([apl.ipv4_bounds(_range)], lambda _bounds: CASE WHEN _bounds.first IS NOT NULL THEN list_bool_or(list_transform(
    apl.ipv4_addresses(_s), lambda _address, _a: CASE WHEN apl.goes_on(_a) THEN coalesce(apl.ipv4_number(_address) BETWEEN _bounds.first AND _bounds.last, false) END)) END)[1]`,
  'has_any_ipv4(_s, _list)': raw`coalesce(list_bool_or(list_transform(_list, lambda _ip: ${inCalls(
    'strlen(_s)',
    "CASE WHEN contains(_ip, '/') THEN apl.has_ipv4_of(_s, _ip) ELSE apl.has_ipv4(_s, _ip) END",
  )})), false)`,
  // ── IPv6: the last part may be an IPv4 address, and one `::` may replace groups of zeros ──
  'ipv6_bare(_s)': raw`lower(regexp_extract(_s, '^[^/]*'))`,
  'ipv4_groups(_n)': raw`to_hex(_n // 65536) || ':' || to_hex(_n % 65536)`,
  'ipv6_plain(_bare)': raw`CASE WHEN NOT contains(_bare, '.') THEN _bare
    WHEN contains(_bare, ':') THEN regexp_extract(_bare, '^(.*:)[^:]*$', 1) || lower(apl.ipv4_groups(apl.ipv4_number(regexp_extract(_bare, '[^:]*$'))))
    ELSE '::ffff:' || lower(apl.ipv4_groups(apl.ipv4_number(_bare))) END`,
  'ipv6_side(_s)': raw`CASE WHEN _s = '' THEN CAST([] AS VARCHAR[]) ELSE string_split(_s, ':') END`,
  'ipv6_filled(_left, _right)': raw`CASE WHEN len(_left) + len(_right) < 8 THEN
    list_concat(_left, list_transform(range(0, 8 - len(_left) - len(_right)), lambda _i: '0'), _right) END`,
  'ipv6_groups(_plain)': raw`CASE len(string_split(_plain, '::')) WHEN 1 THEN string_split(_plain, ':')
    WHEN 2 THEN apl.ipv6_filled(apl.ipv6_side(string_split(_plain, '::')[1]), apl.ipv6_side(string_split(_plain, '::')[2])) END`,
  'ipv6_join(_groups)': raw`CASE WHEN len(_groups) = 8 AND list_bool_and(list_transform(_groups, lambda _group: regexp_full_match(_group, '[0-9a-f]{1,4}')))
    THEN CAST(list_reduce(list_transform(_groups, lambda _group: CAST(TRY_CAST('0x' || _group AS BIGINT) AS UHUGEINT)), lambda _all, _group: _all * 65536::UHUGEINT + _group) AS UHUGEINT) END`,
  // Each one-item list binds a value that the next lambda uses several times.
  'ipv6_number(_s)': raw`list_transform(list_transform(list_transform([apl.ipv6_bare(_s)],
    lambda _bare: apl.ipv6_plain(_bare)), lambda _plain: apl.ipv6_groups(_plain)), lambda _groups: apl.ipv6_join(_groups))[1]`,
  'ipv6_prefix(_s)': raw`CASE WHEN NOT contains(_s, '/') THEN 128
    WHEN NOT regexp_full_match(_s, '[^/]*/[0-9]{1,3}') THEN NULL
    WHEN contains(_s, ':') THEN CASE WHEN TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) <= 128 THEN TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) END
    WHEN TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) <= 32 THEN 96 + TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) END`,
  'ipv6_masked(_n, _prefix)': raw`CASE WHEN _prefix = 0 AND _n IS NOT NULL THEN 0::UHUGEINT WHEN _prefix BETWEEN 1 AND 128 THEN _n >> CAST(128 - _prefix AS UHUGEINT) END`,
  'ipv6_shared(_a, _b, _prefix)': raw`CASE WHEN _a IS NOT NULL AND _b IS NOT NULL AND _prefix BETWEEN 0 AND 128 THEN least(_a, _b, _prefix) END`,
  'ipv6_order(_a, _b, _prefix)': raw`CAST(CASE WHEN apl.ipv6_masked(_a, _prefix) < apl.ipv6_masked(_b, _prefix) THEN -1
    WHEN apl.ipv6_masked(_a, _prefix) > apl.ipv6_masked(_b, _prefix) THEN 1
    WHEN apl.ipv6_masked(_a, _prefix) = apl.ipv6_masked(_b, _prefix) THEN 0 END AS BIGINT)`,
  'ipv6_compare(_a, _b, _prefix)': raw`list_transform([{a: apl.ipv6_number(_a), b: apl.ipv6_number(_b), prefix: apl.ipv6_shared(apl.ipv6_prefix(_a), apl.ipv6_prefix(_b), _prefix)}],
    lambda _of: apl.ipv6_order(_of.a, _of.b, _of.prefix))[1]`,
  'ipv6_number_in(_n, _range)': raw`list_transform([{first: apl.ipv6_number(_range), prefix: apl.ipv6_prefix(_range)}],
    lambda _of: apl.ipv6_order(_n, _of.first, _of.prefix) = 0)[1]`,
  'ipv6_in(_s, _range)': raw`apl.ipv6_number_in(apl.ipv6_number(_s), _range)`,
  // Returns the mask of the bits that follow the prefix.
  'ipv6_rest(_prefix)': raw`CASE WHEN _prefix = 128 THEN 0::UHUGEINT ELSE 340282366920938463463374607431768211455::UHUGEINT >> CAST(_prefix AS UHUGEINT) END`,
  'ipv6_bounds(_n, _rest)': raw`{first: _n - (_n & _rest), last: _n | _rest}`,
  'ipv6_ranges(_ranges)': raw`list_transform(list_transform(_ranges, lambda _range, _i: {n: CASE WHEN apl.goes_on(_i) THEN apl.ipv6_number(_range) END, rest: apl.ipv6_rest(apl.ipv6_prefix(_range))}),
    lambda _of: apl.ipv6_bounds(_of.n, _of.rest))`,
  'ipv6_in_any(_s, _bounds)': raw`list_transform([apl.ipv6_number(_s)], lambda _n: CASE WHEN _n IS NOT NULL
    THEN coalesce(list_bool_or(list_transform(_bounds, lambda _of: _n BETWEEN _of.first AND _of.last)), false) END)[1]`,

  // ── Addresses in strings ──
  'has_any_ipv4_prefix(_s, _list)': raw`coalesce(list_bool_or(list_transform(_list, lambda _prefix: ${inCalls('strlen(_s)', 'apl.has_ipv4_prefix(_s, _prefix)')})), false)`,
};
