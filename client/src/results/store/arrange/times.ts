/** Points in time of RFC 3339, in any time zone, as nanoseconds since 1970. */

const pattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Nanoseconds since 1970, further digits cut; the text must be a time. */
export function nanosOf(text: string): bigint {
  const [, date, clock, fraction = '', zone = 'Z'] = pattern.exec(text) ?? [];
  const milliseconds = Date.parse(`${date}T${clock}${zone.toUpperCase()}`);
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
