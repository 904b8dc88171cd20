// Queries that explode in time, memory or planning, sixteen at once: each ends in time with a
// result or a coded error, ingest and small queries still work meanwhile, and memory is released.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLock } from '../../loopback/src/lock.ts';
import { drawn, isLong } from '../drawn.ts';
import { DATASET, explosiveEvent, explosivePlans } from './explosivePlans.ts';
import { explosiveRuns } from './explosiveRuns.ts';
import { call, count, Processes, query, type Running } from './processes.ts';

const AT_ONCE = 16;
const TIMEOUT_S = 5;
/**
 * The additional time that a response may take after the query's timeout, for a loaded machine and
 * a restart.
 */
const LATE_MS = 15_000;
const MEMORY_LIMIT = '1GB';
/** The memory limit, the excess allowed before a restart, and the growth during the restart. */
const RESIDENT_MAX = 1e9 + 2 * 1_073_741_824 + 0.8e9;

/**
 * Queries with long execution and a third of those with long planning, which also have their own
 * test.
 */
const queries: readonly (readonly [name: string, apl: string])[] = drawn([
  ...Object.entries(explosiveRuns),
  ...explosivePlans
    .filter(({ largest, variables }) => largest && variables === undefined)
    .filter((_, i) => i % 3 === 0)
    .map(({ name, apl }) => [name, apl] as const),
]);

let processes: Processes;
let running: Running;
/** The process's log. */
let messages = '';
before(async () => {
  processes = await Processes.create();
  running = await processes.serve(
    'data',
    ...['--memory-limit', MEMORY_LIMIT, '--query-timeout', String(TIMEOUT_S)],
  );
  running.child.stderr!.on('data', (text) => {
    messages += text;
  });
  await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: 'big' }));
  await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: DATASET }));
  await ingest(DATASET, JSON.stringify(explosiveEvent(1)), 1);
  const lines = Array.from({ length: 10_000 }, (_, i) => `{"i":${i},"k":1,"s":"text ${i % 97}"}`);
  for (let part = 0; part < 2; part += 1) await ingest('big', lines.join('\n'), lines.length);
});
after(() => processes.dispose());

async function ingest(dataset: string, lines: string, events: number): Promise<void> {
  const path = `/v1/ingest/${dataset}`;
  const { status, body } = await call(running, 'POST', path, lines, 'application/x-ndjson');
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.ingested, events);
}

/** Returns the process's resident set in bytes, or 0 if the system doesn't report it. */
async function resident(): Promise<number> {
  const lock = await readLock(join(processes.folder, 'data'));
  const text = await readFile(`/proc/${lock?.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1_024;
}

interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly reason: unknown;
  readonly ms: number;
}

/**
 * The outcome of a request whose connection was cut by a restart. After the head of a response, no
 * status can follow, and a request sent during the restart isn't read. Clients repeat such
 * requests. No connection is refused, and a process that has ended isn't a restart.
 */
const CUT_OFF = { status: 503, body: { reason: 'cut off', ingested: 0 } };

function cutOff(error: Error & { cause?: { code?: string } }): typeof CUT_OFF {
  const { exitCode, signalCode } = running.child;
  assert.deepEqual({ exitCode, signalCode }, { exitCode: null, signalCode: null }, messages);
  const code = error.cause?.code ?? '';
  if (error.message === 'terminated' || ['ECONNRESET', 'UND_ERR_SOCKET'].includes(code)) {
    return CUT_OFF;
  }
  throw error;
}

async function ask(name: string, apl: string): Promise<Outcome> {
  const since = performance.now();
  const { status, body } = await query(running, apl).catch(cutOff);
  return { name, status, reason: body.reason, ms: performance.now() - since };
}

describe('explosive queries', () => {
  it("end with a result or a coded error, and don't block ingest or small queries", async () => {
    const outcomes: Outcome[] = [];
    assert.ok(queries.length >= (isLong ? 60 : 6));
    const waiting = queries.toReversed();
    const askers = Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        outcomes.push(await ask(...next));
      }
    });
    let stored = 0;
    let peak = 0;
    const meanwhile = { small: [] as Outcome[], ended: false };
    const small = (async () => {
      while (!meanwhile.ended) {
        meanwhile.small.push(await ask('print', 'print 1'));
        peak = Math.max(peak, await resident());
        await sleep(50);
      }
    })();
    const writer = (async () => {
      await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: 'beside' }));
      while (!meanwhile.ended) {
        const path = '/v1/ingest/beside';
        const { status, body } = await call(running, 'POST', path, '[{"a":1}]').catch(cutOff);
        if (status === 200) stored += body.ingested;
        else assert.equal(status, 503, JSON.stringify(body));
        await sleep(50);
      }
    })();
    await Promise.all(askers);
    meanwhile.ended = true;
    await Promise.all([small, writer]);

    const told = (list: readonly Outcome[]) => JSON.stringify(list, undefined, 1);
    assert.deepEqual(
      outcomes.filter(({ status }) => ![200, 400, 408, 432, 503].includes(status)),
      [],
    );
    assert.deepEqual(
      outcomes.filter(({ status, reason }) => status !== 200 && typeof reason !== 'string'),
      [],
    );
    const late = outcomes.filter(({ ms }) => ms > TIMEOUT_S * 1_000 + LATE_MS);
    assert.deepEqual(late, [], told(late));
    const failed = meanwhile.small.filter(({ status }) => status !== 200 && status !== 503);
    assert.deepEqual(failed, [], told(failed));
    assert.ok(meanwhile.small.filter(({ status }) => status === 200).length >= 5);
    assert.ok(stored >= 2, `${stored} events stored`);
    assert.ok(peak < RESIDENT_MAX, `the process took ${peak} bytes`);

    // The process may be restarting now.
    const since = performance.now();
    while ((await query(running, 'print 1').catch(cutOff)).status === 503) {
      assert.ok(performance.now() - since < LATE_MS, messages);
      await sleep(200);
    }
    // A request that was cut off may have been stored.
    assert.ok((await count(running, 'beside')) >= stored);
    assert.equal(await count(running, 'big'), 20_000);
  });
});
