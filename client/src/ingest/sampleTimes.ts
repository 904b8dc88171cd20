// Moves the times of bundled samples so that the latest event is now. All files are moved by the same duration, because
// their events are related. Digits below the millisecond are kept.

const TIME = /"_time":"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z"/g;

/** Returns the latest `_time` in milliseconds since 1970; undefined if there is none. */
export function latestTime(text: string): number | undefined {
  let latest: number | undefined;
  for (const [, seconds, fraction = ''] of text.matchAll(TIME)) {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
    if (latest === undefined || time > latest) latest = time;
  }
  return latest;
}

export function moveTimes(text: string, milliseconds: number): string {
  return text.replace(TIME, (_, seconds: string, fraction = '') => {
    const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`) + milliseconds;
    const moved = new Date(time).toISOString().slice(0, -1);
    return `"_time":"${moved}${fraction.slice(3)}Z"`;
  });
}
