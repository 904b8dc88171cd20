/** Times of day, in the zone that results are shown in. */

export function clock(time: number, zone: 'utc' | 'local'): string {
  const date = new Date(time);
  if (zone === 'utc') return `${date.toISOString().slice(11, 19)} UTC`;
  return date.toLocaleTimeString('en-GB');
}
