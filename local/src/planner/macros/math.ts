/** Macros over numbers, for cases in which DuckDB raises an error but APL returns NaN, an infinity or null. */
const raw = String.raw;

/** Prefixes and lengths of card numbers by issuer, from the ranges of ISO/IEC 7812. */
const cards = [
  '4[0-9]{12}([0-9]{3}){0,2}', // Visa
  '(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}', // Mastercard
  '220[0-4][0-9]{12,15}', // Mir
  '3[47][0-9]{13}', // American Express
  '3(0[0-59]|[689][0-9])[0-9]{11,16}', // Diners Club
  '35(2[89]|[3-8][0-9])[0-9]{12,15}', // JCB
  '(5[06-9]|6[0-9])[0-9]{10,17}', // Maestro, Discover, UnionPay
  '81[0-9]{14,17}', // UnionPay
];

/** The maximum number of range items in a chunk of rows. Reading them takes a few seconds. */
const mostTogether = 4_194_304;

export const mathMacros: Readonly<Record<string, string>> = {
  'sqrt(_x)': raw`CASE WHEN _x < 0 THEN 'nan'::DOUBLE ELSE sqrt(_x) END`,
  'log(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE ln(_x) END`,
  'log2(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE log2(_x) END`,
  'log10(_x)': raw`CASE WHEN _x < 0 THEN NULL WHEN _x = 0 THEN '-inf'::DOUBLE ELSE log10(_x) END`,
  'asin(_x)': raw`CASE WHEN abs(_x) > 1 THEN 'nan'::DOUBLE ELSE asin(_x) END`,
  'acos(_x)': raw`CASE WHEN abs(_x) > 1 THEN 'nan'::DOUBLE ELSE acos(_x) END`,
  'sin(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE sin(_x) END`,
  'cos(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE cos(_x) END`,
  'tan(_x)': raw`CASE WHEN isinf(_x) THEN 'nan'::DOUBLE ELSE tan(_x) END`,
  'cot(_x)': raw`1e0 / apl.tan(_x)`,
  'gamma(_x)': raw`CASE WHEN _x = 0 THEN 'inf'::DOUBLE WHEN _x < 0 AND trunc(_x) = _x THEN 'nan'::DOUBLE ELSE gamma(_x) END`,
  'loggamma(_x)': raw`CASE WHEN _x = 0 THEN 'inf'::DOUBLE ELSE lgamma(_x) END`,
  'pow(_x, _y)': raw`pow(_x, _y)`,
  'round(_x, _digits)': raw`CASE WHEN _digits IS NULL THEN NULL WHEN isfinite(_x) THEN round(_x, CAST(greatest(least(_digits, 15), -300) AS INTEGER)) ELSE _x END`,
  'sign(_x)': raw`CAST(CASE WHEN isnan(_x) THEN NULL WHEN _x > 0 THEN 1 WHEN _x < 0 THEN -1 WHEN _x = 0 THEN 0 END AS BIGINT)`,
  // Integers wrap around at 64 bits. The wide forms use each operand once.
  'wrap(_n)': raw`CAST(((_n + 9223372036854775808::HUGEINT) & 18446744073709551615::HUGEINT) - 9223372036854775808::HUGEINT AS BIGINT)`,
  'plus_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) + CAST(_b AS HUGEINT))`,
  'minus_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) - CAST(_b AS HUGEINT))`,
  'times_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) * CAST(_b AS HUGEINT))`,
  'plus_long(_a, _b)': raw`CASE WHEN TRY(_a + _b) IS NOT NULL THEN TRY(_a + _b) ELSE apl.plus_long_wide(_a, _b) END`,
  'minus_long(_a, _b)': raw`CASE WHEN TRY(_a - _b) IS NOT NULL THEN TRY(_a - _b) ELSE apl.minus_long_wide(_a, _b) END`,
  'times_long(_a, _b)': raw`CASE WHEN TRY(_a * _b) IS NOT NULL THEN TRY(_a * _b) ELSE apl.times_long_wide(_a, _b) END`,
  // Only the minimum integer divided by -1 overflows 64 bits.
  'divide_long(_a, _b)': raw`CASE WHEN _b = -1 THEN apl.minus_long_wide(0, _a) ELSE _a // _b END`,
  'divide_long_wide(_a, _b)': raw`apl.wrap(CAST(_a AS HUGEINT) // CAST(_b AS HUGEINT))`,
  'negate(_n)': raw`-_n`,
  'abs_long(_n)': raw`abs(_n)`,
  'abs_long_wide(_n)': raw`TRY_CAST(abs(CAST(_n AS HUGEINT)) AS BIGINT)`,
  // A remainder is never negative.
  'modulo(_a, _b)': raw`CASE WHEN _b = 0 THEN 'nan'::DOUBLE WHEN _a % _b < 0 THEN _a % _b + abs(_b) ELSE _a % _b END`,
  'modulo_long(_a, _b)': raw`CASE WHEN _b = -1 THEN _a & 0 WHEN _a % _b >= 0 THEN _a % _b WHEN _b < 0 THEN _a % _b - _b ELSE _a % _b + _b END`,
  'modulo_long_wide(_a, _b)': raw`CAST((CAST(_a AS HUGEINT) % CAST(_b AS HUGEINT) + abs(CAST(_b AS HUGEINT))) % CAST(_b AS HUGEINT) AS BIGINT)`,
  'long_range(_from, _to, _step, _most)': raw`generate_series(_from, CASE WHEN _to IS NULL THEN NULL WHEN _step > 0
    THEN least(_to, coalesce(TRY_CAST(CAST(_from AS HUGEINT) + CAST(_step AS HUGEINT) * (_most - 1) AS BIGINT), _to))
    ELSE greatest(_to, coalesce(TRY_CAST(CAST(_from AS HUGEINT) + CAST(_step AS HUGEINT) * (_most - 1) AS BIGINT), _to)) END, nullif(_step, 0))`,
  'real_range(_from, _to, _step, _most)': raw`CASE WHEN _step <> 0 AND (_to - _from) / _step >= 0 THEN to_json(list_transform(
    range(0, CAST(least(floor((_to - _from) / _step + 1e-9) + 1, _most) AS BIGINT)), lambda _i: apl.real_json(_from + _i * _step))) ELSE '[]'::JSON END`,
  'bounded_count(_n, _most)': raw`CASE WHEN _n > _most THEN _most WHEN _n > 0 THEN _n ELSE 0e0 END`,
  'items_together(_from, _to, _step, _most)': raw`apl_together(apl.bounded_count((CAST(_to AS DOUBLE) - _from) / _step + 1, _most), ${mostTogether},
    'The calls of range give {count} items for {rows} rows, and {most} are the most for so many. Take longer steps, shorter ranges or fewer rows.')`,
  'long_range_of_row(_from, _to, _step, _most)': raw`list_transform(list_zip([_from], [_to], [nullif(_step, 0)]), lambda _r:
    CASE WHEN apl.items_together(_r[1], _r[2], _r[3], _most) THEN apl.long_range(_r[1], _r[2], _r[3], _most) END)[1]`,
  'real_range_of_row(_from, _to, _step, _most)': raw`list_transform(list_zip([_from], [_to], [_step]), lambda _r:
    CASE WHEN apl.items_together(_r[1], _r[2], nullif(_r[3], 0), _most) THEN apl.real_range(_r[1], _r[2], _r[3], _most) END)[1]`,
  // Clamps a position to 32 bits, beyond any string or array, so that sums with it stay in range.
  'place(_n)': raw`CASE WHEN _n IS NOT NULL THEN greatest(least(_n, 2147483647), -2147483648) END`,
  'hash(_s)': raw`CASE WHEN _s IS NOT NULL THEN CAST(CAST(hash(_s) AS HUGEINT) - 9223372036854775808 AS BIGINT) END`,
  // The Luhn checksum: from the last digit, every second digit is doubled, and the digits of the products are added up.
  'luhn(_digits)': raw`list_sum(list_transform(string_split(reverse(_digits), ''), lambda _d, _i:
    CASE WHEN _i % 2 = 1 THEN CAST(_d AS BIGINT) ELSE CAST(_d AS BIGINT) * 2 - CASE WHEN CAST(_d AS BIGINT) > 4 THEN 9 ELSE 0 END END)) % 10 = 0`,
  'card_digits(_s)': raw`replace(replace(_s, ' ', ''), '-', '')`,
  'is_card(_s)': raw`CASE WHEN regexp_full_match(apl.card_digits(_s), '${cards.join('|')}') THEN apl.luhn(apl.card_digits(_s)) ELSE false END`,
  'is_imei(_s)': raw`CASE WHEN regexp_full_match(_s, '[0-9]{15}') THEN apl.luhn(_s) ELSE false END`,
};
