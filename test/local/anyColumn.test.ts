// Tests of any column (`* has "x"`) and terms of `search`: equal to the same test of each column's text.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { random } from './random.ts';

const texts = [
  ...['', 'Zürich', 'zürich', 'ZÜRICH mid', 'error 404', 'a-b', 'true story', 'nan', '5', '-5'],
  ...[
    'inf',
    'İstanbul',
    'ſ',
    'K',
    'x\u001ey',
    'false',
    '2026',
    'foo_bar',
    'foo.bar',
    '404',
    '1h5m',
  ],
];
const mixed = ['404', 404, true, 'x', null, { a: 5 }, [404, 'Zürich'], 0.25];
const columns = ['_time', 'a', 'n', 'r', 'f', 'm', 't'];

// Few, because DuckDB takes milliseconds to compile the pattern of each needle and column.
const needles = [
  ...[
    'Zürich',
    'zür',
    'a',
    '404',
    '-404',
    '-5',
    '-0',
    '0',
    '5',
    '05',
    'fals',
    'nan',
    'e',
    's',
    'K',
    'ſ',
  ],
  ...['2026-01-01', '.', '5m', '9223372036854775808', '{', ' ', 'x\u001ey'],
];

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('s');
  const below = random(7);
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
  const some = (name: string, value: () => unknown) => (below(3) === 0 ? {} : { [name]: value() });
  const events = Array.from({ length: 200 }, (_, i) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + i * 61_234).toISOString(),
    ...some('a', () => pick(texts)),
    ...some('n', () => pick([0, 5, -5, 404, 405, 40404, -404])),
    ...some('r', () => pick([0.5, 1e21, -2.5, 404.404, 1e-7, 5])),
    ...some('f', () => below(2) === 1),
    ...some('m', () => pick(mixed)),
  }));
  await local.stored('s', events);
});
after(() => local.close());

/** Returns the numbers of events that fulfill the conditions. */
async function counts(conditions: readonly string[]): Promise<readonly number[]> {
  const aggregates = conditions.map((condition, i) => `c${i} = countif(${condition})`).join(', ');
  const stages = `extend t = n * 1s | project ${columns.join(', ')} | summarize ${aggregates}`;
  const { status, text, body } = await local.query(`s | ${stages}`, ALL_TIMES);
  assert.equal(status, 200, text);
  return body.tables[0].columns.map(([value]: readonly number[]) => value);
}

describe('a test of any column', () => {
  for (const operator of [
    ...['has', 'has_cs', 'hasprefix', 'hassuffix', 'contains', '!contains', 'contains_cs'],
    ...['startswith', 'endswith', '=~', '!~'],
  ]) {
    it(`equals the test of each column's text: ${operator}`, async () => {
      const isNegated = operator.startsWith('!');
      const positive = operator === '!~' ? '=~' : operator.replace('!', '');
      const literals = needles.map((needle) => JSON.stringify(needle));
      const each = literals.map((literal) =>
        columns.map((name) => `tostring(${name}) ${positive} ${literal}`).join(' or '),
      );
      assert.deepEqual(
        await counts(literals.map((literal) => `* ${operator} ${literal}`)),
        await counts(each.map((tests) => (isNegated ? `not(${tests})` : tests))),
      );
    });
  }

  it('finds the terms of a search', async () => {
    const found = async (stage: string) => {
      const { body } = await local.query(`s | ${stage} | count`, ALL_TIMES);
      return body.tables[0].columns[0][0];
    };
    for (const needle of ['zürich', '404', 'foo', 'true', '2026-01-01']) {
      const literal = JSON.stringify(needle);
      assert.equal(await found(`search ${literal}`), await found(`where * has ${literal}`), needle);
    }
  });
});
