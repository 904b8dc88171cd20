// Moves the times of bundled samples so that the latest event happens now. All files move by the same
// length, since their events belong together; digits beyond the millisecond stay as they are.

const TIME = /"_time":"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z"/g;

/** The latest `_time` of a sample's text, in milliseconds since 1970; undefined if it has none. */
export function latestTime(text: string): number | undefined {
  let latest: number | undefined;
  for (const [, seconds, fraction = ''] of text.matchAll(TIME)) {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
    if (latest === undefined || time > latest) latest = time;
  }
  return latest;
}

/** The text with every `_time` moved by a whole number of milliseconds. */
export function moveTimes(text: string, milliseconds: number): string {
  return text.replace(TIME, (_, seconds: string, fraction = '') => {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`) + milliseconds;
    const moved = new Date(time).toISOString().slice(0, -1);
    return `"_time":"${moved}${fraction.slice(3)}Z"`;
  });
}
