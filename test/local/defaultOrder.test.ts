// Tests `defaultOrder` in a request: it applies unless the query has its own order, and unknown
// fields are reported.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, type Answer, Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.dataset('more');
  const mixed = [3, 'b', 1.5, null, 'a', 10, true, -2];
  await local.stored(
    'logs',
    mixed.map((value, n) => ({
      _time: `2026-01-01T00:00:0${n}Z`,
      n: (n * 5) % 8,
      host: `h${n % 3}`,
      mixed: value,
      at: `2026-01-0${8 - n}`,
    })),
  );
  await local.stored('more', [
    { _time: '2026-01-02T00:00:00Z', n: 4.5, host: 'h1' },
    { _time: '2026-01-01T12:00:00Z', n: 100, host: 'h9' },
  ]);
});
after(() => local.close());

type Order = readonly (readonly [field: string, desc: boolean])[];

async function ask(apl: string, order: Order, members: object = {}): Promise<Answer> {
  const defaultOrder = order.map(([field, desc]) => ({ field, desc }));
  const answer = await local.query(apl, { ...ALL_TIMES, defaultOrder, ...members });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** Returns the values of a column, in order. */
async function column(name: string, apl: string, order: Order, members: object = {}) {
  const { body } = await ask(apl, order, members);
  const [{ fields, columns }] = body.tables;
  return columns[fields.findIndex((field: { name: string }) => field.name === name)];
}

const byN: Order = [['n', false]];
const ascending = [0, 1, 2, 3, 4, 5, 6, 7];

describe('defaultOrder', () => {
  for (const [what, apl, name, order, expected] of [
    ['events', 'logs', 'n', byN, ascending],
    [
      'events by two keys',
      'logs',
      'n',
      [
        ['host', true],
        ['n', true],
      ],
      [2, 1, 5, 4, 3, 7, 6, 0],
    ],
    ['a plain projection', 'logs | project n', 'n', byN, ascending],
    ['a renamed column', 'logs | project m = n', 'm', [['m', true]], ascending.toReversed()],
    ['a field removed by project', 'logs | project m = n', 'm', byN, ascending],
    ['a computed column', 'logs | extend m = 10 - n | project n, m', 'n', [['m', true]], ascending],
    [
      'a recomputed column',
      'logs | extend n = -n',
      'n',
      byN,
      ascending.map((n) => 0 - n).toReversed(),
    ],
    ['distinct values', 'logs | distinct host', 'host', [['host', true]], ['h2', 'h1', 'h0']],
    [
      'groups',
      'logs | summarize c = count() by host',
      'host',
      [['host', true]],
      ['h2', 'h1', 'h0'],
    ],
    [
      'groups by an aggregate',
      'logs | summarize c = sum(n) by host',
      'c',
      [['c', false]],
      [3, 12, 13],
    ],
    [
      'an unnamed aggregate',
      'logs | summarize sum(n) by host',
      'sum_n',
      [['sum_n', false]],
      [3, 12, 13],
    ],
    ['a union', 'union logs, more', 'n', byN, [0, 1, 2, 3, 4, 4.5, 5, 6, 7, 100]],
    ['a union after a stage', 'logs | where n > 4 | union more', 'n', byN, [4.5, 5, 6, 7, 100]],
    ['a join', 'logs | join kind=inner more on host | project n', 'n', byN, [3, 4, 5]],
    [
      'a column of several types',
      'logs | project mixed',
      'mixed',
      [['mixed', false]],
      [null, -2, 1.5, 3, 10, 'a', 'b', true],
    ],
    [
      'a dynamic column',
      'logs | project d = todynamic(tostring(n))',
      'd',
      [['d', true]],
      ascending.toReversed(),
    ],
    ['rows of a datatable', 'datatable(a:long) [2, 3, 1]', 'a', [['a', false]], [1, 2, 3]],
    ['expanded rows', 'print a = dynamic([2, 3, 1]) | mv-expand a', 'a', [['a', false]], [1, 2, 3]],
    ['a limit', 'logs | project n | limit 3', 'n', byN, [0, 1, 2]],
    [
      'limited groups',
      'logs | summarize c = sum(n) by host | limit 2',
      'c',
      [['c', false]],
      [3, 12],
    ],
    ['a column computed after a limit', 'logs | limit 3 | project n = -n', 'n', byN, [-2, -1, 0]],
    ['a limit of computed rows', 'logs | extend m = 10 - n | limit 2', 'n', [['m', false]], [7, 6]],
    ['an explicit order', 'logs | sort by n desc', 'n', byN, ascending.toReversed()],
    ['the first rows of an explicit order', 'logs | top 2 by n desc', 'n', byN, [7, 6]],
    [
      'groups of ordered rows',
      'logs | sort by n desc | summarize c = count() by host',
      'host',
      [['host', true]],
      ['h2', 'h1', 'h0'],
    ],
  ] as const) {
    it(`applies to ${what}: ${apl}`, async () => {
      assert.deepEqual(await column(name, apl, order), expected);
      const { messages } = (await ask(apl, order)).body.status;
      assert.deepEqual(messages, []);
    });
  }

  it('decides which rows the default limit keeps', async () => {
    assert.deepEqual(await column('n', 'logs', byN, { defaultLimit: 2 }), [0, 1]);
    const groups = 'logs | summarize c = sum(n) by host';
    assert.deepEqual(await column('c', groups, [['c', false]], { defaultLimit: 2 }), [3, 12]);
    assert.deepEqual(
      await column('n', 'union logs, more', [['n', true]], { defaultLimit: 2 }),
      [100, 7],
    );
  });

  it('applies to the bins and totals of a time series, and to the groups kept by a limit', async () => {
    const apl = 'logs | summarize c = sum(n) by bin(_time, 4s), host';
    const [bins, totals] = (await ask(apl, [['c', false]])).body.tables;
    assert.deepEqual(bins.columns[2], [1, 2, 5, 6, 7, 7]);
    assert.deepEqual(totals.columns[1], [3, 12, 13]);
    const limited = (await ask(`${apl} | limit 1`, [['c', false]])).body.tables;
    assert.deepEqual(limited[1].columns[1], [3]);
    assert.equal(new Set(limited[0].columns[1]).size, 1);
    const few = (await ask(apl, [['host', true]], { defaultLimit: 1 })).body.tables;
    assert.deepEqual([new Set(few[0].columns[1]), few[1].columns[0]], [new Set(['h2']), ['h2']]);
  });

  it('is reported as the order of the result table', async () => {
    const order = async (apl: string, fields: Order) =>
      (await ask(apl, fields)).body.tables[0].order;
    assert.deepEqual(await order('logs | distinct host', [['host', true]]), [
      { field: 'host', desc: true },
    ]);
    assert.deepEqual(await order('logs', [['mixed', false]]), [{ field: 'mixed', desc: false }]);
    assert.deepEqual(await order('logs | project host', byN), []);
  });

  it('keeps events newest first if it is empty, names only unknown fields, or is _time descending', async () => {
    const newest = [3, 6, 1, 4, 7, 2, 5, 0];
    assert.deepEqual(await column('n', 'logs', []), newest);
    assert.deepEqual(await column('n', 'logs', [['_time', true]]), newest);
    assert.deepEqual(await column('n', 'logs', [['nothing', true]]), newest);
  });

  it('supports paging with cursors if _time is its only field', async () => {
    const asked = { includeCursor: true };
    const first = (await ask('logs | project n | limit 3', [['_time', false]], asked)).body;
    assert.deepEqual(first.tables[0].columns[0], [0, 5, 2]);
    const cursor = first.status.maxCursor;
    const next = await column('n', 'logs | project n | limit 3', [['_time', false]], { cursor });
    assert.deepEqual(next, [7, 4, 1]);
  });
});

describe("a defaultOrder field that the result doesn't have", () => {
  for (const [apl, order, unknown] of [
    ['logs', [['nope', true]], ['nope']],
    ['logs | summarize count() by host', byN, ['n']],
    [
      'logs | distinct host',
      [
        ['host', false],
        ['_time', true],
      ],
      ['_time'],
    ],
    ['union (logs | project host), (more | project host)', byN, ['n']],
    [
      'logs | count',
      [
        ['a', true],
        ['b', true],
        ['a', false],
      ],
      ['a', 'b'],
    ],
  ] as const) {
    it(`is reported: ${apl}`, async () => {
      const { messages } = (await ask(apl, order)).body.status;
      assert.deepEqual(
        messages.map(({ priority, code, msg }: Record<string, string>) => [priority, code, msg]),
        unknown.map((field) => [
          'warn',
          'default_order_unknown_field',
          `The result has no field "${field}", which defaultOrder names.`,
        ]),
      );
    });
  }

  it('is not reported if the query sorts its rows', async () => {
    const { messages } = (await ask('logs | sort by n asc', [['nope', true]])).body.status;
    assert.deepEqual(messages, []);
  });
});
