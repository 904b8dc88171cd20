// Unions and joins that multiply a dataset's rows, over enough events that running them would use
// all memory. A query that multiplies rows too often is refused during planning, however it is
// nested, and the others run.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';

const EVENTS = 1_530;
/** Ends a query that should have been refused. */
const ENDS_MS = 30_000;
const VIEWS = 30;

let local: Deployment;
before(async () => {
  local = await Deployment.open({ memoryLimit: '1GB' });
  await local.dataset('ds');
  await local.stored(
    'ds',
    Array.from({ length: EVENTS }, (_, i) => ({
      _time: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
      a: i,
      s: `text ${i % 97}`,
    })),
  );
  await view('double0', "['ds']");
  for (let i = 1; i <= VIEWS; i++) await view(`double${i}`, `let t = double${i - 1}; t | union t`);
  const field = { dataset: 'ds', name: 'isKnown', expression: 'a >= 0' };
  assert.equal((await local.call('POST', '/v2/vfields', field)).status, 200);
});
after(() => local.close());

async function view(name: string, aplQuery: string): Promise<void> {
  assert.equal((await local.call('POST', '/v2/views', { name, aplQuery })).status, 200, name);
}

function ask(apl: string) {
  return local.query(apl, ALL_TIMES, { signal: AbortSignal.timeout(ENDS_MS) });
}

/**
 * Returns let statements of tables, each derived from the previous one by `step`, and a query of
 * the last one.
 */
function chain(
  count: number,
  step: (name: string) => string,
  query = (name: string) => `${name} | count`,
): string {
  const lets = Array.from({ length: count }, (_, i) => `let t${i + 1} = ${step(`t${i}`)};\n`);
  return `let t0 = ['ds'];\n${lets.join('')}${query(`t${count}`)}`;
}

const doubled = (table: string) => `${table} | union ${table}`;
const unionOf = (count: number) => `union ${Array(count).fill("(['ds'] | project a)").join(', ')}`;

const refused: Readonly<Record<string, string>> = {
  'a let in a union with itself 29 times': chain(29, doubled),
  'a let in a union with itself 14 times': chain(14, doubled),
  'a limit on 29 unions': chain(29, doubled, (t) => `${t} | take 10`),
  'a summary of 29 unions': chain(29, doubled, (t) => `${t} | summarize sum(a) by s`),
  'a membership test on unions': chain(
    29,
    doubled,
    (t) => `['ds'] | where a in ((${t} | project a)) | count`,
  ),
  'unions that start with both sides': chain(29, (t) => `union (${t}), (${t})`),
  'filters between unions': chain(29, (t) => `${t} | where a > 1 | union (${t} | where a < 1000)`),
  'computed columns between unions': chain(
    29,
    (t) => `${t} | extend b = a + 1 | union (${t} | project a, s)`,
  ),
  'a virtual field between unions': chain(29, (t) => `${t} | where isKnown | union (${t})`),
  'large limits between unions': chain(
    29,
    (t) => `${doubled(t)} | sort by a asc | take 1000000000`,
  ),
  'views of views': `double${VIEWS} | count`,
  'a view in a union with itself': chain(10, (t) => `union double5, (${doubled(t)}), double5`),
  'joins of doubled rows': chain(
    5,
    (t) => `${doubled(t)} | join kind=inner (${doubled(t)}) on a | project a`,
  ),
  'outer joins of doubled rows': chain(
    5,
    (t) => `${doubled(t)} | join kind=fullouter (${doubled(t)}) on a | project a`,
  ),
  'a join of two large unions': `${unionOf(101)} | join kind=inner (${unionOf(101)}) on a | count`,
};

/** Queries that run, with their results. */
const run: Readonly<Record<string, readonly [apl: string, answer: number]>> = {
  'a union of 200 tables': [`${unionOf(200)} | count`, 200 * EVENTS],
  'a let in a union with itself 13 times': [chain(13, doubled), 2 ** 13 * EVENTS],
  'a view of views': ['double8 | count', 2 ** 8 * EVENTS],
  'a summarized union joined with itself': [
    `let t = ${unionOf(200)} | summarize n = count() by a; t | join (t) on a | count`,
    EVENTS,
  ],
  'a union joined with one row for each key': [
    `${unionOf(200)} | join kind=innerunique (${unionOf(200)}) on a | count`,
    200 * EVENTS,
  ],
  'a union among the rows of another': [
    `${unionOf(200)} | join kind=leftsemi (${unionOf(200)}) on a | count`,
    200 * EVENTS,
  ],
  'a let joined with itself without doubled rows': [
    chain(10, (t) => `${t} | join kind=inner (${t}) on a | project a, s`),
    EVENTS,
  ],
  'unions of a few rows each': [
    chain(29, (t) => `${doubled(t)} | sort by a asc, s asc | take 100`),
    100,
  ],
  'unions with distinct rows': [chain(12, (t) => `${doubled(t)} | distinct a, s`), EVENTS],
};

describe('a query with unions or joins', () => {
  for (const [name, apl] of Object.entries(refused)) {
    it(`is rejected if it copies stored rows too often: ${name}`, async () => {
      const { status, body, text } = await ask(apl);
      assert.equal(status, 400, text);
      assert.equal(body.errors[0].code, 'too-complex');
      assert.match(body.message, /each stored row into more than 10,000 rows/);
    });
  }

  for (const [name, [apl, answer]] of Object.entries(run)) {
    it(`runs if it doesn't copy stored rows too often: ${name}`, async () => {
      const { status, body, text } = await ask(apl);
      assert.equal(status, 200, text);
      assert.equal(body.tables[0].columns[0][0], answer);
    });
  }

  it('leaves no statement running', () => {
    assert.equal(local.store.queries.count, 0);
  });
});
