// Writers use a deployment on ClickHouse while either process is killed repeatedly. Every acknowledged event is stored
// once, and no event is stored twice.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong, seed } from '../../drawn.ts';
import { Processes, type Running } from '../../local/processes.ts';
import { random } from '../../local/random.ts';
import { ClickHouseServer } from '../server/server.ts';
import { type Server, startServer } from './deployment.ts';

/** Kills of each process. */
const KILLS = isLong ? 100 : 5;
const WRITERS = 6;
const EVENTS_MAX = 400;

const DAY_MS = 86_400_000;

/** A sent request: the number of its events, and whether the deployment has acknowledged them. */
interface Sent {
  readonly events: number;
  readonly days: number;
  acknowledged: boolean;
}

let server: Server;
let clickhouse: ClickHouseServer;
let processes: Processes;
let deployment: Running;
before(async () => {
  server = await startServer();
  ({ clickhouse } = server);
  processes = await Processes.create();
  deployment = await start();
});
after(async () => {
  await processes?.dispose();
  await clickhouse?.stop();
  await server?.stop();
});

function start(): Promise<Running> {
  const url = clickhouse.url;
  return processes.start('data', '--engine', 'clickhouse', '--clickhouse-url', url);
}

async function post(path: string, body: string, type: string): Promise<number> {
  const { url, token } = deployment;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

it('keeps every acknowledged event once, whichever process is killed', async (t) => {
  const next = random(seed);
  const created = await post(
    '/v2/datasets',
    JSON.stringify({ name: 'killed' }),
    'application/json',
  );
  assert.equal(created, 200);
  const sent = new Map<number, Sent>();
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    (async () => {
      while (!isOver) {
        const id = sent.size;
        const request = { events: 1 + next(EVENTS_MAX), days: 1 + next(3), acknowledged: false };
        sent.set(id, request);
        const status = await post(
          '/v1/datasets/killed/ingest',
          ...bodyOf(id, request, writer),
        ).catch(() => 0);
        request.acknowledged = status === 200;
        if (status !== 200) await sleep(50);
      }
    })(),
  );
  const kills = { clickhouse: 0, deployment: 0 };
  while (kills.clickhouse < KILLS || kills.deployment < KILLS) {
    await sleep(100 + next(700));
    const isServer = kills.deployment === KILLS || (kills.clickhouse < KILLS && next(2) === 0);
    if (isServer) {
      await clickhouse.kill();
      await sleep(next(300));
      clickhouse = await ClickHouseServer.start(server.folder, { port: clickhouse.port });
      kills.clickhouse += 1;
    } else {
      const exited = once(deployment.child, 'exit');
      deployment.child.kill('SIGKILL');
      await exited;
      deployment = await start();
      kills.deployment += 1;
    }
  }
  await sleep(500);
  isOver = true;
  await Promise.all(writers);
  await check(sent);
  const acknowledged = [...sent.values()].filter((request) => request.acknowledged);
  t.diagnostic(
    `${acknowledged.length} of ${sent.size} requests acknowledged, ${JSON.stringify(kills)}`,
  );
  assert.ok(acknowledged.length > 2 * KILLS);
});

/** Most bodies have a known shape, some add a field, and some are CSV. */
function bodyOf(id: number, { events, days }: Sent, writer: number): [string, string] {
  const first = Date.parse('2024-01-01');
  const numbers = Array.from({ length: events }, (_, number) => number);
  const timeOf = (number: number) => new Date(first + (number % days) * DAY_MS).toISOString();
  if (writer === 0) {
    const lines = numbers.map((number) => `${timeOf(number)},${id},${number},x`);
    return [['_time,request,number,text', ...lines].join('\n'), 'text/csv'];
  }
  const more = id % 20 === 0 ? { [`field${id}`]: id } : {};
  const lines = numbers.map((number) =>
    JSON.stringify({
      _time: timeOf(number),
      request: id,
      number,
      text: `${id}-${number}`,
      ...more,
    }),
  );
  return [lines.join('\n'), 'application/x-ndjson'];
}

async function check(sent: ReadonlyMap<number, Sent>): Promise<void> {
  // Values of CSV are strings.
  const storedValue = (name: string) => `coalesce(toString("${name}:integer"), "${name}:string")`;
  const sql = `SELECT ${storedValue('request')}, count(), uniqExact(${storedValue('number')}), uniqExact(_row)
    FROM aplomb.killed GROUP BY 1 FORMAT JSONCompactEachRow`;
  const lines = (await clickhouse.run(sql)).split('\n').filter((line) => line !== '');
  const stored = new Map(
    lines.map((line) => JSON.parse(line).map(Number)).map(([id, ...row]) => [id, row]),
  );
  for (const [id, { events, days, acknowledged }] of sent) {
    const [count = 0, different = 0, rows = 0] = stored.get(id) ?? [];
    const found = `request ${id}: ${count} of ${events} events, ${different} different, acknowledged: ${acknowledged}`;
    assert.equal(different, count, found);
    assert.equal(rows, count, found);
    if (acknowledged) assert.equal(count, events, found);
    // Each day of a block is stored at once, so a request that wasn't acknowledged may be stored in part.
    else if (days === 1) assert.ok(count === 0 || count === events, found);
  }
}
