/** Log events for benchmarks: about 550 bytes each, fourteen fields at the top, two of them nested. */

import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';

const start = Date.UTC(2026, 0, 1);
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const statuses = [200, 200, 200, 201, 204, 301, 404, 500, 503];
const cities = ['Lisbon', 'Mumbai', 'Osaka', 'Quito', 'Tromsø', 'Zürich', 'New York', 'Nairobi'];
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_3) Firefox/146.0',
  'curl/8.14.1',
];

/** A small generator of pseudo-random numbers, the same on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The times that the events of `count` lie between, half-open. */
export function rangeOf(count: number): { startTime: string; endTime: string } {
  return {
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + count * 10).toISOString(),
  };
}

/** Writes `count` events as NDJSON unless the file is there already; ten milliseconds lie between two. */
export async function writeEvents(path: string, count: number): Promise<number> {
  if (!existsSync(path)) {
    const next = random(20_260_101);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
    const hex = (digits: number) =>
      Array.from({ length: digits / 8 }, () =>
        Math.floor(next() * 4_294_967_296)
          .toString(16)
          .padStart(8, '0'),
      ).join('');
    const file = createWriteStream(`${path}.part`);
    let lines: string[] = [];
    for (let row = 0; row < count; row++) {
      const nanoseconds = String(Math.floor(next() * 1_000_000)).padStart(6, '0');
      const time = new Date(start + row * 10).toISOString().replace('Z', `${nanoseconds}Z`);
      lines.push(
        JSON.stringify({
          _time: time,
          level: pick(['info', 'info', 'info', 'warn', 'error']),
          method: pick(methods),
          uri: `/api/v1/orders/${Math.floor(next() * 50_000)}/items`,
          status: pick(statuses),
          duration: Math.round(next() * 2_000_000) / 1_000,
          bytes: Math.floor(next() * 100_000),
          host: `web-${Math.floor(next() * 12)}.eu-central-1.internal`,
          client: `203.0.113.${Math.floor(next() * 255)}`,
          user_agent: pick(agents),
          trace_id: hex(32),
          message: `request ${row} of session ${hex(16)} finished after retries`,
          geo: {
            city: pick(cities),
            country: pick(['PT', 'IN', 'JP', 'EC', 'NO', 'CH', 'US', 'KE']),
          },
          kubernetes: {
            pod: `orders-${hex(8)}`,
            namespace: pick(['shop', 'billing']),
            node: `ip-10-0-3-${Math.floor(next() * 250)}`,
          },
        }),
      );
      if (lines.length === 5_000 || row === count - 1) {
        if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
        lines = [];
      }
    }
    file.end();
    await once(file, 'close');
    renameSync(`${path}.part`, path);
  }
  return statSync(path).size;
}
