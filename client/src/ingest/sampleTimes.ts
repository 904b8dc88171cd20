// Moves the times of bundled samples so that the latest event is now. All files move by the same duration, since their
// events belong together. Digits beyond the millisecond stay.

const TIME = /"_time":"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z"/g;

/** Returns the latest `_time` of a sample in ms since 1970; undefined if it has none. */
export function latestTime(text: string): number | undefined {
  let latest: number | undefined;
  for (const [, seconds, fraction = ''] of text.matchAll(TIME)) {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
    if (latest === undefined || time > latest) latest = time;
  }
  return latest;
}

/** Moves every `_time` by a number of milliseconds. */
export function moveTimes(text: string, milliseconds: number): string {
  return text.replace(TIME, (_, seconds: string, fraction = '') => {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`) + milliseconds;
    const moved = new Date(time).toISOString().slice(0, -1);
    return `"_time":"${moved}${fraction.slice(3)}Z"`;
  });
}
