// Stopping queries: by timeout, by memory, and by a restart of the process if nothing else works.
import '../../local/src/threads.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../local/src/engines/engineError.ts';
import { ApiError } from '../../local/src/errors.ts';
import { MemoryWatch } from '../../local/src/memoryWatch.ts';
import { mayRestart } from '../../local/src/restart.ts';
import { Queries } from '../../local/src/store/queries.ts';
import { openStore, type Store } from '../../local/src/store/store.ts';

/**
 * A row whose only expression runs for seconds. DuckDB checks for an interrupt only between chunks
 * of rows.
 */
const DEAF =
  'SELECT list_sum(list_transform(range(60_000), lambda x: list_sum(list_transform(range(2_000), lambda y: x * y))))';

const never = () => new AbortController().signal;

describe('a statement that does not stop', () => {
  let folder: string;
  let store: Store;
  let reportStuck: () => void;
  const stuck = new Promise<void>((resolve) => {
    reportStuck = resolve;
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aplomb-stop-'));
    store = await openStore({
      folder,
      queryTimeoutMs: 100,
      stuckMs: 50,
      onStuck: () => reportStuck(),
    });
  });
  after(async () => {
    await store.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  it('fails on timeout, keeps its slot until it ends, and is reported as stuck', async () => {
    const { engine, queries } = store;
    const began = performance.now();
    const answer = queries.run(
      (signal) => engine.use((session) => session.rows(DEAF), signal),
      never(),
    );
    await assert.rejects(answer, { reason: 'query-time' });
    assert.equal(queries.count, 1);
    await stuck;
    while (queries.count > 0) await sleep(10);
    const took = performance.now() - began;
    assert.ok(took > 250, `it took ${took} ms, so nothing was stuck`);
  });
});

describe('work that runs out of memory', () => {
  /** Runs `run` next to a query that runs until it is stopped. Returns the number of attempts. */
  async function short(
    run: (queries: Queries, work: () => Promise<never>) => Promise<unknown>,
    error: Error,
  ) {
    const queries = new Queries(16, 60_000);
    const running = queries
      .run(
        (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
        never(),
      )
      .catch(({ reason }: ApiError) => reason);
    while (queries.count === 0) await sleep(1);
    let times = 0;
    const failed = await run(queries, () => {
      times += 1;
      return Promise.reject(error);
    }).catch((thrown: unknown) => thrown);
    assert.equal(failed, error);
    return { times, stopped: queries.count === 0 && (await running) };
  }

  it('is retried after the longest-running query was stopped', async () => {
    const error = new EngineError('Out of Memory', 'memory');
    const { times, stopped } = await short((queries, work) => queries.withMemory(work), error);
    assert.equal(stopped, 'query-memory');
    assert.ok(times > 1, `${times}`);
  });

  it('is not retried if it was stopped to free memory', async () => {
    const error = new ApiError('query-memory');
    const { times, stopped } = await short((queries, work) => queries.withMemory(work), error);
    assert.deepEqual([times, stopped], [1, false]);
  });

  it('is retried for a query only if an older query could be stopped', async () => {
    const error = new ApiError('query-memory');
    const after = await short(
      (queries, work) => queries.queryWithMemory(work, performance.now()),
      error,
    );
    assert.equal(after.stopped, 'query-memory');
    const began = performance.now() - 60_000;
    const earlier = await short((queries, work) => queries.queryWithMemory(work, began), error);
    assert.deepEqual([earlier.times, earlier.stopped], [1, false]);
  });
});

describe('the memory watch', () => {
  /** Creates a watch over memory set by the test, and queries that end when stopped. */
  function watched() {
    const queries = new Queries(16, 60_000);
    const state = { bytes: 0, restarts: 0 };
    const watch = new MemoryWatch({
      queries,
      limitBytes: 100,
      restartBytes: 200,
      measure: () => state.bytes,
      log: () => undefined,
      restart: () => {
        state.restarts += 1;
      },
    });
    const query = () =>
      queries
        .run(
          (signal) =>
            new Promise<never>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
          never(),
        )
        .catch((error: ApiError) => error.reason);
    return { state, watch, queries, query };
  }

  it('stops only the longest-running query if that reduces memory below the limit', async () => {
    const { state, watch, queries, query } = watched();
    const [first, second] = [query(), query()];
    state.bytes = 150;
    assert.equal(await first, 'query-memory');
    state.bytes = 50;
    await sleep(700);
    assert.equal(queries.count, 1);
    state.bytes = 150;
    assert.equal(await second, 'query-memory');
    assert.equal(state.restarts, 0);
    watch.end();
  });

  it('stops all queries halfway between the limit and the restart threshold', async () => {
    const { state, watch, query } = watched();
    const all = [query(), query(), query()];
    state.bytes = 160;
    const began = performance.now();
    assert.deepEqual(await Promise.all(all), Array(3).fill('query-memory'));
    // Stopped one at a time, each after waiting for memory to be released, they would take longer.
    assert.ok(performance.now() - began < 900);
    assert.equal(state.restarts, 0);
    watch.end();
  });

  it('stops all queries and restarts if memory is far above the limit', async () => {
    const { state, query } = watched();
    const all = [query(), query(), query()];
    state.bytes = 250;
    assert.deepEqual(new Set(await Promise.all(all)), new Set(['query-memory']));
    await sleep(300);
    assert.equal(state.restarts, 1);
  });
});

describe('restarts', () => {
  it('are refused after ten in a minute', () => {
    const times = Array.from({ length: 10 }, (_, i) => 1_000_000 + i);
    assert.equal(mayRestart(times, 1_000_020), false);
    assert.equal(mayRestart(times, 1_060_001), true);
    assert.equal(mayRestart(times.slice(1), 1_000_020), true);
  });
});
