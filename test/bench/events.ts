// Log events for benchmarks: about 552 bytes of NDJSON each, 14 top-level fields, two of them objects.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { random } from '../local/random.ts';

/** The columns of the events as DuckDB reads and flattens them, in the order of `read_json`. */
export const EVENT_COLUMNS: readonly (readonly [name: string, type: string, from: string])[] = [
  ['_time', 'TIMESTAMP_NS', '_time'],
  ['id', 'VARCHAR', 'id'],
  ['method', 'VARCHAR', 'method'],
  ['path', 'VARCHAR', 'path'],
  ['status', 'BIGINT', 'status'],
  ['duration_ms', 'DOUBLE', 'duration_ms'],
  ['bytes', 'BIGINT', 'bytes'],
  ['host', 'VARCHAR', 'host'],
  ['user_agent', 'VARCHAR', 'user_agent'],
  ['remote', 'VARCHAR', 'remote'],
  ['tls', 'BOOLEAN', 'tls'],
  ['message', 'VARCHAR', 'message'],
  ['geo.city', 'VARCHAR', 'geo.city'],
  ['geo.country', 'VARCHAR', 'geo.country'],
  ['geo.lat', 'DOUBLE', 'geo.lat'],
  ['trace.id', 'VARCHAR', 'trace.id'],
  ['trace.span', 'VARCHAR', 'trace.span'],
  ['trace.sampled', 'BOOLEAN', 'trace.sampled'],
];

/** What `read_json` is told of the events: objects as structs. */
export const EVENT_READ_COLUMNS = `{_time: 'TIMESTAMP_NS', id: 'VARCHAR', method: 'VARCHAR', path: 'VARCHAR',
  status: 'BIGINT', duration_ms: 'DOUBLE', bytes: 'BIGINT', host: 'VARCHAR', user_agent: 'VARCHAR',
  remote: 'VARCHAR', tls: 'BOOLEAN', message: 'VARCHAR',
  geo: 'STRUCT(city VARCHAR, country VARCHAR, lat DOUBLE)',
  trace: 'STRUCT(id VARCHAR, span VARCHAR, sampled BOOLEAN)'}`;

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  'curl/8.5.0',
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const STATUSES = [200, 200, 200, 200, 200, 201, 204, 301, 404, 404, 500, 503];
const PLACES = [
  ['Lisbon', 'PT', 38.7223],
  ['Berlin', 'DE', 52.52],
  ['Tokyo', 'JP', 35.6762],
  ['Austin', 'US', 30.2672],
  ['Lagos', 'NG', 6.5244],
] as const;

const START = Date.UTC(2026, 0, 1);
const STEP_MS = 86;

/** Writes `count` events, one a line, from a fixed seed. */
export async function writeEvents(file: string, count: number): Promise<void> {
  const next = random(1);
  const out = createWriteStream(file);
  let lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    lines.push(JSON.stringify(event(index, next)));
    if (lines.length === 10_000 || index === count - 1) {
      if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
      lines = [];
    }
  }
  out.end();
  await once(out, 'close');
}

function event(index: number, next: (below: number) => number) {
  const hex = (digits: number) =>
    Array.from({ length: digits / 4 }, () => next(65_536).toString(16).padStart(4, '0')).join('');
  const [city, country, lat] = PLACES[next(PLACES.length)]!;
  const time = new Date(START + index * STEP_MS).toISOString().slice(0, -1);
  return {
    _time: `${time}${String(next(1_000_000)).padStart(6, '0')}Z`,
    id: `req-${hex(20)}`,
    method: METHODS[next(METHODS.length)],
    path: `/api/v1/resource${next(200)}/items/${next(10_000)}`,
    status: STATUSES[next(STATUSES.length)],
    duration_ms: next(2_000_000) / 1_000 + 0.001,
    bytes: next(1_000_000),
    host: `web-${next(40)}.eu-west.internal.example.com`,
    user_agent: AGENTS[next(AGENTS.length)],
    remote: `10.${next(256)}.${next(256)}.${next(256)}`,
    tls: next(10) < 9,
    message: `handled by worker ${next(64)} of pool ${next(8)} after ${next(5)} attempts, cache ${next(2) ? 'hit' : 'miss'}`,
    geo: { city, country, lat: lat + next(1_000) / 100_000 },
    trace: { id: hex(32), span: hex(16), sampled: next(10) === 0 },
  };
}
