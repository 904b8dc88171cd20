/**
 * SHA-512, which DuckDB lacks, as FIPS 180-4 has it: words are numbers of 64 bits held in UHUGEINT, whose
 * sums are cut. About 0.4 ms a hash. A macro's text is put in as it is, so no two lambdas of macros that call
 * each other share the name of a parameter.
 */
const raw = String.raw;

const word = (1n << 64n) - 1n;

/** The whole part of a root of `n`. */
function root(n: bigint, degree: bigint): bigint {
  let guess = 1n << (BigInt(n.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * guess + n / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** The first 64 bits of the fractions of the roots of the first primes. */
function fractions(count: number, degree: bigint): string {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  }
  const all = primes.map((prime) => root(prime << (64n * degree), degree) & word);
  return `[${all.map((one) => `${one}::UHUGEINT`).join(', ')}]`;
}

const mask = `${word}::UHUGEINT`;

export const sha512Macros: Readonly<Record<string, string>> = {
  'sha_turn(_x, _n)': raw`((_x >> CAST(_n AS UHUGEINT)) | (_x << CAST(64 - _n AS UHUGEINT))) & ${mask}`,
  'sha_small0(_x)': raw`xor(xor(apl.sha_turn(_x, 1), apl.sha_turn(_x, 8)), _x >> 7::UHUGEINT)`,
  'sha_small1(_x)': raw`xor(xor(apl.sha_turn(_x, 19), apl.sha_turn(_x, 61)), _x >> 6::UHUGEINT)`,
  'sha_big0(_x)': raw`xor(xor(apl.sha_turn(_x, 28), apl.sha_turn(_x, 34)), apl.sha_turn(_x, 39))`,
  'sha_big1(_x)': raw`xor(xor(apl.sha_turn(_x, 14), apl.sha_turn(_x, 18)), apl.sha_turn(_x, 41))`,
  'sha_choice(_x, _y, _z)': raw`xor(_x & _y, xor(_x, ${mask}) & _z)`,
  'sha_majority(_x, _y, _z)': raw`xor(xor(_x & _y, _x & _z), _y & _z)`,

  // ── A text of hexadecimal digits, padded, to blocks of 16 words ──
  'sha_half(_hex, _i)': raw`CAST(TRY_CAST('0x' || substring(_hex, _i, 8) AS BIGINT) AS UHUGEINT)`,
  'sha_words(_hex)': raw`list_transform(range(0, length(_hex), 16), lambda _at: apl.sha_half(_hex, _at + 1) * 4294967296::UHUGEINT + apl.sha_half(_hex, _at + 9))`,
  'sha_padded(_hex)': raw`_hex || '80' || repeat('00', (239 - (length(_hex) // 2) % 128) % 128) || lpad(to_hex(length(_hex) * 4), 32, '0')`,
  'sha_blocks(_padded)': raw`list_transform(range(0, length(_padded), 256), lambda _block: apl.sha_words(substring(_padded, _block + 1, 256)))`,

  // ── Rounds; the first item of a reduced list is where it starts from ──
  'sha_schedule(_words)': raw`list_reduce(list_concat([_words], list_transform(range(16, 80), lambda _t: [0::UHUGEINT])),
    lambda _w, _next: list_append(_w, (_w[-16] + apl.sha_small0(_w[-15]) + _w[-7] + apl.sha_small1(_w[-2])) & ${mask}))`,
  'sha_next(_s, _sum)': raw`[(_sum + apl.sha_big0(_s[1]) + apl.sha_majority(_s[1], _s[2], _s[3])) & ${mask},
    _s[1], _s[2], _s[3], (_s[4] + _sum) & ${mask}, _s[5], _s[6], _s[7]]`,
  'sha_rounds(_state, _schedule)': raw`list_reduce(
    list_concat([_state], list_transform(list_zip(_schedule, ${fractions(80, 3n)}), lambda _p: [(_p[1] + _p[2]) & ${mask}])),
    lambda _s, _added: list_transform([(_s[8] + apl.sha_big1(_s[5]) + apl.sha_choice(_s[5], _s[6], _s[7]) + _added[1]) & ${mask}], lambda _sum: apl.sha_next(_s, _sum))[1])`,
  'sha_block(_state, _words)': raw`list_transform(list_zip(_state, apl.sha_rounds(_state, apl.sha_schedule(_words))), lambda _pair: (_pair[1] + _pair[2]) & ${mask})`,
  'sha_digest(_blocks)': raw`list_reduce(list_concat([${fractions(8, 2n)}], _blocks), lambda _before, _words: apl.sha_block(_before, _words))`,
  'sha_hex(_digest)': raw`array_to_string(list_transform(_digest, lambda _word: lpad(lower(to_hex(_word)), 16, '0')), '')`,
  'sha512(_s)': raw`CASE WHEN _s IS NOT NULL THEN list_transform([apl.sha_padded(hex(encode(_s)))], lambda _padded: apl.sha_hex(apl.sha_digest(apl.sha_blocks(_padded))))[1] END`,
};
