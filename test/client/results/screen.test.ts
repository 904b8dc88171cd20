/** The data of an answer for the results page: notices, summaries, the initial order of columns, details. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import { ResultTabs } from '../../../client/src/answers/tabs.ts';
import { filterCondition } from '../../../client/src/query/filterCondition.ts';
import { noticesOf } from '../../../client/src/results/answerNotices.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import { rowDetail, valueAt } from '../../../client/src/results/detailTree.ts';
import {
  failedContent,
  parametersText,
  resultContent,
  tabDeployment,
  tabStrip,
  viewTable,
} from '../../../client/src/results/screen.ts';
import { parseTime } from '../../../client/src/results/timeText.ts';
import { webAddress } from '../../../client/src/results/webAddress.ts';
import type { AnswerHead, AnswerTable } from '../../../table/src/answer.ts';

function tableOf(fields: AnswerTable['fields'], rowCount = 1): AnswerTable {
  return { name: '0', sources: [], fields, groups: [], order: [], rowCount };
}

function headOf(rowCount: number, extra: Partial<AnswerHead> = {}): AnswerHead {
  return {
    tables: [tableOf([{ name: 'n', type: 'integer' }], rowCount)],
    status: {},
    cursors: {},
    messages: [],
    datasetNames: [],
    fieldsMetaMap: {},
    aggregated: false,
    notes: [],
    ...extra,
  };
}

const limited = { priority: 'warn', code: 'default_limit_warning', msg: 'm' } as const;

describe('the notices of an answer', () => {
  it('report the default limit, partial results and messages with unknown codes', () => {
    const notices = noticesOf(
      headOf(1_000, {
        status: { isPartial: true, isEstimate: true },
        messages: [
          limited,
          { priority: 'weird' as 'info', code: 'apl_x_1', message: 'newer words' } as object,
          { priority: 'info', code: 'toString' },
        ],
      }),
    );
    assert.deepEqual(
      notices.map(({ severity, label }) => [severity, label]),
      [
        ['warning', 'default limit: 1,000 rows'],
        ['info', 'x 1'],
        ['info', 'toString'],
        ['warning', 'partial'],
        ['warning', 'estimate'],
      ],
    );
    assert.match(notices[0]?.message ?? '', /limited to 1,000 rows/);
    assert.equal(notices[1]?.message, 'newer words');
    assert.equal(notices[2]?.message, 'toString');
  });

  it('omit the default limit if it removed no rows', () => {
    assert.deepEqual(noticesOf(headOf(999, { messages: [limited] })), []);
  });
});

describe('the parameters of a run as text', () => {
  it('consist of names and values, and are truncated if they are long', () => {
    const variables = {
      p: 5,
      big: 9_007_199_254_740_993n,
      city: 'Porto',
      tags: ['a', 1],
      on: null,
    };
    assert.equal(
      parametersText(variables),
      'p = 5, big = 9007199254740993, city = \'Porto\', tags = ["a",1], on = null',
    );
    assert.equal(parametersText({}), '');
    assert.equal(parametersText({ text: 'x'.repeat(1_000) }).length, 500);
  });
});

describe('the data of the results page', () => {
  it('excludes the arguments of commands', () => {
    const tabs = new ResultTabs();
    const action = { label: 'Go to Line 3', command: 'vscode.open', arguments: ['file:///q.apl'] };
    const state = { kind: 'failed', message: 'a', actions: [action] } as const;
    tabs.open({ query: { text: 'x', title: 't' }, pinned: false, state });
    const tab = tabs.active as NonNullable<typeof tabs.active>;
    assert.deepEqual(failedContent(tab, state), {
      kind: 'failed',
      title: 't',
      message: 'a',
      actions: [{ label: 'Go to Line 3', command: 'vscode.open' }],
    });
  });

  it('marks the tabs of a production deployment, both during a run and with a result', () => {
    const tabs = new ResultTabs();
    const held = { about: { deployment: 'Live' } } as HeldAnswer;
    const marked = () =>
      tabStrip(tabs, (tab) => tabDeployment(tab, () => held) === 'Live').tabs.map(
        ({ production }) => production,
      );
    const query = (text: string) => ({ text, title: text });
    const about = { startedAt: 0, rangeLabel: '' };
    const { run } = tabs.start(query('x'), { ...about, deployment: 'Live' });
    tabs.start(query('y'), { ...about, deployment: 'Local' });
    assert.deepEqual(marked(), [true, false]);
    tabs.settle(run, { kind: 'result', answer: 'a' });
    assert.deepEqual(marked(), [true, false]);
  });

  it('shows the number of matched events next to the row count only if the rows are events', () => {
    const tabs = new ResultTabs();
    const state = { kind: 'result', answer: 'a' } as const;
    tabs.open({ query: { text: 'x', title: 't' }, pinned: false, state });
    const tab = tabs.active as NonNullable<typeof tabs.active>;
    const summary = (head: AnswerHead) => {
      const held = { id: 'a', head, about: { query: 'x', rangeLabel: '', deployment: '' } };
      const view = { table: 0, tables: [] };
      return resultContent(tab, held as never, { tables: [], view, more: false }).summary;
    };
    const counted = (head: AnswerHead) => summary(head)[0];
    // A comparison is computed by the client, so it has no counts from a service.
    assert.deepEqual(summary(headOf(3, { status: {} })), ['3 rows']);
    const run = { elapsedTime: 2_000, rowsExamined: 20 };
    assert.deepEqual(summary(headOf(3, { status: run })), ['3 rows', '2 ms', '20 examined']);
    const status = { rowsMatched: 1_743 };
    // The columns of `getschema`.
    assert.equal(counted(headOf(14, { status })), '14 rows');
    assert.equal(counted(headOf(10, { status, cursors: { oldest: 'c' } })), '10 of 1,743 rows');
    const events = [tableOf([{ name: '_time', type: 'datetime' }], 20)];
    assert.equal(counted(headOf(0, { status, tables: events })), '20 of 1,743 rows');
    assert.equal(counted(headOf(1_000, { status, messages: [limited] })), '1,000 of 1,743 rows');
    assert.equal(counted(headOf(14, { status, messages: [limited] })), '14 rows');
  });

  it('contains the APL type, kind and unit of each column, and the time zone of times', () => {
    const fields = [
      { name: 'n', type: 'float', unit: 'ms' },
      { name: 't', type: 'datetime' },
      { name: 'level', type: 'string' },
    ];
    const arranged = { rowCount: 1, totalRows: 2 };
    const shown = (timeZone: 'utc' | 'local') =>
      viewTable(
        tableOf(fields),
        0,
        {
          arranged,
          sizes: [1, 2, 3].map((characters) => ({ characters })),
          aggregated: false,
          chartsFirst: true,
        },
        { timeZone, localZone: 'Europe/Lisbon' },
      ).columns.map(({ type, unit, kind, severity }) => [type, unit, kind, severity]);
    assert.deepEqual(shown('utc'), [
      ['real', 'ms', 'number', false],
      ['datetime', 'UTC', 'time', false],
      ['string', undefined, 'text', true],
    ]);
    assert.equal(shown('local')[1]?.[1], 'Europe/Lisbon');
  });
});

describe('the columns of a result', () => {
  const about = { title: 'q', query: 'logs', document: 'file:///a.apl', statesColumnOrder: false };
  const fields = ['a', '_sysTime', '_time', 'b', 'b'].map((name) => ({ name, type: 'string' }));
  const memory = () => {
    const kept = new Map<string, unknown>();
    return {
      get: (key: string) => structuredClone(kept.get(key)),
      update: (key: string, value: unknown) => kept.set(key, structuredClone(value)),
    };
  };

  it('begin with the time and end with the ingestion time unless the query orders them', () => {
    const arrangements = new Arrangements(memory());
    assert.deepEqual(arrangements.initial(about, tableOf(fields)).columnOrder, [2, 0, 3, 4, 1]);
    const stated = { ...about, statesColumnOrder: true };
    assert.deepEqual(arrangements.initial(stated, tableOf(fields)).columnOrder, [0, 1, 2, 3, 4]);
  });

  it('have the same arrangement by name in the next result of the query', () => {
    const arrangements = new Arrangements(memory());
    const table = tableOf(fields);
    const before = arrangements.initial(about, table);
    const after = {
      ...before,
      columnOrder: [4, 2, 0, 3, 1],
      hidden: [0],
      pinned: [4],
      widths: { 3: 99 },
      wrap: true,
    };
    arrangements.keep(about, table, before, after);
    const next = tableOf([{ name: 'new', type: 'string' }, ...fields.toReversed()]);
    const { columnOrder, hidden, pinned, widths, wrap } = arrangements.initial(about, next);
    // The second column named b stays pinned at its new position.
    assert.deepEqual([columnOrder, hidden, pinned, wrap], [[2, 3, 5, 1, 4, 0], [5], [2], true]);
    assert.deepEqual(widths, { 1: 99 });
    const other = arrangements.initial({ ...about, title: 'another' }, next);
    assert.deepEqual([other.hidden, other.pinned, other.wrap], [[], [], false]);
    assert.deepEqual(other.widths, { 1: 99 });
  });

  describe('of hidden fields', () => {
    const secret = { name: 'secret', type: 'string', hidden: true };
    const table = tableOf([{ name: 'a', type: 'string' }, secret, { name: 'b', type: 'string' }]);

    it('are hidden, unless the query lists its columns or there are no other columns', () => {
      const arrangements = new Arrangements(memory());
      const { columnOrder, hidden } = arrangements.initial(about, table);
      assert.deepEqual([columnOrder, hidden], [[0, 1, 2], [1]]);
      const stated = { ...about, statesColumnOrder: true };
      assert.deepEqual(arrangements.initial(stated, table).hidden, []);
      assert.deepEqual(arrangements.initial(about, tableOf([secret])).hidden, []);
    });

    it('keep the visibility chosen by the user in later results', () => {
      const arrangements = new Arrangements(memory());
      const before = arrangements.initial(about, table);
      arrangements.keep(about, table, before, { ...before, hidden: [1, 2] });
      assert.deepEqual(arrangements.initial(about, table).hidden, [1, 2]);
      arrangements.keep(about, table, { ...before, hidden: [1, 2] }, { ...before, hidden: [2] });
      assert.deepEqual(arrangements.initial(about, table).hidden, [2]);
    });

    it('are shown when the field is no longer hidden, and hidden again when it is', () => {
      const arrangements = new Arrangements(memory());
      const before = arrangements.initial(about, table);
      arrangements.keep(about, table, before, { ...before, wrap: true });
      const shown = tableOf(table.fields.map(({ name, type }) => ({ name, type })));
      assert.deepEqual(arrangements.initial(about, shown).hidden, []);
      arrangements.keep(about, shown, before, { ...before, hidden: [], pinned: [0] });
      assert.deepEqual(arrangements.initial(about, table).hidden, [1]);
    });
  });

  it('with names such as __proto__ keep their arrangement like any other', () => {
    const arrangements = new Arrangements(memory());
    const table = tableOf(['__proto__', 'constructor'].map((name) => ({ name, type: 'string' })));
    const before = arrangements.initial(about, table);
    arrangements.keep(about, table, before, { ...before, hidden: [0], widths: { 0: 70, 1: 80 } });
    const { hidden, widths } = arrangements.initial(about, table);
    assert.deepEqual([hidden, widths], [[0], { 0: 70, 1: 80 }]);
  });
});

describe('the details of a row', () => {
  const fields = [
    { name: 'geo.city', type: 'string' },
    { name: 'geo.country', type: 'string' },
    { name: 'tags', type: 'array' },
    { name: 'a..b', type: 'string' },
    { name: 'id', type: 'integer' },
    { name: '__proto__', type: 'string' },
  ];
  const values = ['Lisbon', null, [{ k: 'v' }], '<img>', 9_223_372_036_854_775_807n, 'p'];
  const row = {
    number: 7,
    cells: values.map((value) => ({
      value,
      text: value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
    })),
  };
  const drawn = (nested: boolean) =>
    rowDetail(fields, [0, 1, 2, 3, 4, 5], row, nested).nodes.map(
      ({ depth, key, text, kind, descendants }) =>
        `${'  '.repeat(depth)}${key} ${kind} ${text} ${descendants}`,
    );

  it('are a tree of dotted names and members of values', () => {
    assert.deepEqual(drawn(true), [
      'geo group  2',
      '  city text Lisbon 0',
      '  country null  0',
      'tags array [1] 2',
      '  0 object {1} 1',
      '    k text v 0',
      'a..b text <img> 0',
      'id number 9223372036854775807 0',
      '__proto__ text p 0',
    ]);
    assert.equal(drawn(false)[0], 'geo.city text Lisbon 0');
  });

  it('are limited to 3,000 nodes, and accept deeply nested values', () => {
    const wide = {
      number: 0,
      cells: [{ value: Array.from({ length: 9_000 }, () => 1), text: '' }],
    };
    const { nodes, truncated } = rowDetail([{ name: 'a', type: 'array' }], [0], wide, true);
    assert.deepEqual([nodes.length, truncated, nodes[0]?.descendants], [3_000, true, 2_999]);
    let deep: unknown = 1;
    for (let depth = 0; depth < 10_000; depth++) deep = [deep];
    rowDetail(
      [{ name: 'a', type: 'array' }],
      [0],
      { number: 0, cells: [{ value: deep as [], text: '' }] },
      true,
    );
  });

  it('resolve a path only through own members of values, not inherited ones', () => {
    assert.equal(valueAt([{ k: 'v' }], [0, 'k']), 'v');
    assert.equal(valueAt([{ k: 'v' }], [0, 'toString']), undefined);
    assert.equal(valueAt('text', ['length']), undefined);
  });
});

describe('the filter condition for a value', () => {
  const of = (type: string, value: unknown, path: (string | number)[] = []) =>
    filterCondition({ name: 'c', type, path, value, text: String(value), exclude: false })?.kind;

  it('has the kind of the literal for the value', () => {
    assert.equal(of('datetime', '2026-01-31T00:00:00Z'), 'datetime');
    assert.equal(of('string', '2026-01-31T00:00:00Z'), 'text');
    assert.equal(of('integer|string', 5n), 'number');
    assert.equal(of('integer|string', '5'), 'text');
    assert.equal(of('map', true, ['k']), 'boolean');
    assert.equal(of('string', null), 'null');
    assert.equal(of('array', [1]), undefined);
  });
});

describe('a typed time', () => {
  it('is in the displayed time zone unless it has an offset', () => {
    assert.equal(parseTime('2026-01-31', 'utc'), '2026-01-31T00:00:00Z');
    assert.equal(
      parseTime(' 2026-01-31 08:30:00.123456789 ', 'utc'),
      '2026-01-31T08:30:00.123456789Z',
    );
    assert.equal(parseTime('2026-01-31T08:30+02:00', 'local'), '2026-01-31T06:30:00Z');
    assert.equal(parseTime('2026-01-31 08:30 UTC', 'local'), '2026-01-31T08:30:00Z');
    const local = new Date(2026, 0, 31, 8, 30).toISOString().slice(0, 19);
    assert.equal(parseTime('2026-01-31 08:30', 'local'), `${local}Z`);
    for (const text of ['', 'x', '2026-02-30', '2026-01-31 25:00', '1h', '2026-1-1'])
      assert.equal(parseTime(text, 'utc'), undefined, text);
  });
});

describe('a web address', () => {
  it('is accepted only if it is an HTTP or HTTPS URL and nothing else', () => {
    assert.equal(webAddress('https://example.com/a?b#c'), 'https://example.com/a?b#c');
    for (const text of [
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x',
      ' https://example.com',
      'https://example.com\ncommand:x',
      'https://trusted.example@evil.example/',
      'https://',
      'http:command:x y',
      'see https://example.com',
    ])
      assert.equal(webAddress(text), undefined, text);
  });
});
