/** Reads a time as a person types it into a filter. */

const pattern =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[T\s]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?\s*$/i;

/**
 * RFC 3339 in UTC with the digits of the second as typed, or undefined where the text is not a time. A time
 * without an offset is in the given zone; a day alone begins at midnight.
 */
export function parseTime(text: string, timeZone: 'utc' | 'local'): string | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', fraction, offset] =
    match;
  const clock = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
  // Date takes 30 February for the first or second of March.
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
