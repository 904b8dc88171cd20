// Concurrent requests are stored by one statement, and each gets the same response as alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

describe('concurrent ingest requests', () => {
  let local: Deployment;
  before(async () => {
    local = await Deployment.open();
  });
  after(() => local.close());

  const body = (request: number, events = 50) =>
    Array.from({ length: events }, (_, n) =>
      JSON.stringify({ id: request * 1000 + n, text: `text ${n}`, in: { a: n / 2 } }),
    ).join('\n');

  const send = (name: string, text: string, headers: Record<string, string> = {}) =>
    local.ingest(name, text, { headers });

  /**
   * Sends concurrent requests. Returns their responses and the number of times a database
   * connection was used.
   */
  async function sent(name: string, texts: readonly string[]) {
    const { engine } = local.store;
    const { use } = engine;
    let sessions = 0;
    engine.use = (work, signal) => {
      sessions += 1;
      return use.call(engine, work, signal) as ReturnType<typeof work>;
    };
    try {
      const answers = await Promise.all(texts.map((text) => send(name, text)));
      return { answers, sessions };
    } finally {
      engine.use = use;
    }
  }

  it('are stored exactly once each, even if one of them is invalid or unusual', async () => {
    await local.dataset('beside');
    await local.stored('beside', [{ id: -1, text: 'first', in: { a: 0.5 } }]);
    for (const odd of [
      '{"id": 7, "text": ',
      '{"id":999007,"text":"1"}\n{"id":999008,"text":"[x"}',
      '{"id":998007,"new":{"field":true}}',
      '{"id":"text","text":17}',
      '{"id":997007,"_time":"yesterday"}',
    ]) {
      const texts = [...Array.from({ length: 12 }, (_, index) => body(index)), odd];
      texts.splice(3, 0, texts.pop()!);
      const answers = await Promise.all(texts.map((text) => send('beside', text)));
      for (const [index, { status, body: answer }] of answers.entries()) {
        if (texts[index] === odd) continue;
        assert.equal(status, 200);
        assert.deepEqual([answer.ingested, answer.failed], [50, 0]);
      }
    }
    const [row] = await local.rows(
      "['beside'] | where id >= 0 and id < 12000 | summarize n = count(), ids = dcount(id)",
    );
    assert.deepEqual([row!['n'], row!['ids']], [5 * 12 * 50, 12 * 50]);
  });

  it('are reported as stored if their dataset is deleted just afterwards', async () => {
    await local.dataset('deleted');
    const { datasets, engine } = local.store;
    const { get } = datasets;
    const { countWrite } = engine;
    engine.countWrite = () => {
      countWrite.call(engine);
      datasets.get = () => undefined;
    };
    try {
      const { status, body: answer } = await send('deleted', body(1));
      assert.deepEqual([status, answer.ingested], [200, 50]);
    } finally {
      Object.assign(datasets, { get });
      Object.assign(engine, { countWrite });
    }
  });

  it('share insert statements', async () => {
    await local.dataset('shared');
    for (const n of [1, 2]) await local.stored('shared', body(n));
    const { answers, sessions } = await sent(
      'shared',
      Array.from({ length: 32 }, (_, index) => body(index + 3)),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(sessions <= 8, `${sessions} for 32 requests`);
    assert.deepEqual(await local.rows("['shared'] | count"), [{ count: 34 * 50 }]);
  });

  it('use at most six database sessions per request, despite invalid times', async () => {
    await local.dataset('odd');
    for (const n of [1, 2]) await local.stored('odd', body(n));
    const texts = Array.from(
      { length: 16 },
      (_, n) => `{"id":${n},"text":"a","_time":"no time"}\n{"id":${n},"text":"b"}`,
    );
    const { answers, sessions } = await sent('odd', texts);
    assert.ok(answers.every(({ body: { ingested, failed } }) => ingested === 1 && failed === 1));
    // One slow path each, after attempts of the fast path for it alone and together with others.
    assert.ok(sessions <= 16 * 6, `${sessions} for 16 requests`);
  });

  it("don't disable the fast path for RFC 3339 times if their labels differ", async () => {
    await local.dataset('learned');
    for (const n of [1, 2]) await local.stored('learned', body(n));
    const sides = Array.from({ length: 4 }, (_, index) =>
      send('learned', '{"id":1,"text":"~ behind all others"}', {
        'x-axiom-event-labels': `{"text":"${index}"}`,
      }),
    );
    for (const { status, text } of await Promise.all(sides)) assert.equal(status, 200, text);
    assert.equal(local.store.datasets.get('learned')!.reading.plainTimes, true);
  });

  it('share statements despite missing values once the fields with missing values are known', async () => {
    await local.dataset('lacking');
    const full = {
      id: -1,
      text: 'first',
      n: 0.5,
      yes: true,
      in: { a: 'x', b: 1 },
      _time: '2026-01-02T03:04:05Z',
    };
    for (const n of [1, 2]) await local.stored('lacking', [{ ...full, id: -n }]);
    const { reading } = local.store.datasets.get('lacking')!;
    assert.deepEqual([...reading.facts.absent], []);
    const without = (id: number, ...keys: string[]) =>
      JSON.stringify({ ...full, id, ...Object.fromEntries(keys.map((key) => [key, undefined])) });
    const lines = [
      without(1, 'text'),
      without(2, 'n', 'yes'),
      without(3, 'in'),
      without(4, '_time'),
      JSON.stringify({ ...full, id: 5, in: { a: null } }),
      '{"id":6}',
    ];
    await local.stored('lacking', lines.join('\n'));
    assert.deepEqual([...reading.facts.absent].sort(), [
      '/_time',
      '/in/a',
      '/in/b',
      '/n',
      '/text',
      '/yes',
    ]);
    const { answers, sessions } = await sent(
      'lacking',
      Array.from({ length: 16 }, (_, n) => lines.join('\n').replaceAll('"id":', `"id":${n + 1}`)),
    );
    assert.ok(answers.every(({ body: { ingested, failed } }) => ingested === 6 && failed === 0));
    assert.ok(sessions <= 4, `${sessions} for 16 requests`);
    // Events without values and non-events are still told apart.
    const { body: odd } = await send('lacking', '{"_time":"2026-01-02T03:04:05Z"}\nnull\n{}');
    assert.deepEqual([odd.ingested, odd.failed], [2, 1]);
    const [row] = await local.rows(
      "['lacking'] | where id > 0 | summarize n = count(), texts = countif(isnotempty(text)), ns = countif(isnotnull(n)), b = countif(isnotnull(['in.b'])), old = countif(_time < datetime(2026-01-03))",
    );
    assert.deepEqual(row, { n: 17 * 6, texts: 17 * 4, ns: 17 * 4, b: 17 * 3, old: 17 * 4 });
  });

  it('store only their own events, even if a large event follows a long request', async () => {
    await local.dataset('behind');
    const long = Array.from(
      { length: 9_000 },
      (_, id) => `{"id":${id},"text":"${'before '.repeat(40)}"}`,
    );
    await local.stored('behind', long.join('\n'));
    const after = [`{"id":-1,"text":"${'x'.repeat(1_100_000)}"}`, '{"id":-2,"text":"after"}'];
    const { body: answer } = await send('behind', after.join('\n'));
    assert.deepEqual([answer.ingested, answer.failed], [2, 0]);
    assert.deepEqual(await local.rows("['behind'] | count"), [{ count: long.length + 2 }]);
  });

  it('each keep their own labels', async () => {
    await local.dataset('labelled');
    await local.stored('labelled', [{ id: -1, text: 'first', in: { a: 0.5 } }]);
    const send16 = Array.from({ length: 16 }, (_, index) =>
      send('labelled', body(index), { 'x-axiom-event-labels': `{"side":"${index % 2}"}` }),
    );
    for (const { status, text } of await Promise.all(send16)) assert.equal(status, 200, text);
    const rows = await local.rows(
      "['labelled'] | where id >= 0 | summarize n = count() by side, odd = toint(id / 1000) % 2 | order by side asc",
    );
    assert.deepEqual(
      rows.map(({ side, odd, n }) => [side, odd, n]),
      [
        ['0', 0, 400],
        ['1', 1, 400],
      ],
    );
  });
});
