// Converts a zone's local times to seconds since 1970. If clocks go back, a local time occurs twice and the first is
// used. If they go forward, it doesn't exist: the earlier offset applies, which gives a later time. Calendars and
// java.time do the same.

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

/** Zones change offsets at multiples of this many UTC seconds, except before about 1920. */
const STEP = 900;
const CACHED_MAX = 100_000;

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Converts a local time, given as if it were UTC, to seconds since 1970. Throws a RangeError for an unknown zone. */
export function fromLocal(zone: string, local: number): number {
  if (zone === 'UTC') return local;
  // The offsets a day earlier and later are those on both sides of a change.
  const before = offsetAt(zone, local - 86_400);
  const after = offsetAt(zone, local + 86_400);
  const early = local - before;
  if (before === after || offsetAt(zone, early) === before) return early;
  const late = local - after;
  return offsetAt(zone, late) === after ? late : early;
}

/** Returns the seconds that local time is ahead of UTC. */
function offsetAt(zone: string, seconds: number): number {
  let known = offsets.get(zone);
  if (known === undefined || known.size > CACHED_MAX) {
    known = new Map();
    offsets.set(zone, known);
  }
  const step = Math.floor(seconds / STEP);
  let offset = known.get(step);
  if (offset === undefined) {
    offset = computeOffset(zone, step * STEP);
    known.set(step, offset);
  }
  return offset;
}

function computeOffset(zone: string, seconds: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(seconds * 1000)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local.getTime() / 1000 - seconds;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}
