// Requests that come side by side are stored by one statement, and each still gets the answer it would
// get alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gapsOf, isLookalike, joined, liesIn } from '../../local/src/store/ingest/lookalikes.ts';
import { Together } from '../../local/src/store/ingest/together.ts';
import { Deployment } from './deployment.ts';

const never = new AbortController().signal;
const nothing = new Set<unknown>();

/** A queue whose work notes the items it is handed. */
function queue(enough = 10, atOnce = 1) {
  const together = new Together<string, number>(enough, atOnce);
  const done: string[] = [];
  const work = async (items: readonly string[]) => {
    done.push(items.join(''));
    await sleep(5);
    if (items.includes('!')) throw new Error('broken');
    return items.length;
  };
  const run = (item: string, { key = 'k', signal = never, coming = nothing } = {}) =>
    together.run({ key, item, weight: 1, work, signal }, coming);
  return { run, done };
}

describe('work that waits', () => {
  it('is done in one go when its turn comes', async () => {
    const { run, done } = queue();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd']);
    assert.deepEqual(results, [4, 4, 4, 4]);
    const first = run('e');
    await sleep(1);
    assert.deepEqual(await Promise.all([first, run('f'), run('g')]), [1, 2, 2]);
    assert.deepEqual(done, ['abcd', 'e', 'fg']);
  });

  it('is done in as many lots at once as may be', async () => {
    const together = new Together<string, number>(10, 2);
    const lots: { items: string; end: () => void }[] = [];
    const work = (items: readonly string[]) =>
      new Promise<number>((end) =>
        lots.push({ items: items.join(''), end: () => end(items.length) }),
      );
    const run = async (item: string) => {
      const result = together.run({ key: 'k', item, weight: 1, work, signal: never }, nothing);
      await sleep(1);
      return { result };
    };
    const results = [await run('a'), await run('b'), await run('c'), await run('d')];
    assert.deepEqual(
      lots.map(({ items }) => items),
      ['a', 'b'],
    );
    lots[1]!.end();
    assert.equal(await results[1]!.result, 1);
    await sleep(1);
    assert.equal(lots[2]!.items, 'cd');
    for (const { end } of lots) end();
    assert.deepEqual(await Promise.all(results.map(({ result }) => result)), [1, 1, 2, 2]);
  });

  it('leaves to the next lot what is more than twice enough', async () => {
    const { run, done } = queue(2);
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd', 'ef']);
  });

  it('goes with what has its key only, in the order in which it came', async () => {
    const { run, done } = queue();
    const keys = ['x', 'y', 'x', 'y', 'z'];
    await Promise.all(keys.map((key, index) => run(`${index}`, { key })));
    assert.deepEqual(done, ['02', '13', '4']);
  });

  it('fails together, and what comes later does not', async () => {
    const { run, done } = queue();
    const broken = [run('a'), run('!')];
    for (const each of broken) await assert.rejects(each, /broken/);
    assert.equal(await run('b'), 1);
    assert.deepEqual(done, ['a!', 'b']);
  });

  it('is left out once it is given up', async () => {
    const { run, done } = queue();
    const abort = new AbortController();
    const running = run('a');
    await sleep(1);
    const waiting = [run('b', { signal: abort.signal }), run('c')];
    abort.abort(new Error('given up'));
    await assert.rejects(waiting[0]!, /given up/);
    assert.deepEqual(await Promise.all([running, waiting[1]]), [1, 1]);
    assert.deepEqual(done, ['a', 'c']);
  });

  it('waits for what is known to come, until it is enough', async () => {
    const { run, done } = queue(3);
    const coming = new Set<unknown>(['b', 'c', 'never']);
    const first = run('a', { coming });
    await sleep(20);
    assert.deepEqual(done, []);
    await Promise.all([first, run('b', { coming }), run('c', { coming })]);
    assert.deepEqual(done, ['abc']);
    await run('d', { coming });
    assert.deepEqual(done, ['abc', 'd']);
  });
});

describe('requests side by side', () => {
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
    local.ingest(name, text, {
      // Without it each counts as the largest body there may be, and few are worked on at once.
      headers: { 'content-length': String(Buffer.byteLength(text)), ...headers },
    });

  /** The answers to requests side by side, and how often a connection to the database was borrowed. */
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

  it('are stored once each, whatever is wrong with one of them', async () => {
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

  it('share a statement', async () => {
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

  it('that each need a close look get one, and no more', async () => {
    await local.dataset('odd');
    for (const n of [1, 2]) await local.stored('odd', body(n));
    const texts = Array.from(
      { length: 16 },
      (_, n) => `{"id":${n},"text":"a","_time":"no time"}\n{"id":${n},"text":"b"}`,
    );
    const { answers, sessions } = await sent('odd', texts);
    assert.ok(answers.every(({ body: { ingested, failed } }) => ingested === 1 && failed === 1));
    // One close look each, and for each the tries of the quick way before it, alone and together.
    assert.ok(sessions <= 16 * 6, `${sessions} for 16 requests`);
  });

  it('that learn the same of texts side by side learn nothing false of times', async () => {
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

  it('that lack values are stored all the same, and learned from once', async () => {
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
    assert.deepEqual([...reading.seen.absent], []);
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
    assert.deepEqual([...reading.seen.absent].sort(), [
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
    // Events without any value, and what is no event, are still told from others.
    const { body: odd } = await send('lacking', '{"_time":"2026-01-02T03:04:05Z"}\nnull\n{}');
    assert.deepEqual([odd.ingested, odd.failed], [2, 1]);
    const [row] = await local.rows(
      "['lacking'] | where id > 0 | summarize n = count(), texts = countif(isnotempty(text)), ns = countif(isnotnull(n)), b = countif(isnotnull(['in.b'])), old = countif(_time < datetime(2026-01-03))",
    );
    assert.deepEqual(row, { n: 17 * 6, texts: 17 * 4, ns: 17 * 4, b: 17 * 3, old: 17 * 4 });
  });

  it('have nothing of each other, also when a long one comes before one to be mended', async () => {
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

  it('of other labels are not mixed up', async () => {
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

describe('texts and what looks like other values', () => {
  let local: Deployment;
  before(async () => {
    local = await Deployment.open();
  });
  after(() => local.close());

  const lookalikes = [
    '-',
    '-1',
    '-Infinity',
    '-z',
    '0',
    '1.5e3',
    '9~',
    'Infinity',
    'NaN',
    '[',
    '[]',
    '[~',
    'false',
    'true',
    '{',
    '{}',
    '{~',
  ];
  const texts = [
    '',
    ' ',
    '#',
    ',~',
    '.',
    '/api',
    ':',
    'GET',
    'I',
    'Infinitx',
    'Infinity ',
    'M',
    'NaM',
    'NaO',
    'Z',
    '\\',
    'a',
    'falsd',
    'falsea',
    'g',
    'm',
    'trud',
    'trueish',
    'z',
    '|',
    '~',
    'é',
    '日本',
    '😀',
    '\u0000',
  ];

  it('are told apart by the gaps that texts lie in', async () => {
    const rows = (sql: string) => local.store.engine.use((session) => session.rows<boolean[]>(sql));
    const quoted = (text: string) =>
      text === '\u0000' ? 'chr(0)' : `'${text.replaceAll("'", "''")}'`;
    const one = async (conditions: readonly string[]) =>
      (await rows(`SELECT ${conditions.join(', ')}`))[0]!;
    assert.deepEqual(
      await one([...lookalikes, ...texts].map((text) => isLookalike(quoted(text)))),
      [...lookalikes.map(() => true), ...texts.map(() => false)],
    );
    for (const least of texts) {
      const most = texts.filter(
        (text) => Buffer.compare(Buffer.from(text), Buffer.from(least)) >= 0,
      );
      for (const greatest of most) {
        const gaps = gapsOf(least, greatest);
        assert.deepEqual(joined(gapsOf(least, least), gapsOf(greatest, greatest)), gaps);
        const between = most.filter(
          (text) => Buffer.compare(Buffer.from(text), Buffer.from(greatest)) <= 0,
        );
        const found = await one(
          [...lookalikes, ...between].map((text) => liesIn(quoted(text), gaps)),
        );
        assert.deepEqual(found, [...lookalikes.map(() => false), ...between.map(() => true)]);
      }
    }
    assert.deepEqual(await one([liesIn('NULL', gapsOf('', '~'))]), [null]);
  });
});
