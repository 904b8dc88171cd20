/** Macros over IPv4 addresses: a dotted text, with or without `/prefix`, to a number of 32 bits. */
const raw = String.raw;

const form = raw`[0-9]{1,3}(\.[0-9]{1,3}){3}(/[0-9]{1,2})?`;

export const networkMacros: Readonly<Record<string, string>> = {
  'ipv4_parts(_s)': raw`CASE WHEN regexp_full_match(_s, '${form}') THEN list_transform(string_split(regexp_extract(_s, '^[^/]*'), '.'), lambda _part: TRY_CAST(_part AS BIGINT)) END`,
  'ipv4_join(_parts)': raw`CASE WHEN list_max(_parts) <= 255 THEN _parts[1] * 16777216 + _parts[2] * 65536 + _parts[3] * 256 + _parts[4] END`,
  'ipv4_number(_s)': raw`apl.ipv4_join(apl.ipv4_parts(_s))`,
  'ipv4_prefix(_s)': raw`CASE WHEN regexp_full_match(_s, '${form}') THEN
    CASE WHEN contains(_s, '/') THEN CASE WHEN TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) <= 32 THEN TRY_CAST(regexp_extract(_s, '[0-9]+$') AS BIGINT) END ELSE 32 END END`,
  'ipv4_masked(_n, _prefix)': raw`CASE WHEN _prefix BETWEEN 0 AND 32 THEN _n - _n % CAST(2 ** (32 - _prefix) AS BIGINT) END`,
  'parse_ipv4(_s)': raw`apl.ipv4_masked(apl.ipv4_number(_s), apl.ipv4_prefix(_s))`,
  'parse_ipv4_mask(_s, _prefix)': raw`apl.ipv4_masked(apl.ipv4_number(_s), least(apl.ipv4_prefix(_s), _prefix))`,
  'ipv4_difference(_a, _b, _prefix)': raw`apl.ipv4_masked(apl.ipv4_number(_a), least(apl.ipv4_prefix(_a), apl.ipv4_prefix(_b), _prefix))
    - apl.ipv4_masked(apl.ipv4_number(_b), least(apl.ipv4_prefix(_a), apl.ipv4_prefix(_b), _prefix))`,
  'ipv4_in(_s, _range)': raw`apl.ipv4_masked(apl.ipv4_number(_s), apl.ipv4_prefix(_range)) = apl.parse_ipv4(_range)`,
  'ipv4_in_any(_s, _ranges)': raw`CASE WHEN apl.ipv4_number(_s) IS NOT NULL THEN coalesce(list_bool_or(list_transform(_ranges, lambda _range: apl.ipv4_in(_s, _range))), false) END`,
  'ipv4_is_private(_s)': raw`apl.ipv4_in(_s, '10.0.0.0/8') OR apl.ipv4_in(_s, '172.16.0.0/12') OR apl.ipv4_in(_s, '192.168.0.0/16')`,
  'format_ipv4(_n)': raw`CASE WHEN _n BETWEEN 0 AND 4294967295 THEN concat_ws('.', _n // 16777216, _n // 65536 % 256, _n // 256 % 256, _n % 256) ELSE '' END`,
  'has_ipv4(_s, _ip)': raw`CASE WHEN apl.ipv4_number(_ip) IS NULL THEN false
    ELSE contains(_s, _ip) AND regexp_matches(_s, '(?:^|[^0-9A-Za-z.])' || regexp_escape(_ip) || '(?:$|[^0-9A-Za-z.]|\.(?:$|[^0-9]))') END`,
  'has_ipv4_prefix(_s, _prefix)': raw`contains(_s, _prefix) AND regexp_matches(_s, '(?:^|[^0-9A-Za-z.])' || regexp_escape(_prefix) || CASE WHEN ends_with(_prefix, '.') THEN '[0-9]' ELSE '(?:$|[^0-9A-Za-z])' END)
    AND (ends_with(_prefix, '.') OR apl.ipv4_number(_prefix) IS NOT NULL)`,
  'has_any_ipv4(_s, _list)': raw`coalesce(list_bool_or(list_transform(_list, lambda _ip: apl.has_ipv4(_s, _ip))), false)`,
  'has_any_ipv4_prefix(_s, _list)': raw`coalesce(list_bool_or(list_transform(_list, lambda _prefix: apl.has_ipv4_prefix(_s, _prefix))), false)`,
};
