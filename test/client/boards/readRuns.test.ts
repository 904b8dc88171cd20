/** Monitor tests: the rows they read from a real local deployment, the runs they test, and rules in words. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Run } from '../../../client/src/boards/monitor/evaluate.ts';
import { queryOverTime } from '../../../client/src/boards/monitor/overTime.ts';
import { type RunsRequest, readRuns } from '../../../client/src/boards/monitor/readRuns.ts';
import { readRule } from '../../../client/src/boards/monitor/rule.ts';
import { ruleInWords } from '../../../client/src/boards/monitor/ruleWords.ts';
import {
  countRuns,
  lastRun,
  latestRuns,
  queriesMax,
  runsIn,
  withHistory,
} from '../../../client/src/boards/monitor/schedule.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import { Service } from '../../../client/src/service/service.ts';
import { parseQuery } from '../../../language/src/index.ts';
import { queryFacts } from '../../../server/src/features/queryFacts.ts';
import { Processes } from '../../local/processes.ts';

const minute = 60_000;
const day = 86_400_000;
const end = Math.floor((Date.now() - day) / day) * day + 10 * 60 * minute;

interface Event {
  readonly _time: string;
  readonly host: string;
  readonly duration: number;
  readonly status: number;
}

/** Events of three hours on each of two days. Some minutes have none. */
const events: readonly Event[] = Array.from({ length: 900 }, (_, index) => ({
  _time: new Date(
    end - (index % 2) * day - (((index * 7_919) % 180) * minute + ((index * 37) % 60) * 1_000),
  ).toISOString(),
  host: `web-${index % 4}`,
  duration: (index * 53) % 400,
  status: index % 7 === 0 ? 500 : 200,
})).filter(({ _time }) => new Date(_time).getUTCMinutes() % 9 !== 4);

describe('a monitor test on the local deployment', () => {
  const dispatcher = directDispatcher();
  let processes: Processes;
  let service: Service;

  before(async () => {
    processes = await Processes.create();
    const { url, token } = await processes.start('data');
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
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

  const read = (monitor: object, apl: string) => {
    const rule = readRule({ type: 'Threshold', intervalMinutes: 5, rangeMinutes: 5, ...monitor });
    return readRuns({
      rule,
      apl,
      spans: latestRuns(rule, end - 60 * minute, end).spans,
      maxConcurrent: 4,
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
  };

  type Rows = readonly (readonly [group: string, offset: number, value: number])[];

  const groupedBy = (
    found: readonly Event[],
    key: (event: Event) => readonly [string, number],
  ): Rows => {
    const counts = new Map<string, number>();
    for (const event of found) {
      const name = JSON.stringify(key(event));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => [...JSON.parse(name), count] as never);
  };

  const cases: readonly {
    readonly name: string;
    readonly monitor: object;
    readonly apl: string;
    /** Returns the expected rows of a run from the events in its range. */
    rows(found: readonly Event[], from: number): Rows;
  }[] = [
    {
      name: 'a count, as 0 for a range without events',
      monitor: {},
      apl: "['logs'] | where status >= 500 | summarize count()",
      rows: (found) => [['', 0, found.filter(({ status }) => status >= 500).length]],
    },
    {
      name: 'a count by group over overlapping ranges, with a delay',
      monitor: { rangeMinutes: 10, secondDelay: 60 },
      apl: "['logs'] | summarize count() by host",
      rows: (found) => groupedBy(found, ({ host }) => [host, 0]),
    },
    {
      name: 'the bins of a query, by their offset from the start of the range',
      monitor: { rangeMinutes: 15 },
      apl: "['logs'] | summarize count() by bin(_time, 5m), host",
      rows: (found, from) =>
        groupedBy(found, ({ _time, host }) => [
          host,
          Math.floor((Date.parse(_time) - from) / (5 * minute)) * 5 * minute,
        ]),
    },
    {
      name: 'the configured column of several',
      monitor: { columnName: 'slow' },
      apl: "['logs'] | limit 100000 | summarize n = count(), slow = countif(duration > 300)",
      rows: (found) => [['', 0, found.filter(({ duration }) => duration > 300).length]],
    },
    {
      name: 'the number of matching events',
      monitor: { type: 'MatchEvent' },
      apl: "['logs'] | where status >= 500 // errors",
      rows: (found) => [['', 0, found.filter(({ status }) => status >= 500).length]],
    },
    {
      name: 'the runs of the previous day as well, to detect anomalies',
      monitor: { type: 'AnomalyDetection', compareDays: 1 },
      apl: "['logs'] | summarize count() by host",
      rows: (found) => groupedBy(found, ({ host }) => [host, 0]),
    },
  ];
  for (const { name, monitor, apl, rows } of cases) {
    it(`reads ${name}`, async () => {
      const rule = readRule({ type: 'Threshold', intervalMinutes: 5, rangeMinutes: 5, ...monitor });
      const outcome = await read(monitor, apl);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      const found = [...outcome.value.runs].sort((a, b) => a.at - b.at);
      const { spans } = latestRuns(rule, end - 60 * minute, end);
      assert.equal(spans.length, rule.type === 'AnomalyDetection' ? 24 : 12);
      const short = (run: Run) =>
        run.rows.map(({ group, offset, values }) => [group.join(), offset, values[0]]);
      assert.deepEqual(
        found.map((run) => [run.at, short(run).sort()]),
        spans.map(({ at, from, to }) => {
          const inRange = events.filter(({ _time }) => {
            const time = Date.parse(_time);
            return time >= from && time < to;
          });
          return [at, [...rows(inRange, from)].sort()];
        }),
      );
    });
  }

  it('names the configured column if the result does not contain it', async () => {
    const outcome = await read({ columnName: 'total' }, "['logs'] | summarize count()");
    assert.ok(!outcome.ok);
    assert.match(outcome.failure.message, /no column 'total'/);
  });
});

describe('the queries of a monitor test', () => {
  const rule = readRule({ type: 'Threshold', intervalMinutes: 5, rangeMinutes: 5 });
  const spans = runsIn(rule, end - 60 * minute, end);
  const answer = (column = 'count_') => {
    const field = { name: column, type: 'integer', agg: { name: 'count' } };
    const table = { name: '0', fields: [field], columns: [[1]], order: [], groups: [] };
    return { ok: true, value: { tables: [table], status: {} } } as never;
  };
  const read = (more: Partial<RunsRequest>) =>
    readRuns({
      rule,
      apl: "['logs'] | summarize count()",
      spans,
      maxConcurrent: 3,
      signal: new AbortController().signal,
      ask: async () => answer(),
      onProgress: () => undefined,
      ...more,
    });

  it('cover the range of each run, at most maxConcurrent at a time', async () => {
    const ranges: string[] = [];
    const progress: number[] = [];
    let running = 0;
    let most = 0;
    await read({
      ask: async (apl, from, to) => {
        assert.equal(apl, "['logs'] | summarize count()");
        ranges.push(`${from} ${to}`);
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return answer();
      },
      onProgress: (done) => progress.push(done),
    });
    assert.deepEqual(ranges, spans.map(({ from, to }) => `${from} ${to}`).reverse());
    assert.equal(most, 3);
    assert.deepEqual(
      progress,
      spans.map((_, index) => index + 1),
    );
  });

  it('stop at the first failure and on cancellation', async () => {
    let asked = 0;
    const failure = { kind: 'refused', host: '', message: 'No.' } as const;
    const failed = await read({
      maxConcurrent: 1,
      ask: async () => {
        asked += 1;
        return asked < 3 ? answer() : { ok: false, failure };
      },
    });
    assert.deepEqual(failed, { ok: false, failure });
    assert.equal(asked, 3);
    const controller = new AbortController();
    asked = 0;
    await read({
      maxConcurrent: 1,
      signal: controller.signal,
      ask: async () => {
        asked += 1;
        if (asked === 4) controller.abort();
        return answer();
      },
    });
    assert.equal(asked, 4);
  });
});

describe('the runs that a monitor test covers', () => {
  it('are the latest ones, up to the maximum number of queries', () => {
    const rule = readRule({ type: 'Threshold', intervalMinutes: 1, rangeMinutes: 1 });
    const all = latestRuns(rule, end - queriesMax * minute, end);
    assert.equal(all.runs.length, queriesMax);
    assert.deepEqual(all.spans, all.runs);
    const { runs } = latestRuns(rule, end - day, end);
    assert.deepEqual(runs, all.runs);
    assert.equal(runs.at(-1)?.at, end);
    assert.equal(countRuns(rule, end - day, end), 1_440);
  });

  it('leave enough queries for the earlier days that an anomaly is compared with', () => {
    const rule = readRule({ type: 'AnomalyDetection', compareDays: 2, intervalMinutes: 1 });
    const { runs, spans } = latestRuns(rule, end - day, end);
    assert.equal(runs.length, queriesMax / 3);
    assert.equal(spans.length, queriesMax);
    // Earlier days that are tested runs themselves need no other query.
    const daily = readRule({ ...rule, intervalMinutes: 1_440, compareDays: 7 });
    assert.equal(latestRuns(daily, end - 400 * day, end).runs.length, queriesMax - 7);
  });

  it('are found within two seconds in a time range of ten years', () => {
    const rule = readRule({ type: 'AnomalyDetection', intervalMinutes: 1, compareDays: 7 });
    const started = performance.now();
    assert.ok(latestRuns(rule, end - 3_650 * day, end).runs.length > 30);
    assert.ok(performance.now() - started < 2_000, 'It took too long.');
  });
});

describe('the chart of a monitor', () => {
  const logs = "['logs']";
  const overTime = async (apl: string, monitor: object = {}) => {
    const rule = readRule({ type: 'Threshold', rangeMinutes: 15, intervalMinutes: 5, ...monitor });
    const found = await queryOverTime(rule, apl, async (text) => queryFacts(parseQuery(text)));
    return found?.replaceAll('\n', ' ');
  };
  const table: readonly (readonly [apl: string, expected: string | undefined, monitor?: object])[] =
    [
      [`${logs} | summarize count()`, `${logs} | summarize count() by bin(_time, 900s)`],
      [
        `${logs} | summarize count(), max(x) by host`,
        `${logs} | summarize count(), max(x) by host , bin(_time, 900s)`,
      ],
      [
        `${logs} | summarize c = countif(x == ' by ')`,
        `${logs} | summarize c = countif(x == ' by ') by bin(_time, 900s)`,
      ],
      [
        `// Errors\n${logs} | where a == '|' // by host | x\n| summarize count() // end`,
        `${logs} | where a == '|' // by host | x | summarize count() // end by bin(_time, 900s)`,
      ],
      [`${logs} | summarize count() by bin(_time, 1m)`, undefined],
      [`${logs} | summarize count() by bin_auto(_time)`, undefined],
      [`${logs} | top 5 by x | summarize count()`, undefined],
      [`${logs} | limit 10 | summarize count()`, undefined],
      [`${logs} | summarize count() by host | summarize max(count_)`, undefined],
      [`${logs} | summarize c = count() | where c > 3`, undefined],
      [`${logs} | count`, undefined],
      ['union a, b | summarize count()', undefined],
      [
        `${logs} | where x`,
        `${logs} | where x | summarize events = count() by bin(_time, 900s)`,
        { type: 'MatchEvent' },
      ],
      [`${logs} | limit 5`, undefined, { type: 'MatchEvent' }],
    ];
  for (const [apl, expected, monitor] of table)
    it(`${expected === undefined ? 'draws the result of' : 'draws values over time of'} ${apl}`, async () =>
      assert.equal(await overTime(apl, monitor), expected));
});

describe('a rule with an invalid duration', () => {
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
    it(`such as ${length} has runs at valid times`, () => {
      for (const type of ['Threshold', 'MatchEvent', 'AnomalyDetection']) {
        for (const member of ['intervalMinutes', 'rangeMinutes', 'secondDelay', 'compareDays']) {
          const rule = readRule({ type, [member]: length });
          const spans = withHistory(rule, runsIn(rule, end - 60 * minute, end));
          for (const { at, from, to } of [...spans, lastRun(rule, end)]) {
            for (const time of [at, from, to]) new Date(time).toISOString();
            assert.ok(from < to && to <= at, `${member} ${from} ${to} ${at}`);
          }
          assert.ok(ruleInWords(rule, { values: [], groups: [] }).length > 0);
        }
      }
    });
  }
});

describe('the schedule of a monitor', () => {
  it('has a run at each multiple of the interval, after the start and up to the end', () => {
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

  it('includes each earlier day once, even if several runs are compared with it', () => {
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

describe('the description of a rule', () => {
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
    it(`is: ${expected}`, () => assert.equal(words(monitor, groups), expected));
});
