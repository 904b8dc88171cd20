/** Parses a time that the user typed into a filter. */

const pattern =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[T\s]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?\s*$/i;

/**
 * Returns RFC 3339 in UTC with the fractional digits as typed. Returns undefined if the text isn't a time. A time
 * without an offset is in the given zone, and a date alone means midnight.
 */
export function parseTime(text: string, timeZone: 'utc' | 'local'): string | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', fraction, offset] =
    match;
  const clock = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
  // Reject impossible dates, because Date converts 30 February to a day in March.
  const asUtc = new Date(`${clock}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== clock) return undefined;
  const zone =
    offset === undefined
      ? timeZone === 'utc'
        ? 'Z'
        : ''
      : /^(?:z|utc)$/i.test(offset)
        ? 'Z'
        : offset.replace(/^([+-]\d\d):?/, '$1:');
  const instant = new Date(`${clock}${zone}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  return `${instant.toISOString().slice(0, 19)}${fraction === undefined ? '' : `.${fraction}`}Z`;
}
