/** Formats a time of day in the time zone of results. */
export function clock(time: number, zone: 'utc' | 'local'): string {
  const date = new Date(time);
  if (zone === 'utc') return `${date.toISOString().slice(11, 19)} UTC`;
  return date.toLocaleTimeString('en-GB');
}
