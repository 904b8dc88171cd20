// Runs are limited: a range is always sent, long ranges need a limit, two run at once, and cancelling ends a run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentSession, callTool } from '../../agents/src/index.ts';
import { fakeContext, neverAborted, noEvents } from './fakeContext.ts';

const fields = [
  { name: '_time', type: 'datetime' },
  { name: 'status', type: 'integer' },
];

function run(input: object, context = fakeContext({ fields })) {
  return callTool(new AgentSession(context), 'run_query', input, neverAborted);
}

/** Runs a query and returns the range that was sent, or the refusal. */
async function rangeOf(query: string, range: object = {}): Promise<string> {
  const context = fakeContext({ fields });
  const { text } = await run({ query, ...range }, context);
  const [request] = context.requests;
  return request === undefined ? text : `${request.startTime} ${request.endTime}`;
}

describe('the time range', () => {
  it('is the one of the call', async () => {
    const query = 'logs | where _time > ago(7d) | count';
    assert.equal(await rangeOf(query, { from: 'now-2h' }), 'now-2h now');
    assert.equal(await rangeOf(query, { from: '2h' }), 'now-2h now');
    assert.equal(await rangeOf(query, { from: 'ago(30m)', to: 'now()' }), 'now-30m now');
    const day = { from: '2026-01-30T00:00:00Z', to: '2026-01-31T00:00:00Z' };
    assert.equal(await rangeOf(query, day), `${day.from} ${day.to}`);
  });

  it('is otherwise the one of the conditions on _time', async () => {
    const cases = [
      ['logs | where _time > ago(7d) | count', 'now-1w now'],
      ['logs | where _time >= ago(90m) and status > 1 | count', 'now-90m now'],
      ['logs | where ago(1h) < _time | count', 'now-1h now'],
      ['logs | where status > 1 | where _time between (ago(2d) .. now()) | count', 'now-2d now'],
      ['logs | where _time > now() - 3h | count', 'now-3h now'],
      ['logs | where _time > now(-3h) | count', 'now-3h now'],
      ['let span = 4h; logs | where _time > ago(span) | count', 'now-4h now'],
      ['let start = ago(5h); logs | where _time > start | count', 'now-5h now'],
      ['logs | where _time >= datetime(2026-01-31) | count', '2026-01-31T00:00:00.000Z now'],
    ] as const;
    for (const [query, expected] of cases) assert.equal(await rangeOf(query), expected, query);
  });

  it('is otherwise the last hour', async () => {
    const queries = [
      'logs | count',
      'logs | where _time < ago(7d) | count',
      'logs | where _time > ago(7d) or status == 1 | count',
      'logs | summarize t = max(_time) by status | where t > ago(7d)',
      'logs | where status > 1 | take 5 | where _time > ago(7d)',
    ];
    for (const query of queries) assert.equal(await rangeOf(query), 'now-1h now', query);
  });

  it('is refused if it cannot be read', async () => {
    assert.match(await rangeOf('logs | count', { from: 'yesterday' }), /^'from' must be now, /);
    assert.match(await rangeOf('logs | count', { from: 'now-1h', to: 'x' }), /^'to' must be now, /);
    assert.match(
      await rangeOf('logs | count', { to: '2026-01-31T00:00:00Z' }),
      /'from' is missing/,
    );
    const reversed = { from: '2026-01-31T00:00:00Z', to: '2026-01-30T00:00:00Z' };
    assert.match(await rangeOf('logs | count', reversed), /^'from' is after 'to'/);
  });

  it('above a day is refused without a limit or an aggregate, with a query that is not', async () => {
    const long = { from: 'now-25h' };
    for (const query of ['logs', 'logs | where status > 1', '(logs) | extend a = 1 | sort by a']) {
      const text = await rangeOf(query, long);
      assert.match(text, /^Refused: the query returns all events of more than a day/);
      const suggested = [...text.matchAll(/```apl\n([\s\S]*?)\n```/g)].map(
        ([, other = '']) => other,
      );
      assert.equal(suggested.length, 2);
      for (const other of suggested) assert.equal(await rangeOf(other, long), 'now-25h now');
      assert.equal(await rangeOf(query, { from: 'now-1d' }), 'now-1d now');
    }
    for (const query of ['logs | project status', 'logs | project status;']) {
      const text = await rangeOf(query, long);
      const shorter = 'logs | project status';
      assert.ok(text.includes(`${shorter}\n| take 100\n`), text);
      assert.ok(text.includes(`${shorter}\n| summarize count()\n`), text);
    }
    const unbounded = [
      'logs | take 1 | union logs',
      'union logs, (logs | take 1)',
      'let t = logs; t',
    ];
    for (const query of unbounded) assert.match(await rangeOf(query, long), /^Refused/, query);
    const others = ['logs | take 1 | union (logs | take 2)', 'let t = logs | take 5; t'];
    for (const query of others) assert.equal(await rangeOf(query, long), 'now-25h now', query);
    const bounded = ['take 5', 'top 3 by status', 'count', 'summarize count()', 'distinct status'];
    for (const stage of bounded) {
      assert.equal(await rangeOf(`logs | ${stage}`, { from: 'now-10w' }), 'now-10w now', stage);
    }
  });
});

describe('a run', () => {
  it('has a time limit, a limit of rows, and the datasets that it reads', async () => {
    const context = fakeContext({ fields });
    await run({ query: 'logs | take 5' }, context);
    const [{ timeoutMs, defaultLimit, datasets } = {}] = context.requests;
    assert.deepEqual([timeoutMs, defaultLimit, datasets], [60_000, 1_000, ['logs']]);
  });

  it('of several stages has the time limit of one', async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const limits: number[] = [];
    const own = fakeContext(
      { fields },
      {
        ask: async ({ timeoutMs }) => {
          limits.push(timeoutMs);
          context.mock.timers.tick(25_000);
          return { ok: true, value: noEvents };
        },
      },
    );
    const input = { query: `logs${' | where status > 1'.repeat(9)} | take 5` };
    const answer = await callTool(new AgentSession(own), 'run_to_stage', input, neverAborted);
    assert.deepEqual(limits, [60_000, 35_000, 10_000]);
    assert.match(answer.text, /\n2\. [\s\S]*The time limit of 60 s has ended\.$/);
    assert.ok(answer.isError);
  });

  it('is not sent if the query reads files or addresses', async () => {
    const address =
      "externaldata (a: string) ['https://example.com/?secret=1'] with (format='txt')";
    const queries = [
      `${address} | take 5`,
      `let t = ${address};\nlogs | where status in (t | project toint(a)) | count`,
      `union logs, (${address}) | take 5`,
      `logs | join kind=inner (${address}) on $left.status == $right.a | count`,
    ];
    for (const query of queries) {
      for (const name of ['run_query', 'run_to_stage']) {
        const context = fakeContext({ fields });
        const answer = await callTool(new AgentSession(context), name, { query }, neverAborted);
        assert.ok(answer.isError);
        assert.deepEqual(context.requests, [], query);
      }
      const { text } = await run({ query });
      assert.match(text, /^Refused: externaldata/, query);
    }
  });

  it('is not sent if the query has errors, and the answer has the fixed query', async () => {
    const context = fakeContext({ fields });
    const { text, isError } = await run({ query: 'logs | where Status == 500 | count' }, context);
    assert.deepEqual(context.requests, []);
    assert.ok(isError);
    assert.match(text, /no errors are left\):\n```apl\nlogs \| where status == 500 \| count\n```$/);
  });

  it('knows a field that was added since the schema was read', async () => {
    const context = fakeContext();
    const known = [...fields];
    const session = new AgentSession({
      ...context,
      fields: async () => ({ ok: true, value: { fields: [...known], complete: true } }),
    });
    const call = () =>
      callTool(session, 'run_query', { query: 'logs | where added == 1 | count' }, neverAborted);
    assert.ok((await call()).isError);
    known.push({ name: 'added', type: 'integer' });
    assert.equal((await call()).isError, undefined);
  });

  it('knows the fields of events that were just stored', async () => {
    const known = [...fields];
    const context = fakeContext(
      {},
      {
        fields: async () => ({ ok: true, value: { fields: [...known], complete: true } }),
        ingest: async () => {
          known.push({ name: 'added', type: 'integer' });
          return { ok: true, value: { stored: 1, failed: 0, messages: [] } };
        },
      },
    );
    const session = new AgentSession(context);
    const check = async () => {
      const query = 'logs | where added == 1 | count';
      return (await callTool(session, 'check_query', { query }, neverAborted)).text;
    };
    assert.match(await check(), /unknown-column/);
    const input = { dataset: 'logs', events: [{ added: 1 }] };
    await callTool(session, 'ingest_events', input, neverAborted);
    assert.equal(await check(), 'No problems.');
  });

  it('states range, examined and matched rows, time and limits', async () => {
    const table = { name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [[1]] };
    const value = { ...noEvents, tables: [table], rowsExamined: 12_345, rowsMatched: 67 };
    const context = fakeContext(
      { fields },
      {
        ask: async () => ({
          ok: true,
          value: { ...value, elapsedMilliseconds: 89.4, isPartial: true, messages: ['a notice'] },
        }),
      },
    );
    const { text } = await run({ query: 'logs | count' }, context);
    const expected =
      'Range: now-1h to now, the default. Rows examined: 12,345, matched: 67. Time: 89 ms. Limits: 60 s, 2 runs at once. The answer is partial.\nNotice: a notice\n';
    assert.ok(text.startsWith(expected), text);
  });

  it('says what to do if no event matched', async () => {
    const noteOf = async (rowsMatched: number, query: string) => {
      const table = { name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [[0]] };
      const value = { ...noEvents, tables: [table], rowsExamined: 5, rowsMatched };
      const own = { ask: async () => ({ ok: true, value }) as const };
      const { text } = await run({ query }, fakeContext({ fields }, own));
      return text.split('\n')[1] ?? '';
    };
    assert.match(
      await noteOf(0, 'logs | count'),
      /^No event matched\. .*from.*get_fields.*run_to_/,
    );
    assert.match(await noteOf(1, 'logs | count'), /^Data from events/);
    assert.match(await noteOf(0, 'print n = 0'), /^Data from events/);
  });

  it('shows totals, and integers with all digits', async () => {
    const big = 9_223_372_036_854_775_807n;
    const table = { name: '0', fields: [{ name: 'n', type: 'integer' }], columns: [[big, -big]] };
    const tables = [table, { ...table, name: '_totals', columns: [[big - 1n]] }];
    const { text } = await run({ query: 'logs | count' }, fakeContext({ fields, tables }));
    assert.match(text, /\n\[9223372036854775807\]\n\[-9223372036854775807\]\n/);
    assert.match(text, /\nTotals:\n[\s\S]*\n\[9223372036854775806\]\n/);
  });

  it('waits for one of two slots, and leaves the queue when it is cancelled', async () => {
    let running = 0;
    let most = 0;
    let ran = 0;
    const context = fakeContext(
      { fields },
      {
        ask: async (_, signal) => {
          running += 1;
          ran += 1;
          most = Math.max(most, running);
          await sleep(20, undefined, { signal }).catch(() => undefined);
          running -= 1;
          return { ok: true, value: noEvents };
        },
      },
    );
    const session = new AgentSession(context);
    const controllers = Array.from({ length: 12 }, () => new AbortController());
    const calls = controllers.map(({ signal }) =>
      callTool(session, 'run_query', { query: 'logs | count' }, signal).then(
        () => 'answered',
        () => 'cancelled',
      ),
    );
    // One that runs, and several that wait.
    for (const index of [0, 5, 6, 11]) controllers[index]?.abort();
    const outcomes = await Promise.all(calls);
    assert.equal(outcomes.filter((outcome) => outcome === 'cancelled').length, 4);
    assert.equal(most, 2);
    assert.ok(ran <= 9);
    assert.match((await run({ query: 'logs | count' }, context)).text, /^Range/);
  });

  it('that fails unexpectedly is a failed answer, and frees its slot', async () => {
    const context = fakeContext(
      { fields },
      {
        ask: async () => {
          throw new Error('broken pipe');
        },
      },
    );
    const session = new AgentSession(context);
    for (let index = 0; index < 5; index += 1) {
      const call = callTool(session, 'run_query', { query: 'logs | count' }, neverAborted);
      assert.deepEqual(await call, { text: 'The call failed: broken pipe', isError: true });
    }
  });
});
