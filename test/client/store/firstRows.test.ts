/** The first rows of an answer in the store: read while the rest arrives, completed, aborted, cut off, or not offered. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldAnswer, StoreEvent } from '../../../client/src/answers/heldAnswer.ts';
import { storeSink } from '../../../client/src/answers/storeSink.ts';
import { Arrival } from '../../../client/src/answers/worker/arrival.ts';
import { ask } from '../../../client/src/service/ask.ts';
import { bodyOf, numberedColumns, patient, rowsBodyOf } from '../../table/tables.ts';
import { LoopbackServer } from '../loopback.ts';
import { about, arrive, newStore } from './stores.ts';

const rows = 20_000;
const columns = numberedColumns(rows);
const body = Buffer.from(rowsBodyOf(columns));
const half = body.length >> 1;
const arrival = { roundTripMilliseconds: 1 };

const store = newStore();
const events: StoreEvent[] = [];
store.onDidChange((event) => events.push(event));
after(() => store.dispose());

/** Begins an answer and writes half of its body. Returns it with its first rows. */
async function arriveHalf() {
  let offered = (_: HeldAnswer | undefined) => {};
  const first = new Promise<HeldAnswer | undefined>((resolve) => {
    offered = resolve;
  });
  const arriving = store.begin(about('half'), false, () => offered(store.get(arriving.id)));
  await arriving.write(body.subarray(0, half));
  return { arriving, first: await first };
}

const drawing = { columns: [0, 1, 2], timeZone: 'utc' } as const;

describe('the first rows of an answer', () => {
  it('are read while the rest arrives, and all rows afterwards', async () => {
    const { arriving, first } = await arriveHalf();
    assert.equal(first?.state, 'arriving');
    const count = first.head.tables[0]?.rowCount ?? 0;
    assert.ok(count >= 2_000 && count < rows, `${count} rows`);
    const place = { answer: arriving.id, table: 0 };
    const window = await store.rows('window', { ...place, from: 1_998, to: 2_000, ...drawing });
    assert.deepEqual(window.rows, [
      ['1998', 'row 1998', '2026-11-21 09:14:02.01998'],
      ['1999', 'row 1999', '2026-11-21 09:14:02.01999'],
    ]);
    await arriving.write(body.subarray(half));
    const { state, head } = await arriving.finish(arrival);
    assert.deepEqual([state, head.tables[0]?.rowCount], ['ready', rows]);
    const last = await store.rows('row', { ...place, row: rows - 1 });
    assert.equal(last.cells[1]?.text, `row ${rows - 1}`);
    const types = events.flatMap((event) => ('answer' in event ? event.type : []));
    assert.deepEqual([types[0], types.at(-1)], ['arriving', 'added']);
  });

  it('keep the arrangement that the page reported', async () => {
    const { arriving } = await arriveHalf();
    const viewState = { table: 0, tables: [] };
    store.setViewState(arriving.id, viewState);
    await arriving.write(body.subarray(half));
    assert.equal((await arriving.finish(arrival)).viewState, viewState);
  });

  it('are counted and sorted only after all rows have arrived', async () => {
    const { arriving } = await arriveHalf();
    const place = { answer: arriving.id, table: 0 };
    const arranged = store.rows('arrange', {
      ...place,
      order: [{ column: 0, descending: true }],
      filters: [],
    });
    const summary = store.rows('summary', { ...place, column: 0, top: 0, bins: 1 });
    const early = await Promise.race([arranged, summary, sleep(50, 'waiting')]);
    assert.equal(early, 'waiting');
    await arriving.write(body.subarray(half));
    await arriving.finish(arrival);
    assert.deepEqual(await arranged, { rowCount: rows, totalRows: rows });
    assert.equal((await summary).rowCount, rows);
    const { cells } = await store.rows('row', { ...place, row: 0 });
    assert.equal(cells[0]?.text, String(rows - 1));
  });

  it('are removed if the answer is aborted, and pending requests fail', async () => {
    const { arriving } = await arriveHalf();
    const place = { answer: arriving.id, table: 0 };
    const values = store.rows('values', { ...place, column: 0, search: '', limit: 1 });
    const rejected = assert.rejects(values, { code: 'gone' });
    await arriving.abort();
    await rejected;
    assert.equal(store.get(arriving.id), undefined);
    await assert.rejects(store.rows('row', { ...place, row: 0 }), { code: 'gone' });
  });

  it('do not hold a cancelled request until the rest has arrived', async () => {
    const { arriving } = await arriveHalf();
    const controller = new AbortController();
    const params = { answer: arriving.id, table: 0, column: 0, search: '', limit: 1 };
    const values = store.rows('values', params, { signal: controller.signal });
    controller.abort();
    await assert.rejects(Promise.race([values, sleep(1_000)]), { code: 'cancelled' });
    await arriving.abort();
  });

  it('are removed if the worker ends', async (t) => {
    const crashing = newStore({ worker: new URL('./crashingWorker.ts', import.meta.url) });
    t.after(() => crashing.dispose());
    const complete = await arrive(crashing, bodyOf(columns));
    const first = new Promise<void>((resolve) => {
      const arriving = crashing.begin(about('half'), false, resolve);
      void arriving.write(body.subarray(0, half));
    });
    await first;
    const crashed = new Promise<void>((resolve) =>
      crashing.onDidChange(({ type }) => type === 'crashed' && resolve()),
    );
    crashing.rows('valuesToOffer', { answer: complete.id }).catch(() => {});
    await crashed;
    assert.deepEqual(
      crashing.answers.map(({ id, state }) => [id, state]),
      [[complete.id, 'lost']],
    );
  });

  it('are counted as of the end of each chunk, even if the next chunk is being decoded', async () => {
    const arrival = new Arrival({ maxBytes: 1e9 });
    const chunks = [body.subarray(0, half), body.subarray(half, -100)];
    const counts = await Promise.all(chunks.map((chunk) => arrival.chunk(chunk, patient)));
    const [first, second] = counts as [number, number];
    assert.ok(first < second, `${first} and ${second} rows`);
  });

  it('are removed if the rest is malformed', async () => {
    const { arriving, first } = await arriveHalf();
    assert.ok(first);
    await arriving.write(Buffer.from('] no'));
    await assert.rejects(arriving.finish(arrival), { code: 'malformed' });
    assert.equal(store.get(arriving.id), undefined);
  });

  it('are removed if the connection ends in the middle, and the query fails', async () => {
    await using server = await LoopbackServer.start(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.subarray(0, half));
      // The rows are shown before the connection ends.
      while (shown === undefined) await sleep(5);
      response.destroy();
    });
    let shown: HeldAnswer | undefined;
    const arriving = store.begin(about('cut'), false, () => {
      shown = store.get(arriving.id);
    });
    const outcome = await ask(
      { apl: "['logs']", startTime: 'now-1h', endTime: 'now' },
      { service: server.service(), timeoutMs: 10_000, byRow: true },
      storeSink(arriving),
    );
    assert.equal(server.received[0]?.url, '/v1/query/_apl?format=tabular-rows');
    assert.equal(outcome.ok, false);
    assert.equal(shown?.state, 'arriving');
    assert.equal(store.get(arriving.id), undefined);
  });

  for (const [what, bytes] of [
    ['by column', Buffer.from(bodyOf(columns))],
    [
      'as summaries',
      Buffer.from(
        rowsBodyOf(columns).replace('"name":"0",', '"name":"0","groups":[{"name":"n"}],'),
      ),
    ],
    [
      'before the fields',
      Buffer.from(rowsBodyOf(columns).replace(/("fields":\[.*?\]),("rows":.*)\}\]\}$/, '$2,$1}]}')),
    ],
    [
      'before the status',
      Buffer.from(rowsBodyOf(columns).replace(/^\{"status":\{\},(.*)\}$/, '{$1,"status":{}}')),
    ],
  ] as const) {
    it(`are not offered if they arrive ${what}`, async () => {
      let isOffered = false;
      const arriving = store.begin(about('whole'), false, () => {
        isOffered = true;
      });
      await arriving.write(bytes);
      const { head } = await arriving.finish(arrival);
      assert.equal(head.tables[0]?.rowCount, rows);
      assert.equal(isOffered, false);
    });
  }
});
