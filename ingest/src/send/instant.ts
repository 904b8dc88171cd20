/** Parses RFC 3339 text as nanoseconds since 1970; undefined if it is invalid. */
export function instant(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const at = Date.parse(`${seconds.replace(/[t ]/, 'T')}${zone.toUpperCase()}`);
  if (Number.isNaN(at)) return undefined;
  return BigInt(at) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
