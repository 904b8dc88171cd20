/**
 * What runs of monitors read: by bins of one query the same as one by one, on the real local deployment; and which
 * queries are asked in which way.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Service } from '../../../client/src/api/service.ts';
import { evaluate } from '../../../client/src/boards/monitor/evaluate.ts';
import {
  planQueries,
  queryOverTime,
  stepOf,
} from '../../../client/src/boards/monitor/queryPlan.ts';
import {
  latestRun,
  partsOf,
  type ReadRuns,
  readRuns,
} from '../../../client/src/boards/monitor/readRuns.ts';
import { readRule } from '../../../client/src/boards/monitor/rule.ts';
import { ruleInWords } from '../../../client/src/boards/monitor/ruleWords.ts';
import { countRuns, runsIn, withHistory } from '../../../client/src/boards/monitor/schedule.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { askForValue } from '../../../client/src/query/ask.ts';
import { Processes } from '../../local/processes.ts';

const minute = 60_000;
const day = 86_400_000;
/** A whole day back, so that bins of days are whole. */
const end = Math.floor((Date.now() - day) / day) * day + 10 * 60 * minute;

describe('the runs of a monitor on the local deployment', () => {
  const dispatcher = directDispatcher();
  let processes: Processes;
  let service: Service;

  before(async () => {
    processes = await Processes.create();
    const { url, token } = await processes.start('data');
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    const events = Array.from({ length: 900 }, (_, index) => ({
      // Some minutes have no events, some many, for three hours on each of two days.
      _time: new Date(
        end - (index % 2) * day - (((index * 7_919) % 180) * minute + ((index * 37) % 60) * 1_000),
      ).toISOString(),
      host: `web-${index % 4}`,
      duration: (index * 53) % 400,
      status: index % 7 === 0 ? 500 : 200,
    })).filter(({ _time }) => new Date(_time).getUTCMinutes() % 9 !== 4);
    const post = async (path: string, body: unknown): Promise<void> => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.ok(answer.ok, await answer.text());
    };
    await post('/v2/datasets', { name: 'logs', description: '' });
    await post('/v1/ingest/logs', events);
  });
  after(async () => {
    await processes.dispose();
    await dispatcher.destroy();
  });

  const read = async (monitor: object, apl: string, oneByOne = false): Promise<ReadRuns> => {
    const rule = readRule({ type: 'Threshold', intervalMinutes: 5, rangeMinutes: 5, ...monitor });
    const outcome = await readRuns({
      rule,
      // A statement keeps the query from being asked in bins.
      apl: oneByOne ? `let unused = 1;\n${apl}` : apl,
      spans: runsIn(rule, end - 60 * minute, end),
      atOnce: 4,
      signal: new AbortController().signal,
      ask: (text, from, to, signal) =>
        askForValue(
          {
            apl: text,
            startTime: new Date(from).toISOString(),
            endTime: new Date(to).toISOString(),
          },
          { service, timeoutMs: 20_000, signal },
        ),
      onProgress: () => undefined,
    });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.value;
  };

  const cases: readonly (readonly [name: string, monitor: object, apl: string])[] = [
    ['a count', {}, "['logs'] | where status >= 500 | summarize count()"],
    ['a count by group', {}, "['logs'] | summarize count() by host"],
    ['an average over tumbling ranges', {}, "['logs'] | summarize avg(duration)"],
    ['a distinct count by group', {}, "['logs'] | summarize dcount(host), max(duration) by status"],
    [
      'sums, least and greatest over ranges that overlap',
      { rangeMinutes: 15 },
      "['logs'] | summarize sum(duration), min(duration), max(duration), countif(status == 500) by host",
    ],
    [
      'a count over ranges that overlap, with a delay',
      { rangeMinutes: 10, secondDelay: 60 },
      "['logs'] | summarize count()",
    ],
    [
      'bins of the query',
      { rangeMinutes: 15 },
      "['logs'] | summarize count() by bin(_time, 5m), host",
    ],
    [
      'bins with a later stage',
      { rangeMinutes: 15 },
      "['logs'] | summarize c = count() by bin(_time, 1m) | where c > 3",
    ],
    ['events', { type: 'MatchEvent' }, "['logs'] | where status >= 500 // errors"],
    [
      'anomalies',
      { type: 'AnomalyDetection', compareDays: 1, tolerance: 20 },
      "['logs'] | summarize count() by host",
    ],
  ];
  for (const [name, monitor, apl] of cases) {
    it(`${name}: bins give what each run reads`, async () => {
      const [together, each] = [await read(monitor, apl), await read(monitor, apl, true)];
      assert.equal(together.reason, undefined);
      assert.ok(together.queries <= 5, `${together.queries} queries`);
      assert.ok(each.reason !== undefined && each.queries > 10);
      const rows = ({ runs }: ReadRuns) =>
        runs.map((run) => ({
          at: run.at,
          rows: run.rows
            .map(({ group, offset, values }) => JSON.stringify([group, offset, values]))
            .sort(),
        }));
      assert.deepEqual(rows(together), rows(each));
      const rule = readRule({
        type: 'Threshold',
        operator: 'Above',
        threshold: 3,
        notifyByGroup: true,
        ...monitor,
      });
      assert.deepEqual(
        evaluate(rule, together.runs, together.from).map(({ fired }) => fired),
        evaluate(rule, each.runs, each.from).map(({ fired }) => fired),
      );
    });
  }

  it('says which column is missing', async () => {
    const rule = readRule({ type: 'Threshold', columnName: 'total' });
    const outcome = await readRuns({
      rule,
      apl: "['logs'] | summarize count()",
      spans: runsIn(rule, end - 5 * minute, end),
      atOnce: 1,
      signal: new AbortController().signal,
      ask: (apl, from, to, signal) =>
        askForValue(
          { apl, startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() },
          { service, timeoutMs: 20_000, signal },
        ),
      onProgress: () => undefined,
    });
    assert.ok(!outcome.ok);
    assert.match(outcome.failure.message, /no column 'total'/);
  });
});

describe('how runs are asked for', () => {
  const plan = (apl: string, monitor: object = {}, binMs?: number, aggregates = ['count']) => {
    const rule = readRule({ type: 'Threshold', intervalMinutes: 5, rangeMinutes: 5, ...monitor });
    const found = planQueries(rule, apl, { aggregates, ...(binMs !== undefined && { binMs }) });
    return found.kind === 'runs'
      ? `runs: ${found.reason}`
      : `${found.kind}: ${found.apl.replaceAll('\n', ' ')}`;
  };
  const logs = "['logs']";
  const table: readonly (readonly [string, string])[] = [
    [plan(`${logs} | summarize count()`), "bins: ['logs'] | summarize count() by bin(_time, 300s)"],
    [
      plan(`${logs} | summarize count() by host`),
      "bins: ['logs'] | summarize count() by host, bin(_time, 300s)",
    ],
    [
      plan(`${logs} | summarize c = countif(x == ' by ')`),
      "bins: ['logs'] | summarize c = countif(x == ' by ') by bin(_time, 300s)",
    ],
    [
      plan(`${logs} // by host | x\n| summarize count() // end`),
      "bins: ['logs'] | summarize count() by bin(_time, 300s)",
    ],
    [
      plan(`${logs} | where a == '|' | summarize count()`),
      "bins: ['logs'] | where a == '|' | summarize count() by bin(_time, 300s)",
    ],
    [
      plan(`${logs} | summarize count()`, { rangeMinutes: 15 }),
      "bins: ['logs'] | summarize count() by bin(_time, 300s)",
    ],
    [
      plan(`${logs} | summarize count()`, { secondDelay: 30 }),
      "bins: ['logs'] | summarize count() by bin(_time, 30s)",
    ],
    [
      plan(`${logs} | summarize avg(x)`, { rangeMinutes: 15 }, undefined, ['avg']),
      'runs: ranges overlap, and its aggregates cannot be combined',
    ],
    [
      plan(`${logs} | limit 10 | summarize count()`),
      'runs: the query does more than filter and summarize',
    ],
    [
      plan(`${logs} | summarize count() by host | summarize max(count_)`),
      'runs: the query does more than filter and summarize',
    ],
    [plan(`${logs} | count`), 'runs: the query does more than filter and summarize'],
    [
      plan(`let a = 1; ${logs} | summarize count()`),
      'runs: the query does more than filter and summarize',
    ],
    [plan(`union a, b | summarize count()`), 'runs: the query does more than filter and summarize'],
    [
      plan(`${logs} | summarize count()`, { intervalMinutes: 7, rangeMinutes: 7 }),
      'runs: its interval and range do not divide a day',
    ],
    [
      plan(`${logs} | summarize count() by bin(_time, 1m)`, {}, minute),
      "ownBins: ['logs'] | summarize count() by bin(_time, 1m)",
    ],
    [
      plan(`${logs} | summarize count() by bin(_time, 2m)`, {}, 2 * minute),
      'runs: a run starts or ends within a bin of the query',
    ],
    [
      plan(`${logs} | summarize count() by bin_auto(_time)`, {}, 15_000),
      'runs: the bins of bin_auto depend on the range',
    ],
    [
      plan(`${logs} | where x`, { type: 'MatchEvent' }),
      "events: ['logs'] | where x | summarize aplomb_events = count() by bin(_time, 300s)",
    ],
    [
      plan(`${logs} | limit 5`, { type: 'MatchEvent' }),
      'runs: the query does more than filter events',
    ],
  ];
  for (const [found, expected] of table) it(expected, () => assert.equal(found, expected));

  it('a chart of one value for each run is asked over time', () => {
    const rule = readRule({ type: 'Threshold', rangeMinutes: 15, intervalMinutes: 5 });
    assert.equal(
      queryOverTime(rule, `${logs} | summarize count() by host`),
      `${logs}\n| summarize count() by host, bin(_time, 900s)`,
    );
    assert.equal(queryOverTime(rule, `${logs} | summarize count() by bin(_time, 1m)`), undefined);
    assert.equal(queryOverTime(rule, `${logs} | top 5 by x | summarize count()`), undefined);
  });

  it('the step is what ranges, intervals and the delay are multiples of', () => {
    assert.equal(stepOf(readRule({ intervalMinutes: 10, rangeMinutes: 15 })), 5 * minute);
    assert.equal(
      stepOf(readRule({ intervalMinutes: 1, rangeMinutes: 1, secondDelay: 45 })),
      15_000,
    );
  });

  it('parts leave out what no run reads, and have a bounded number of bins', () => {
    assert.deepEqual(
      partsOf(
        [
          { from: 0, to: 5 },
          { from: 3, to: 8 },
          { from: 20, to: 25 },
        ],
        1,
      ),
      [
        { from: 0, to: 8 },
        { from: 20, to: 25 },
      ],
    );
    assert.equal(partsOf([{ from: 0, to: 50_000 }], 1).length, 3);
  });
});

describe('a monitor whose runs read many bins', () => {
  it('is asked for run by run, and does not stop the editor for minutes', async () => {
    // Seconds of delay make bins of a second, of which a range of a day has 86,400.
    for (const monitor of [
      { intervalMinutes: 1, rangeMinutes: 1_440, secondDelay: 7 },
      { intervalMinutes: 1, rangeMinutes: 525_600 },
    ]) {
      const rule = readRule({ type: 'Threshold', ...monitor });
      let asked = 0;
      const started = performance.now();
      const outcome = await readRuns({
        rule,
        apl: "['logs'] | summarize count()",
        spans: runsIn(rule, end - 7 * day, end),
        atOnce: 4,
        signal: new AbortController().signal,
        ask: async () => {
          asked += 1;
          const field = { name: 'count_', type: 'integer', agg: { name: 'count' } };
          const table = { name: '0', fields: [field], columns: [[1]], order: [], groups: [] };
          return { ok: true, value: { tables: [table], status: {} } } as never;
        },
        onProgress: () => undefined,
      });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      assert.match(outcome.value.reason ?? '', /bins/);
      assert.ok(asked <= 301, `${asked} queries`);
      assert.ok(performance.now() - started < 2_000, 'It took too long.');
    }
  });
});

describe('a rule with lengths of time that make no sense', () => {
  for (const length of [
    0,
    -5,
    0.5,
    2 ** -20,
    1e15,
    1e300,
    1e308,
    Number.NaN,
    10n ** 40n,
    '7',
    null,
  ]) {
    it(`such as ${length} has runs at times that exist`, () => {
      for (const type of ['Threshold', 'MatchEvent', 'AnomalyDetection']) {
        for (const member of ['intervalMinutes', 'rangeMinutes', 'secondDelay', 'compareDays']) {
          const rule = readRule({ type, [member]: length });
          const spans = withHistory(rule, runsIn(rule, end - 60 * minute, end));
          for (const { at, from, to } of [...spans, latestRun(rule, end)]) {
            for (const time of [at, from, to]) new Date(time).toISOString();
            assert.ok(from < to && to <= at, `${member} ${from} ${to} ${at}`);
          }
          assert.ok(stepOf(rule) >= 1_000, member);
          assert.ok(ruleInWords(rule, { values: [], groups: [] }).length > 0);
        }
      }
    });
  }
});

describe('when a monitor runs', () => {
  it('at multiples of its interval, after the start and up to the end', () => {
    const rule = readRule({ intervalMinutes: 5, rangeMinutes: 15, secondDelay: 30 });
    const spans = runsIn(rule, 0, 10 * minute);
    assert.deepEqual(
      spans.map(({ at }) => at / minute),
      [5, 10],
    );
    assert.equal(countRuns(rule, 0, 10 * minute), 2);
    assert.deepEqual(spans[0], {
      at: 5 * minute,
      from: 5 * minute - 30_000 - 15 * minute,
      to: 5 * minute - 30_000,
    });
  });

  it('days before are read once for all runs that need them', () => {
    const rule = readRule({
      type: 'AnomalyDetection',
      compareDays: 2,
      intervalMinutes: 1_440,
      rangeMinutes: 60,
    });
    const spans = runsIn(rule, 10 * day, 13 * day);
    assert.deepEqual(
      withHistory(rule, spans).map(({ at }) => at / day),
      [9, 10, 11, 12, 13],
    );
  });
});

describe('the rule in words', () => {
  const words = (monitor: Readonly<Record<string, unknown>>, groups: string[] = []) =>
    ruleInWords(readRule(monitor), { values: ['count_'], groups });
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, string[], string])[] = [
    [
      { type: 'Threshold', operator: 'Above', threshold: 10, intervalMinutes: 5, rangeMinutes: 15 },
      ['host', 'status'],
      "Alerts when 'count_' is above 10 for any host, status, checked every 5 minutes over the last 15 minutes.",
    ],
    [
      {
        type: 'Threshold',
        operator: 'BelowOrEqual',
        threshold: 0.5,
        intervalMinutes: 1,
        rangeMinutes: 60,
        columnName: 'ratio',
        alertOnNoData: true,
        triggerAfterNPositiveResults: 2,
        triggerFromNRuns: 3,
        secondDelay: 90,
      },
      [],
      "Alerts when 'ratio' is at or below 0.5, checked every minute over the last hour. Each check waits 90 seconds for late data. Alerts once 2 of the last 3 checks are positive. No data counts as positive.",
    ],
    [
      { type: 'MatchEvent', intervalMinutes: 1, rangeMinutes: 1, alertOnNoData: true },
      [],
      'Alerts for each event that the query finds, checked every minute over the last minute.',
    ],
    [
      {
        type: 'AnomalyDetection',
        operator: 'AboveOrBelow',
        tolerance: 25,
        compareDays: 7,
        intervalMinutes: 30,
        rangeMinutes: 30,
        notifyByGroup: true,
      },
      ['host'],
      "Alerts when 'count_' is more than 25% above or below the average of the same time on the 7 days before for any host, checked every 30 minutes over the last 30 minutes. Each group alerts separately.",
    ],
    [
      { type: 'Future', intervalMinutes: 5, rangeMinutes: 5 },
      [],
      'The rule of a monitor of type Future is not known here, checked every 5 minutes over the last 5 minutes.',
    ],
  ];
  for (const [monitor, groups, expected] of rows)
    it(expected, () => assert.equal(words(monitor, groups), expected));
});
