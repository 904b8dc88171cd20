/** The store with its worker thread: arriving answers, windows of rows, limits, failures, and recovery from a crash. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreEvent } from '../../../client/src/answers/heldAnswer.ts';
import { storeSink } from '../../../client/src/answers/storeSink.ts';
import { initialViewState } from '../../../table/src/viewState.ts';
import { answerBody } from '../../bench/workbench/answerBody.ts';
import { bodyOf } from '../../table/tables.ts';
import { about, arrive, newStore } from './stores.ts';

const body = bodyOf(
  [
    ['_time', 'datetime', ['"2026-11-21T09:14:02.5Z"', '"2026-11-21T09:14:02Z"', 'null']],
    ['id', 'integer', ['9007199254740993', '9223372036854775807', '1']],
    ['value', 'float', ['-0.0', 'null', '1e-7']],
    ['text', 'string', ['"line\\nbreak"', '""', 'null']],
    ['a.b', 'map', ['{"a":[1,9007199254740993]}', 'null', '[]']],
  ],
  '"fieldsMetaMap":{"logs":[{"name":"value","type":"float","unit":"ms","description":"How long"},{"name":"id","type":"integer","unit":"none","hidden":true},{"name":"text","type":"string","hidden":false}]},',
);

/** Copies a body into a buffer that threads can share. */
function shared(text: string): Uint8Array<SharedArrayBuffer> {
  const bytes = Buffer.from(text);
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

describe('an answer in the store', () => {
  const store = newStore();
  after(() => store.dispose());

  it('has the metadata of the response, and returns exact rows for a window', async () => {
    const answer = await arrive(store, body);
    assert.equal(answer.state, 'ready');
    assert.equal(answer.arrival.traceId, 'trace');
    assert.deepEqual(answer.head.datasetNames, ['logs']);
    const [table] = answer.head.tables;
    assert.equal(table?.rowCount, 3);
    assert.deepEqual(table?.sources, ['logs']);
    assert.deepEqual(table?.fields[2], {
      name: 'value',
      type: 'float',
      unit: 'ms',
      description: 'How long',
    });
    assert.deepEqual(table?.fields[1], { name: 'id', type: 'integer', hidden: true });
    const place = { answer: answer.id, table: 0 };
    const window = await store.rows('window', {
      ...place,
      from: -5,
      to: 50,
      columns: [0, 1, 2, 3, 4],
      timeZone: 'utc',
    });
    assert.deepEqual(window, {
      from: 0,
      numbers: [0, 1, 2],
      rows: [
        [
          '2026-11-21 09:14:02.5',
          '9007199254740993',
          '-0.0',
          'line⏎break',
          '{"a":[1,9007199254740993]}',
        ],
        ['2026-11-21 09:14:02.0', '9223372036854775807', null, '', null],
        [null, '1', '1e-7', null, '[]'],
      ],
    });
    const row = await store.rows('row', { ...place, row: 0 });
    assert.deepEqual(
      row.cells.map(({ text }) => text),
      [
        '2026-11-21T09:14:02.5Z',
        '9007199254740993',
        '-0.0',
        'line\nbreak',
        '{"a":[1,9007199254740993]}',
      ],
    );
    assert.ok(Object.is(row.cells[2]?.value, -0));
    assert.deepEqual(row.cells[4]?.value, { a: [1, 9_007_199_254_740_993n] });
    assert.deepEqual(await store.rows('cell', { ...place, row: 1, column: 3 }), {
      value: '',
      text: '',
    });
    assert.deepEqual(
      await store.rows('sizes', { ...place, columns: [0, 2], rows: 50, timeZone: 'utc' }),
      [{ characters: 21 }, { characters: 4, decimals: 1 }],
    );
  });

  it('applies its sort order and filters to windows, rows and copies', async () => {
    const answer = await arrive(store, body);
    const place = { answer: answer.id, table: 0 };
    const arranged = await store.rows('arrange', {
      ...place,
      order: [{ column: 1, descending: true }],
      filters: [{ column: 1, kind: 'number', from: '2' }],
    });
    assert.deepEqual(arranged, { rowCount: 2, totalRows: 3 });
    const window = await store.rows('window', {
      ...place,
      from: 0,
      to: 9,
      columns: [1],
      timeZone: 'utc',
    });
    assert.deepEqual(window.rows, [['9223372036854775807'], ['9007199254740993']]);
    assert.deepEqual(window.numbers, [1, 0]);
    const copied = await store.rows('copy', {
      ...place,
      blocks: [{ fromRow: 0, toRow: 2, columns: [3, 1] }],
      format: 'csv',
      options: {},
      maxCharacters: 1_000,
    });
    assert.equal(
      copied.text.replaceAll('\r\n', '\n'),
      'text,id\n"",9223372036854775807\n"line\nbreak",9007199254740993',
    );
    assert.equal(copied.rows, 2);
    await assert.rejects(store.rows('row', { ...place, row: 2 }), { code: 'invalid' });
  });

  it('with a malformed body is rejected with the location of the error, and is not stored', async () => {
    const count = store.answers.length;
    await assert.rejects(arrive(store, body.replace('9007199254740993', '9.')), {
      name: 'StoreError',
      code: 'malformed',
      message: /tables\[0\]\.columns\[1\]\[0\]/,
    });
    await assert.rejects(arrive(store, body.slice(0, -4)), {
      code: 'malformed',
      message: /ends early/,
    });
    assert.equal(store.answers.length, count);
  });

  it('is decoded from shared buffers that are reused, including bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(bodyOf([['text', 'string', Array(60_000).fill('"häufig ?"')]]));
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x3f) bytes[at] = 0xff;
    const sink = storeSink(store.begin(about('shared'), false));
    const buffers = new Set<SharedArrayBuffer>();
    let buffer: SharedArrayBuffer | undefined;
    for (let at = 0; at < bytes.length; at += 10_000) {
      buffer ??= new SharedArrayBuffer(10_000);
      buffers.add(buffer);
      const chunk = new Uint8Array(buffer);
      const part = bytes.subarray(at, at + 10_000);
      chunk.set(part);
      buffer = await sink.chunk(chunk.subarray(0, part.length));
    }
    const { id, head } = await sink.finish({ roundTripMilliseconds: 3 });
    assert.equal(head.tables[0]?.rowCount, 60_000);
    assert.ok(buffers.size <= 8, `${buffers.size} buffers`);
    const row = { answer: id, table: 0, row: 59_999 };
    assert.equal((await store.rows('cell', { ...row, column: 0 })).value, 'häufig �');
  });

  it('can be the sink of a query, and reports a malformed body as unreadable', async () => {
    const held = storeSink(store.begin(about('sink'), false));
    await held.chunk(shared(body));
    const answer = await held.finish({ roundTripMilliseconds: 3 });
    assert.equal(answer.head.tables[0]?.rowCount, 3);
    const malformed = storeSink(store.begin(about('sink'), false));
    await malformed.chunk(shared('{"tables":5'));
    await assert.rejects(malformed.finish({ roundTripMilliseconds: 3 }), {
      kind: 'unreadable',
      message: 'it ends early at tables (byte 11)',
    });
  });

  it('that is aborted rejects further writes', async () => {
    const arriving = store.begin(about('aborted'), false);
    await arriving.write(Buffer.from('{"sta'));
    await arriving.abort();
    await assert.rejects(arriving.write(Buffer.from('tus"')), /aborted/);
  });

  it('that exceeds the memory limit is rejected until the limit is raised', async () => {
    const small = newStore({ maxBytes: 1_000 });
    await assert.rejects(arrive(small, answerBody(2_000, 6)), {
      code: 'memory',
      message: /needs more than/,
    });
    small.configure({ maxBytes: 10_000_000 });
    assert.equal((await arrive(small, answerBody(2_000, 6))).state, 'ready');
    await small.dispose();
  });

  it('is exported completely, in the displayed order', async () => {
    const answer = await arrive(store, body);
    const place = { answer: answer.id, table: 0 };
    await store.rows('arrange', {
      ...place,
      order: [{ column: 1, descending: false }],
      filters: [],
    });
    const folder = await mkdtemp(join(tmpdir(), 'store-'));
    const path = join(folder, 'rows.ndjson');
    const request = {
      ...place,
      format: 'ndjson',
      options: {},
      path,
      name: 'logs',
      columns: [1, 2],
      allRows: false,
    };
    const exported = await store.rows('export', request);
    assert.equal(exported.rows, 3);
    assert.equal(
      await readFile(path, 'utf8'),
      '{"id":1,"value":1e-7}\n{"id":9007199254740993,"value":-0.0}\n{"id":9223372036854775807,"value":null}\n',
    );
    await rm(folder, { recursive: true });
  });

  it('appends the rows of another page, including a new column', async () => {
    const answer = await arrive(store, body);
    const place = { answer: answer.id, table: 0 };
    const more = store.append(place);
    await more.write(
      Buffer.from(
        bodyOf([
          ['text', 'string', ['"next"', '"\\ud800"']],
          ['id', 'integer', ['"mixed"', '-5']],
          ['new', 'integer', ['1', 'null']],
        ]),
      ),
    );
    const joined = await more.finish({ roundTripMilliseconds: 1 });
    assert.equal(joined.id, answer.id);
    assert.equal(joined.head.tables[0]?.rowCount, 5);
    const window = await store.rows('window', {
      ...place,
      from: 2,
      to: 5,
      columns: [1, 3, 5],
      timeZone: 'utc',
    });
    assert.deepEqual(window.rows, [
      ['1', null, null],
      ['mixed', 'next', '1'],
      ['-5', '[U+D800]', null],
    ]);
    const first = await store.rows('cell', { ...place, row: 0, column: 1 });
    assert.equal(first.value, 9_007_199_254_740_993n);
  });
});

describe('the store', () => {
  it('evicts and reports the least recently shown answers, except pinned ones', async (t) => {
    const store = newStore({ maxBytes: 400_000 });
    t.after(() => store.dispose());
    const events: string[] = [];
    store.onDidChange((event: StoreEvent) => {
      if (event.type === 'added' || event.type === 'changed')
        events.push(`${event.type} ${event.answer.about.title} ${event.answer.state}`);
    });
    const bodies = [...answerBody(2_000, 6)];
    const [first, second] = [
      await arrive(store, bodies, { title: 'first' }),
      await arrive(store, bodies, { title: 'second' }),
    ];
    store.pin(first.id, true);
    store.shown(second.id);
    const third = await arrive(store, bodies, { title: 'third' });
    assert.deepEqual(
      store.answers.map(({ about: { title }, state }) => `${title} ${state}`),
      ['first ready', 'second evicted', 'third ready'],
    );
    assert.ok(events.includes('changed second evicted'));
    await assert.rejects(store.rows('cell', { answer: second.id, table: 0, row: 0, column: 0 }), {
      code: 'gone',
    });
    await assert.rejects(store.restore(second.id), { code: 'gone' });
    await store.drop(third.id);
    assert.equal(store.get(third.id), undefined);
  });

  it('reports the answers lost in a crash of the worker, and restores those on disk', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'store-'));
    const store = newStore({
      worker: new URL('./crashingWorker.ts', import.meta.url),
      disk: { folder, maxBytes: 10_000_000 },
    });
    t.after(() => store.dispose());
    const kept = await arrive(store, body, { keep: true });
    const other = await arrive(store, body);
    const crashed = new Promise<StoreEvent>((resolve) =>
      store.onDidChange((event) => event.type === 'crashed' && resolve(event)),
    );
    await assert.rejects(store.rows('valuesToOffer', { answer: kept.id }), {
      code: 'gone',
      message: /ended unexpectedly/,
    });
    await crashed;
    assert.deepEqual(
      store.answers.map(({ state }) => state),
      ['lost', 'lost'],
    );
    await assert.rejects(store.restore(other.id), { code: 'gone' });
    const restored = await store.restore(kept.id);
    assert.equal(restored.state, 'ready');
    const cell = await store.rows('cell', { answer: kept.id, table: 0, row: 0, column: 1 });
    assert.equal(cell.value, 9_007_199_254_740_993n);
    await rm(folder, { recursive: true });
  });

  it('keeps the view state with the answer', async () => {
    const store = newStore();
    const answer = await arrive(store, body);
    store.setViewState(answer.id, { ...initialViewState, table: 1 });
    assert.equal(store.get(answer.id)?.viewState.table, 1);
    await store.dispose();
  });
});

describe('long tasks', () => {
  const rowCount = 150_000;

  it('do not block reads of windows, and end when they are cancelled or superseded', async (t) => {
    const store = newStore();
    t.after(() => store.dispose());
    const answer = await arrive(store, answerBody(rowCount, 8));
    const place = { answer: answer.id, table: 0 };
    const order = [5, 3, 0].map((column) => ({ column, descending: true }));
    let progress = 0;
    const tasks = [
      store.rows('arrange', { ...place, order, filters: [] }),
      store.rows(
        'find',
        {
          ...place,
          text: '42',
          options: { match: 'contains', caseSensitive: false },
          columns: [0, 1, 4, 5, 7],
          timeZone: 'utc',
        },
        { onProgress: () => progress++ },
      ),
      store.rows('summary', { ...place, column: 5, top: 5, bins: 20 }),
    ];
    const waits: number[] = [];
    let isRunning = true;
    const all = Promise.all(tasks).finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      const started = performance.now();
      await store.rows('window', {
        ...place,
        from: 1_000,
        to: 1_050,
        columns: [0, 1, 2, 3],
        timeZone: 'utc',
      });
      waits.push(performance.now() - started);
      await sleep(5);
    }
    await all;
    waits.sort((left, right) => left - right);
    // The limit allows for a busy machine. Without slices, a window would take seconds.
    const usual = waits[Math.floor(waits.length * 0.9)] ?? 0;
    assert.ok(waits.length > 5 && usual < 150, `windows took ${usual} ms`);
    const cancel = new AbortController();
    const cancelled = store.rows(
      'arrange',
      { ...place, order, filters: [] },
      { signal: cancel.signal },
    );
    cancel.abort();
    await assert.rejects(cancelled, { code: 'cancelled' });
    const first = store.rows('arrange', { ...place, order, filters: [] });
    const second = store.rows('arrange', { ...place, order: [], filters: [] });
    await assert.rejects(first, { code: 'cancelled' });
    assert.deepEqual(await second, { rowCount, totalRows: rowCount });
  });
});

describe('a store that is closed', () => {
  it('rejects calls and starts no thread', async () => {
    const store = newStore();
    const { id } = await arrive(store, body);
    await store.dispose();
    await assert.rejects(arrive(store, body), { code: 'gone' });
    const span = { answer: id, table: 0, from: 0, to: 1, columns: [0], timeZone: 'utc' } as const;
    await assert.rejects(store.rows('window', span));
    assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'));
  });
});
