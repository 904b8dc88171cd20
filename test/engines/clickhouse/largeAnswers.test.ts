/** Answers that are longer than the memory that the process may use for them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Deployment } from '../../local/deployment.ts';
import { TOKEN } from '../../local/deployment.ts';
import { eventsOf, openOn, type Server, startServer } from './deployment.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const ROWS = 500_000;
const MB = 1_000_000;

let server: Server;
let local: Deployment;

before(async () => {
  server = await startServer();
  local = await openOn(server, 'large');
  await local.dataset('logs');
  const first = { _time: '2026-01-01T00:00:00Z', n: 0, message: 'first', geo: { city: 'Zürich' } };
  await local.stored('logs', [first]);
  const { clickhouse } = eventsOf(local);
  await clickhouse.run(
    `INSERT INTO "large"."logs" (_time, _sysTime, _row, "n:integer", "message:string", "geo.city:string")
       SELECT addSeconds(toDateTime64('2026-01-01 00:00:01', 9, 'UTC'), intDiv(number, 1000)), now64(9), number, number,
         concat('message ', toString(number), repeat(' "quoted"', number % 128)), if(number % 3 = 0, NULL, 'Zürich')
       FROM numbers(${ROWS - 1})`,
  );
});
after(async () => {
  await local.close();
  await server.stop();
});

async function ask(apl: string, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({
    apl,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2026-01-02T00:00:00Z',
  });
  const response = await local.app(
    new Request('http://127.0.0.1/v1/query/_apl?format=tabular', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body,
      ...(signal && { signal }),
    }),
  );
  return response as unknown as Response;
}

const everything = `logs | project n, message, ['geo.city'] | take ${ROWS}`;

function spoolFiles(): string[] {
  return readdirSync(join(local.folder, 'spool'));
}

describe('an answer from ClickHouse that is longer than the memory for it', () => {
  // The first test, because the process keeps memory that others needed.
  it('needs little memory', async () => {
    let most = 0;
    const before = process.memoryUsage().rss;
    const timer = setInterval(() => {
      // Data that was sent or written is garbage and must not be counted.
      collect();
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 50);
    let bytes = 0;
    for await (const part of (await ask(everything)).body!) bytes += part.byteLength;
    clearInterval(timer);
    assert.ok(bytes > 300 * MB, String(bytes));
    assert.ok(most < 150 * MB, `${most} more bytes for an answer of ${bytes}`);
  });

  it('has all values', async () => {
    const [table] = JSON.parse(await (await ask(everything)).text()).tables;
    const [numbers, messages, cities] = table.columns as [number[], string[], (string | null)[]];
    assert.equal(numbers.length, ROWS);
    const expected = (n: number) => `message ${n}${' "quoted"'.repeat(n % 128)}`;
    let [sum, wrong] = [0, 0];
    for (const [i, n] of numbers.entries()) {
      sum += n;
      if (messages[i] === 'first') continue;
      if (messages[i] !== expected(n) || cities[i] !== (n % 3 === 0 ? null : 'Zürich')) wrong += 1;
    }
    assert.deepEqual([sum, wrong], [((ROWS - 2) * (ROWS - 1)) / 2, 0]);
  });

  it('leaves no file behind if it is not read to its end', async () => {
    const stop = new AbortController();
    const reader = (await ask(everything, stop.signal)).body!.getReader();
    await reader.read();
    stop.abort();
    await reader.cancel().catch(() => undefined);
    while (local.store.queries.count > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(spoolFiles(), []);
  });
});
