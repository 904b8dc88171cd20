/** Log events for benchmarks: about 440 bytes each, twelve fields at the top, two of them nested. */
import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';

/** The field of an event, by its path, and the DuckDB type that its values have. */
export const fields = [
  ['level', 'VARCHAR'],
  ['method', 'VARCHAR'],
  ['uri', 'VARCHAR'],
  ['status', 'BIGINT'],
  ['duration', 'DOUBLE'],
  ['host', 'VARCHAR'],
  ['client', 'VARCHAR'],
  ['trace_id', 'VARCHAR'],
  ['message', 'VARCHAR'],
  ['geo.city', 'VARCHAR'],
  ['geo.country', 'VARCHAR'],
  ['kubernetes.pod', 'VARCHAR'],
  ['kubernetes.namespace', 'VARCHAR'],
  ['kubernetes.node', 'VARCHAR'],
] as const;

const start = Date.UTC(2026, 0, 1);
const levels = ['info', 'info', 'info', 'warn', 'error'];
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const statuses = [200, 200, 200, 201, 204, 301, 404, 500, 503];
const cities = [
  ['Lisbon', 'PT'],
  ['Mumbai', 'IN'],
  ['Osaka', 'JP'],
  ['Quito', 'EC'],
  ['Tromsø', 'NO'],
  ['Zürich', 'CH'],
  ['New York', 'US'],
  ['Nairobi', 'KE'],
] as const;
const ends = ['finished', 'finished', 'finished after Retries', 'was given up: upstream timeout'];

/** A small generator of pseudo-random numbers below 2^32, the same on every machine. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Times as a request states them, half-open. */
export interface Range {
  readonly startTime: string;
  readonly endTime: string;
}

/** The range of the events from the `from`th to before the `to`th; ten milliseconds lie between two. */
export function rangeOf(from: number, to: number): Range {
  const time = (row: number) => new Date(start + row * 10).toISOString();
  return { startTime: time(from), endTime: time(to) };
}

/** Writes `count` events as NDJSON unless the file is there already, and gives its bytes. */
export function writeEvents(path: string, count: number): Promise<number> {
  return writeLines(path, count, event);
}

/** Writes `count` lines, each with its end, unless the file is there already, and gives its bytes. */
export async function writeLines(
  path: string,
  count: number,
  line: (row: number, next: () => number) => string,
): Promise<number> {
  if (!existsSync(path)) {
    const part = `${path}.part`;
    const file = createWriteStream(part, { highWaterMark: 1 << 22 });
    const next = random(20_260_101);
    for (let row = 0; row < count; ) {
      let text = '';
      for (const end = Math.min(row + 5_000, count); row < end; row++) text += line(row, next);
      if (!file.write(text)) await once(file, 'drain');
    }
    file.end();
    await once(file, 'close');
    renameSync(part, path);
  }
  return statSync(path).size;
}

/** A log event as a line of NDJSON. */
export function event(row: number, next: () => number): string {
  const pick = <T>(values: readonly T[]): T => values[next() % values.length] as T;
  const hex = () => next().toString(16).padStart(8, '0');
  const time = new Date(start + row * 10).toISOString().slice(0, -1);
  const [city, country] = pick(cities);
  const fraction = String(next() % 1_000_000).padStart(6, '0');
  return `{"_time":"${time}${fraction}Z","level":"${pick(levels)}","method":"${pick(methods)}","uri":"/api/v1/orders/${next() % 50_000}/items","status":${pick(statuses)},"duration":${(next() % 2_000_000) / 1_000},"host":"web-${next() % 12}.eu-central-1.internal","client":"198.${18 + (next() % 2)}.${next() % 256}.${next() % 256}","trace_id":"${hex()}${hex()}${hex()}${hex()}","message":"request ${row} of session ${hex()}${hex()} ${pick(ends)}","geo":{"city":"${city}","country":"${country}"},"kubernetes":{"pod":"orders-${hex()}","namespace":"${row % 3 === 0 ? 'billing' : 'shop'}","node":"ip-10-0-3-${next() % 250}"}}\n`;
}
