/** Evaluates rules over runs: a table of cases, and random rules and rows compared with a reference model. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate, type Run, type RunRow } from '../../../client/src/boards/monitor/evaluate.ts';
import { operatorNames, type Rule, readRule } from '../../../client/src/boards/monitor/rule.ts';
import { testReport } from '../../../client/src/boards/monitor/testReport.ts';

const day = 86_400_000;

/** The rows of a run: values without groups, or a value by group. */
type Rows = readonly (number | null)[] | Readonly<Record<string, number | null>>;

function rowsOf(rows: Rows): RunRow[] {
  if (Array.isArray(rows))
    return rows.map((value, offset) => ({ group: [], offset, values: [value] }));
  return Object.entries(rows).map(([name, value]) => ({
    group: [name],
    offset: 0,
    values: [value],
  }));
}

const runs = (rows: readonly Rows[]): Run[] =>
  rows.map((each, index) => ({ at: index * 60_000, rows: rowsOf(each) }));

/**
 * Returns a word for each run, with a mark for each group: `.` no alert, `!` an alert opened, `+` still alerting, `-`
 * resolved.
 */
function marks(monitor: object, rows: readonly Rows[]): string {
  const outcomes = evaluate(
    readRule({ type: 'Threshold', operator: 'Above', threshold: 10, ...monitor }),
    runs(rows),
  );
  return outcomes
    .map(({ groups }) =>
      groups
        .map(({ change, alerting }) =>
          change === 'opened' ? '!' : change === 'resolved' ? '-' : alerting ? '+' : '.',
        )
        .join(''),
    )
    .join(' ');
}

interface Case {
  readonly name: string;
  readonly monitor: object;
  readonly rows: readonly Rows[];
  readonly expected: string;
}

const cases: readonly Case[] = [
  {
    name: 'with operator Above does not alert at the threshold',
    monitor: {},
    rows: [[9], [10], [10.1], [11], [10]],
    expected: '. . ! + -',
  },
  {
    name: 'with operator AboveOrEqual alerts at the threshold',
    monitor: { operator: 'AboveOrEqual' },
    rows: [[9], [10], [9]],
    expected: '. ! -',
  },
  {
    name: 'with operator Below does not alert at the threshold',
    monitor: { operator: 'Below' },
    rows: [[10], [9], [10]],
    expected: '. ! -',
  },
  {
    name: 'with operator BelowOrEqual alerts at the threshold',
    monitor: { operator: 'BelowOrEqual' },
    rows: [[11], [10], [11]],
    expected: '. ! -',
  },
  {
    name: 'with operator AboveOrBelow and no tolerance alerts at every value except the threshold',
    monitor: { operator: 'AboveOrBelow' },
    rows: [[10], [11], [9], [10]],
    expected: '. ! + -',
  },
  {
    name: 'with operator AboveOrBelow alerts only outside the tolerance',
    monitor: { operator: 'AboveOrBelow', tolerance: 20 },
    rows: [[12], [12.1], [8], [7.9]],
    expected: '. ! - !',
  },
  {
    name: 'alerts if any bin of a run exceeds the threshold',
    monitor: {},
    rows: [
      [1, 2, 30],
      [1, 2, 3],
    ],
    expected: '! -',
  },
  {
    name: 'alerts if any group exceeds the threshold',
    monitor: {},
    rows: [{ a: 1, b: 20 }, { a: 20, b: 1 }, { a: 1 }],
    expected: '! + -',
  },
  {
    name: 'ignores null values',
    monitor: {},
    rows: [[null], [null, 11], [null]],
    expected: '. ! -',
  },
  {
    name: 'treats a run without data as negative by default',
    monitor: {},
    rows: [[11], [], [11]],
    expected: '! - !',
  },
  {
    name: 'alerts on a run without data if alertOnNoData is set',
    monitor: { alertOnNoData: true },
    rows: [[], [1], [null]],
    expected: '! - !',
  },
  {
    name: 'with operator Below does not treat missing data as 0',
    monitor: { operator: 'Below' },
    rows: [[], [0]],
    expected: '. !',
  },
  {
    name: 'alerts when 2 of the last 3 runs are positive',
    monitor: { triggerAfterNPositiveResults: 2, triggerFromNRuns: 3 },
    rows: [[11], [1], [11], [1], [1], [11], [11]],
    expected: '. . ! - . . !',
  },
  {
    name: 'alerts when 2 runs in a row are positive',
    monitor: { triggerAfterNPositiveResults: 2, triggerFromNRuns: 2 },
    rows: [[11], [1], [11], [11], [11], [1]],
    expected: '. . . ! + -',
  },
  {
    name: 'considers 3 runs if 3 must be positive, even if fewer are configured',
    monitor: { triggerAfterNPositiveResults: 3, triggerFromNRuns: 1 },
    rows: [[11], [11], [11], [1]],
    expected: '. . ! -',
  },
  {
    name: 'with notifyByGroup alerts for each group separately',
    monitor: { notifyByGroup: true },
    rows: [
      { a: 11, b: 1 },
      { a: 11, b: 11 },
      { a: 1, b: 11 },
    ],
    expected: '!. +! -+',
  },
  {
    name: 'with notifyByGroup resolves the alert of a group that no longer has rows',
    monitor: { notifyByGroup: true },
    rows: [{ a: 11 }, { b: 1 }, { a: 11 }],
    expected: '! .- !.',
  },
  {
    name: 'with notifyByGroup and alertOnNoData alerts for a group that no longer has rows',
    monitor: { notifyByGroup: true, alertOnNoData: true },
    rows: [{ a: 1, b: 1 }, { a: 1 }, {}, { a: 1, b: 1 }],
    expected: '.. .! !+ --',
  },
  {
    name: 'with notifyByGroup resolves a no-data alert when the first group appears',
    monitor: { notifyByGroup: true, alertOnNoData: true },
    rows: [{}, { a: 1 }, { a: 11 }],
    expected: '! .- !.',
  },
  {
    name: 'with notifyByGroup alerts as usual if the query has no groups',
    monitor: { notifyByGroup: true },
    rows: [[11], [1]],
    expected: '! -',
  },
];

describe('a threshold monitor', () => {
  for (const { name, monitor, rows, expected } of cases)
    it(name, () => assert.equal(marks(monitor, rows), expected));

  it('sends an alert only when it opens, or in every alerting run with notifyEveryRun', () => {
    const rule = (more: object) =>
      readRule({ type: 'Threshold', operator: 'Above', threshold: 10, ...more });
    const rows = runs([[11], [12], [1], [11]]);
    const fired = (more: object) => evaluate(rule(more), rows).map((run) => run.fired);
    assert.deepEqual(fired({}), [true, false, false, true]);
    assert.deepEqual(fired({ notifyEveryRun: true }), [true, true, false, true]);
  });

  it('reports the value furthest beyond the threshold', () => {
    const [run] = evaluate(
      readRule({ type: 'Threshold', operator: 'Below', threshold: 5 }),
      runs([[9, 3, 4]]),
    );
    assert.equal(run?.groups[0]?.value, 3);
    assert.equal(run?.groups[0]?.expected, 5);
  });

  it('has the same outcomes for runs in any order', () => {
    const rows = runs([[1], [11], [1]]);
    const rule = readRule({ type: 'Threshold', operator: 'Above', threshold: 10 });
    assert.deepEqual(evaluate(rule, rows.toReversed()), evaluate(rule, rows));
  });
});

describe('the report of a monitor test', () => {
  const report = (monitor: object, rows: readonly Rows[], allRuns = rows.length) => {
    const rule = readRule({ type: 'Threshold', operator: 'Above', threshold: 10, ...monitor });
    const watched = { values: [], groups: [] };
    const outcomes = evaluate(rule, runs(rows));
    return testReport({ rule, monitor: 'm', watched, queries: rows.length, allRuns, outcomes });
  };

  it('counts alerts by group if groups alert separately, and by run with notifyEveryRun', () => {
    const rows = [
      { a: 11, b: 12 },
      { a: 11, b: 1 },
    ];
    const headline = (monitor: object) => report(monitor, rows).summary[0];
    assert.equal(headline({}), '2 runs would have sent 1 alert.');
    assert.equal(headline({ notifyByGroup: true }), '2 runs would have sent 2 alerts.');
    const every = { notifyByGroup: true, notifyEveryRun: true };
    assert.equal(headline(every), '2 runs would have sent 3 alerts.');
    assert.equal(headline({ notifyEveryRun: true }), '2 runs would have sent 2 alerts.');
  });

  it('states how many runs of the time range were tested', () => {
    assert.deepEqual(report({}, [[11], [1]]).summary, [
      '2 runs would have sent 1 alert.',
      '1 run was positive.',
      'Read with 2 queries.',
    ]);
    assert.deepEqual(report({}, [[11], [1]], 1_440).summary, [
      'the latest 2 of 1,440 runs would have sent 1 alert.',
      '1 run was positive.',
      'Earlier runs were not tested, because a test sends at most 300 queries.',
    ]);
  });

  it('has a chart only if a run has a value', () => {
    assert.equal(report({}, [[], []]).chart, undefined);
    assert.ok(report({}, [[], [1]]).chart);
  });
});

describe('a match event monitor', () => {
  it('sends an alert in each run with events', () => {
    const rule = readRule({ type: 'MatchEvent', triggerAfterNPositiveResults: 3 });
    const outcomes = evaluate(rule, runs([[0], [2], [], [1]]));
    assert.deepEqual(
      outcomes.map(({ events, fired }) => [events, fired]),
      [
        [0, false],
        [2, true],
        [0, false],
        [1, true],
      ],
    );
  });
});

describe('an anomaly monitor', () => {
  const anomaly = { type: 'AnomalyDetection', compareDays: 2, tolerance: 50 };
  /** Returns the outcome of the last day, for values at the same time on consecutive days. */
  const lastDay = (monitor: object, values: readonly (number | null)[]) => {
    const days = values.map((value, index) => ({
      at: index * day,
      rows: value === null ? [] : rowsOf([value]),
    }));
    const [run] = evaluate(readRule({ ...anomaly, ...monitor }), days, (values.length - 1) * day);
    return run?.groups[0];
  };
  const table: readonly (readonly [string, object, readonly (number | null)[], string])[] = [
    ['is negative within the tolerance', { operator: 'AboveOrBelow' }, [10, 10, 15], 'negative'],
    ['is positive above the tolerance', { operator: 'AboveOrBelow' }, [10, 10, 15.1], 'positive'],
    ['is positive below the tolerance', { operator: 'AboveOrBelow' }, [10, 10, 4.9], 'positive'],
    [
      'with operator Above is negative for a low value',
      { operator: 'Above' },
      [10, 10, 1],
      'negative',
    ],
    [
      'with operator Below is negative for a high value',
      { operator: 'Below' },
      [10, 10, 100],
      'negative',
    ],
    [
      'compares with the average of the earlier days',
      { operator: 'Above' },
      [0, 20, 15.1],
      'positive',
    ],
    [
      'ignores days earlier than the compared ones',
      { operator: 'Above' },
      [1_000, 10, 10, 16],
      'positive',
    ],
    [
      'excludes days without data from the average',
      { operator: 'Above' },
      [null, 10, 16],
      'positive',
    ],
    [
      'has no history if no earlier day has data',
      { operator: 'Above' },
      [null, null, 1e6],
      'noHistory',
    ],
    [
      'is positive for any value above an average of 0',
      { operator: 'Above' },
      [0, 0, 0.1],
      'positive',
    ],
    ['is negative for 0 if the average is 0', { operator: 'AboveOrBelow' }, [0, 0, 0], 'negative'],
    [
      'applies the tolerance to a negative average',
      { operator: 'Below' },
      [-10, -10, -15],
      'negative',
    ],
    ['has no data if the run has no rows', { operator: 'Below' }, [10, 10, null], 'noData'],
  ];
  for (const [name, monitor, values, expected] of table)
    it(name, () => assert.equal(lastDay(monitor, values)?.verdict, expected));

  it('compares each group and bin with its earlier values', () => {
    const rows = (a: number, b: number): RunRow[] => [
      { group: ['x'], offset: 0, values: [a] },
      { group: ['x'], offset: 60_000, values: [b] },
      { group: ['y'], offset: 0, values: [b] },
    ];
    const rule = readRule({
      ...anomaly,
      compareDays: 1,
      operator: 'AboveOrBelow',
      notifyByGroup: true,
    });
    const [run] = evaluate(
      rule,
      [
        { at: 0, rows: rows(1, 100) },
        { at: day, rows: rows(1, 100) },
      ],
      day,
    );
    assert.deepEqual(
      run?.groups.map(({ verdict }) => verdict),
      ['negative', 'negative'],
    );
  });
});

describe('random rules and rows', () => {
  it('have the same outcomes as in a reference model', () => {
    const random = generator(20);
    for (let round = 0; round < 3_000; round += 1) {
      const rule = randomRule(random);
      const given = randomRuns(random);
      const found = evaluate(rule, given);
      const expected = model(rule, given);
      const short = found.map(({ groups, fired }) => [
        fired,
        groups.map(({ group, positive, alerting }) => [group.join(), positive, alerting]).sort(),
      ]);
      assert.deepEqual(short, expected, JSON.stringify({ rule, given }));
    }
  });
});

type Random = (below: number) => number;

function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomRule(random: Random): Rule {
  const positive = 1 + random(3);
  return readRule({
    type: 'Threshold',
    operator: operatorNames[random(operatorNames.length)] ?? 'Above',
    threshold: random(4),
    tolerance: random(2) * 50,
    triggerAfterNPositiveResults: positive,
    triggerFromNRuns: positive + random(3),
    alertOnNoData: random(2) === 1,
    notifyByGroup: random(2) === 1,
    notifyEveryRun: random(2) === 1,
  });
}

function randomRuns(random: Random): Run[] {
  // Groups may appear in any run and disappear again.
  const count = 1 + random(8);
  const grouped = random(2) === 1;
  return Array.from({ length: count }, (_, index) => ({
    at: index,
    rows: Array.from({ length: random(4) }, () => ({
      group: grouped ? [String(random(2))] : [],
      offset: random(2),
      values: Array.from({ length: 1 + random(2) }, () => (random(5) === 0 ? null : random(5))),
    })),
  }));
}

/** Evaluates each run from the first one on, without keeping state between runs. */
function model(rule: Rule, given: readonly Run[]): unknown[] {
  const crosses = (value: number): boolean => {
    const off = (Math.abs(rule.threshold) * rule.tolerance) / 100;
    return {
      Above: value > rule.threshold,
      AboveOrEqual: value >= rule.threshold,
      Below: value < rule.threshold,
      BelowOrEqual: value <= rule.threshold,
      AboveOrBelow: value > rule.threshold + off || value < rule.threshold - off,
    }[rule.operator];
  };
  const hasRows = (run: Run) => run.rows.length > 0;
  const nameOf = ({ group }: RunRow) => (rule.notifyByGroup ? group.join() : '');
  const isGrouped = given.some(({ rows }) => rows.some(({ group }) => group.length > 0));
  const namesUpTo = (at: number): string[] => {
    const names = new Set<string>();
    for (const run of given.slice(0, at + 1)) {
      if (!hasRows(run) && names.size === 0) names.add('');
      for (const row of run.rows) names.add(nameOf(row));
    }
    return [...names];
  };
  /** Returns undefined for a group that has not appeared yet. */
  const positive = (name: string, at: number): boolean | undefined => {
    if (!namesUpTo(at).includes(name)) return undefined;
    const run = given[at] as Run;
    const values = run.rows
      .filter((row) => nameOf(row) === name)
      .flatMap((row) => row.values)
      .filter((value) => value !== null);
    // The unnamed group of runs without data ends when groups appear.
    const standsIn = rule.notifyByGroup && isGrouped && name === '';
    if (standsIn && (hasRows(run) || namesUpTo(at).length > 1)) return false;
    return values.length === 0 ? rule.alertOnNoData : values.some(crosses);
  };
  const alerting = (name: string, at: number): boolean => {
    const last: boolean[] = [];
    for (let index = at; index >= 0 && last.length < rule.fromRuns; index -= 1) {
      const was = positive(name, index);
      if (was === undefined) break;
      last.push(was);
    }
    return last.filter(Boolean).length >= rule.positiveRuns;
  };
  return given.map((_, at) => {
    const names = namesUpTo(at);
    const fired = names.some(
      (name) =>
        alerting(name, at) &&
        (rule.notifyEveryRun ||
          at === 0 ||
          positive(name, at - 1) === undefined ||
          !alerting(name, at - 1)),
    );
    const groups = names.map((name) => [name, positive(name, at), alerting(name, at)]).sort();
    return [fired, groups];
  });
}
