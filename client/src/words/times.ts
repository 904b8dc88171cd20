// Parts of times in sentences, for hosts and pages.

/** Formats an offset from UTC in minutes: `UTC+02:00`. */
export function utcOffset(minutes: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
