/** What a plan says beside its SQL: the range, limits, orders, groups, bins, aggregates, counts and errors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PlanError } from '../../../local/src/planner/index.ts';
import type { PlannedCounts } from '../../../local/src/planner/plan.ts';
import { context, type Engine, openEngine, plan } from './engine.ts';

let engine: Engine;
before(async () => {
  engine = await openEngine();
});
after(() => engine.close());

function refusal(query: string): PlanError {
  try {
    plan(query);
  } catch (error) {
    return error as PlanError;
  }
  throw new Error(`${query} was not refused`);
}

describe('the row limit', () => {
  it('equals the default limit only if the query has no explicit limit', () => {
    assert.equal(plan('logs').defaultLimit, 1_000);
    assert.match(plan('logs', { defaultLimit: 7 }).main.sql, /LIMIT 7\b/);
    for (const query of ['logs | take 5', 'logs | top 5 by ms', 'logs | limit 5 | where ok']) {
      assert.equal(plan(query).defaultLimit, undefined, query);
    }
  });

  it('is not set by default for a query that returns one row', () => {
    for (const query of [
      'logs | count',
      'logs | summarize count()',
      'print 1',
      'logs | getschema',
    ]) {
      const { defaultLimit, main } = plan(query);
      assert.equal(defaultLimit, undefined, query);
      assert.doesNotMatch(main.sql, /LIMIT/, query);
    }
  });

  it('equals the default limit for a time series whose arrays are expanded', () => {
    const series = 'logs | summarize list = make_list(ms) by bin(_time, 1h)';
    assert.equal(plan(series).defaultLimit, undefined);
    assert.equal(plan(`${series} | mv-expand list`).defaultLimit, 1_000);
  });

  it('is derived from explicit limits, time bins and constant rows', () => {
    const most: readonly (readonly [query: string, most: bigint | undefined])[] = [
      ['logs', 1_000n],
      ['logs | take 20 | take 5 | take 10', 5n],
      ['logs | take 5 | where ok | extend a = 1 | project a', 5n],
      ['logs | take 5 | mv-expand a = dynamic([1, 2])', undefined],
      ['logs | take 5 | join kind=inner (logs | take 3) on method', undefined],
      ['logs | take 5 | union (logs | take 3)', 8n],
      ['logs | take 5 | union logs', undefined],
      ['logs | take 5 | summarize count() by method', 5n],
      ['logs | sample 0.5 | count', 1n],
      ['logs | summarize count() by method | top 2 by count_', 2n],
      // The range is a day.
      ['logs | summarize count() by bin(_time, 1h)', 26n],
      ['logs | where ok | sort by ms | summarize n = count() by bin(_time, 1s) | take 9', 9n],
      ['logs | summarize n = dcount(ok) by bin_auto(_time) | extend m = n + 1', 98n],
      ['logs | summarize count() by bin(_time, 1h), ok', undefined],
      ['logs | extend _time = _time + 1d | summarize count() by bin(_time, 1h)', undefined],
      ['logs | project _time = _time + 1d | summarize count() by bin(_time, 1h)', undefined],
      ['logs | union (logs) | summarize count() by bin(_time, 1h)', undefined],
      ['datatable (a: long) [1, 2, 3] | where a > 1', 3n],
      ['print 1', 1n],
    ];
    const found = most.map(([query]) => [query, plan(query, { defaultLimit: 1_000 }).main.maxRows]);
    assert.deepEqual(found, most);
  });

  it('limits the number of groups of a time series and removes no bins', async () => {
    const query = 'logs | summarize n = count() by bin(_time, 1h), method';
    const { main } = plan(query, { defaultLimit: 1 });
    assert.deepEqual(await engine.rows(main.sql), [['2024-05-01 10:00:00', 'GET', '2']]);
    assert.doesNotMatch(plan('logs | summarize count() by bin(_time, 1s)').main.sql, /LIMIT/);
  });
});

describe('the row order', () => {
  it('is newest first unless the request or the query specifies an order', () => {
    assert.deepEqual(plan('logs').main.order, [{ field: '_time', desc: true }]);
    const asked = plan('logs', { defaultOrder: [{ field: 'status', desc: false }] });
    assert.deepEqual(asked.main.order, [{ field: 'status', desc: false }]);
    assert.deepEqual(plan('logs | sort by ms asc, method').main.order, [
      { field: 'ms', desc: false },
      { field: 'method', desc: true },
    ]);
  });

  it('is by time, then by descending aggregate, for a time series', () => {
    assert.deepEqual(plan('logs | summarize n = count() by bin(_time, 1h), method').main.order, [
      { field: '_time', desc: false },
      { field: 'n', desc: true },
      { field: 'method', desc: false },
    ]);
  });
});

describe('the time range', () => {
  it('is applied by comparing the stored time column with constants', () => {
    assert.match(
      plan('logs | summarize count() by status').main.sql,
      /WHERE t\."_time" >= TIMESTAMP_NS '2024-05-01 00:00:00' AND t\."_time" < TIMESTAMP_NS '2024-05-02 00:00:00'\n/,
    );
  });

  it('excludes its end and keeps nanosecond precision', async () => {
    const start = context.range.start + 36_000_000_000_000n;
    const at = (from: bigint, to: bigint) =>
      plan('logs | count', { range: { start: start + from, end: start + to } }).main.sql;
    assert.deepEqual(await engine.rows(at(0n, 1n)), [['0']]);
    assert.deepEqual(await engine.rows(at(1n, 2n)), [['1']]);
  });
});

describe("a plan's metadata", () => {
  it("contains groups, bins and each column's aggregate", () => {
    const { main, totals } = plan(
      'logs | summarize dcount(method), percentile(ms, 95), n = count(), x = sum(ms) / 2 by bin(_time, 5m), method',
    );
    assert.deepEqual(main.groups, ['_time', 'method']);
    assert.deepEqual(main.buckets, { field: '_time', size: 300_000_000_000n });
    assert.deepEqual(
      main.columns.map(({ agg }) => agg),
      [
        undefined,
        undefined,
        { name: 'distinct', fields: ['method'] },
        { name: 'percentiles', fields: ['ms'], args: [95] },
        { name: 'count' },
        undefined,
      ],
    );
    assert.deepEqual(totals?.groups, ['method']);
    assert.equal(totals?.buckets, undefined);
  });

  it('contains no totals for groups without a time bin or if a later stage reads the bins', () => {
    assert.equal(plan('logs | summarize count() by method').totals, undefined);
    assert.equal(plan('logs | summarize count() by bin(_time, 1h) | count').totals, undefined);
    assert.equal(
      plan('logs | summarize n = count() by bin(_time, 1h) | extend h = hourofday(_time)').totals,
      undefined,
    );
  });

  it('contains a bin_auto size based on the time range and the requested number of groups', () => {
    const hour = { start: context.range.start, end: context.range.start + 3_600_000_000_000n };
    const size = (changes: object) =>
      plan('logs | summarize count() by bin_auto(_time)', changes).main.buckets?.size;
    assert.equal(size({ range: hour }), 30_000_000_000n);
    assert.equal(size({ range: hour, maxBinAutoGroups: 15 }), 300_000_000_000n);
    assert.equal(size({ maxBinAutoGroups: 1 }), 86_400_000_000_000n);
  });

  it('includes counts of the rows in the time range and of the rows kept by leading filters', async () => {
    const counts = async (query: string) => {
      const { examined, matched } = plan(query).counts as PlannedCounts;
      const [all] = await engine.rows(examined.sql);
      const [some] = matched === undefined ? [] : await engine.rows(matched.sql);
      return [all?.[0], some?.[0] ?? all?.[0]];
    };
    assert.deepEqual(await counts('logs'), ['5', '5']);
    assert.deepEqual(await counts('logs | where ok | where ms > 10 | summarize count()'), [
      '5',
      '1',
    ]);
    assert.deepEqual(await counts('logs | project ok | where ok'), ['5', '5']);
    assert.equal(plan('print 1').counts, undefined);
  });

  it('includes counts that are repeatable unless the query reads files or random rows', () => {
    const externalFiles = new Map();
    const isRepeatable = (query: string) =>
      plan(query, { externalFiles }).counts?.matched?.isRepeatable;
    assert.equal(isRepeatable('logs | where ok | take 5'), true);
    assert.equal(plan('logs | where ok | take 5').counts?.matched?.isRepeatable, false);
    assert.equal(isRepeatable('logs | where rand() < 0.5 | take 5'), false);
    assert.equal(isRepeatable('logs | where ms in ((logs | sample 0.5 | project ms))'), false);
  });

  it('contains the row limit only if each result row is a matched event', () => {
    const limit = (query: string) => plan(query, { defaultLimit: 7 }).counts?.limit;
    assert.equal(limit('logs | where ok | extend a = ms'), 7n);
    assert.equal(limit('logs | top 9 by ms | take 4 | sort by ms'), 4n);
    assert.equal(limit('logs | parse method with a "E" * | parse-kv method as (b: long)'), 7n);
    const others = [
      'summarize count() by ok',
      'distinct ok',
      'extend a = 1 | where ok',
      'parse-where method with a "E" *',
    ];
    for (const stage of others) {
      assert.equal(limit(`logs | ${stage}`), undefined, stage);
    }
  });

  it('allows merging bins into totals only if the aggregates and later stages permit it', () => {
    const merges = (query: string) => plan(`logs | summarize ${query}`).merges;
    assert.deepEqual(merges('n = count(), m = max(ms) by bin(_time, 1h) | sort by n'), [
      { column: 1, by: 'count' },
      { column: 2, by: 'max' },
    ]);
    for (const query of [
      'avg(ms) by bin(_time, 1h)',
      'min(ms) by bin(_time, 1h)',
      'count() + 1 by bin(_time, 1h)',
      'count() by bin(_time, 1h), ok',
      'n = count() by bin(_time, 1h) | where n > 1',
      'count() by bin(_time, 1h) | take 2',
    ]) {
      assert.equal(merges(query), undefined, query);
    }
  });

  it('includes the number of aggregated events in every row of an aggregation', async () => {
    const counted = async (query: string) => {
      const { main } = plan(query, { countRows: true });
      const rows = await engine.rows(main.sql);
      return main.hasRowCount ? rows.map((row) => row[main.columns.length]) : undefined;
    };
    assert.deepEqual(await counted('logs | where ok | count'), ['2']);
    assert.deepEqual(await counted('logs | where ms > 1000 | summarize max(ms)'), ['0']);
    const groups = await counted('logs | summarize count() by ms | where ms > 1 | take 2');
    assert.deepEqual(groups, ['5', '5']);
    const parsed = 'summarize count() by method | parse-where method with a "E" * | search "GET"';
    assert.deepEqual(await counted(`logs | ${parsed}`), ['5']);
    const series = await counted('logs | summarize count() by bin(_time, 1h), ok | take 1');
    assert.deepEqual(new Set(series), new Set(['5']));
    assert.equal(await counted('logs | summarize count() by ok | summarize count()'), undefined);
    assert.equal(await counted('logs | take 3 | summarize count()'), undefined);
    assert.equal(await counted('logs | take 3'), undefined);
  });

  it('lists each dataset of the query once', () => {
    assert.deepEqual(plan('union (logs), (logs | take 1)').datasets, ['logs']);
    assert.deepEqual(plan('print 1').datasets, []);
  });
});

describe('a let or a parameter', () => {
  it('is rejected before it exhausts memory if each let doubles a value', () => {
    const steps = Array.from({ length: 60 }, (_, i) => `let v${i + 1} = strcat(v${i}, v${i});`);
    const refused = refusal(`let v0 = tostring(rand()); ${steps.join(' ')} print strlen(v60)`);
    assert.equal(refused.code, 'unsupported-expression');
  });

  it("uses a request variable's value, as data, instead of the default", async () => {
    const query = `declare query_parameters (m:string = "GET"); logs | where method == m | count`;
    assert.deepEqual(await engine.rows(plan(query).main.sql), [['2']]);
    const sent = plan(query, { variables: { m: "x' OR true --" } });
    assert.deepEqual(await engine.rows(sent.main.sql), [['0']]);
  });
});

describe('long pipelines', () => {
  // Planning that did its work twice for each stage would not come to an end here.
  it('become one SQL statement if they have a hundred similar stages', async () => {
    for (const stage of ['take 5', 'sample 1']) {
      const { sql } = plan(`print a = 1\n${`| ${stage}\n`.repeat(100)}`).main;
      assert.ok(sql.split('\n').length >= 200, stage);
    }
    const { sql } = plan(`print a = 1\n${'| extend a = a + 1\n'.repeat(100)}`).main;
    assert.deepEqual(await engine.rows(sql), [['101']]);
  });

  it('are planned with 14 successive aggregations and rejected with 15', async () => {
    for (const stage of ['summarize a = max(a)', 'distinct a']) {
      const { sql } = plan(`print a = 1\n${`| ${stage}\n`.repeat(14)}`).main;
      assert.deepEqual(await engine.rows(sql), [['1']]);
      const refused = refusal(`print a = 1\n${`| ${stage}\n`.repeat(15)}`);
      assert.equal(refused.code, 'too-complex');
    }
  });

  it('are limited to 14 aggregations, including aggregations in let statements', () => {
    const lets = Array.from({ length: 20 }, (_, i) => `let t${i + 1} = t${i} | distinct a;`);
    const refused = refusal(`let t0 = print a = 1; ${lets.join(' ')} t20`);
    assert.equal(refused.code, 'too-complex');
  });
});

describe('the SQL of long expressions', () => {
  const nested = (name: string, operand: string, rest = '', depth = 40) =>
    `${`${name}(`.repeat(depth)}${operand}${`${rest})`.repeat(depth)}`;

  it("doesn't grow exponentially if nested calls repeat their operand", async () => {
    for (const stage of [
      `extend x = ${nested('format_bytes', 's')}`,
      `where ${nested('format_bytes', 's')} == "" or true`,
      `extend x = ${nested('isascii', 's')}`,
      `extend x = ${nested('array_split', 's', ', 1')}`,
      `summarize x = max(${nested('format_bytes', 's')})`,
      `summarize x = ${nested('format_bytes', 'max(s)')} by s`,
      `make-series x = count() default = ${nested('toint', 'tostring(3)')} on s step 1 by y = ${nested('format_bytes', 's')}`,
      `mv-expand x = pack_array(${nested('format_bytes', 's')})`,
    ]) {
      const { sql } = plan(`datatable(s:long) [1, 2, 1] | ${stage}`).main;
      assert.ok(sql.length < 200_000, `${sql.length} ${stage}`);
      await engine.rows(sql);
    }
    const alone = [
      `let a = ${nested('format_bytes', '1.5')}; print a`,
      `declare query_parameters (a:string = ${nested('format_bytes', '1.5')}); print a`,
      `datatable(a:string) [${nested('format_bytes', '1.5')}]`,
      `print a = ${nested('format_bytes', '1.5')}`,
    ];
    for (const query of alone) assert.equal((await engine.rows(plan(query).main.sql)).length, 1);
  });

  it('contains a long string once, even if nested calls would double it', async () => {
    const { sql } = plan(`print x = ${nested('isascii', `"${'a'.repeat(100_000)}"`, '', 9)}`).main;
    assert.ok(sql.length < 200_000, `${sql.length}`);
    assert.equal((await engine.rows(sql)).length, 1);
  });

  it('can contain a list of 100,000 constants, written in the query or sent as a variable', () => {
    const items = Array.from({ length: 100_000 }, (_, i) => i + 1_000_000);
    assert.ok(plan(`print 5 in (${items.join(', ')})`).main.sql.length > 1_000_000);
    const query = 'declare query_parameters (ids:dynamic = dynamic([])); print 5 in (ids)';
    assert.ok(plan(query, { variables: { ids: items } }).main.sql.length > 1_000_000);
  });

  it('evaluates coalesce calls nested 30 levels deep in the last operand', async () => {
    const calls = Array.from({ length: 30 }, (_, i) => `coalesce(iff(n == ${i}, 'v${i}', ''), `);
    const query = `datatable(n:long) [29, 99] | project x = ${calls.join('')}'none'${')'.repeat(30)}`;
    assert.deepEqual(await engine.rows(plan(query).main.sql), [['v29'], ['none']]);
  });
});

describe('errors', () => {
  it('include a code, a message and the span of the invalid part', () => {
    const refused = refusal('logs | where ok | make-series c=count() on _time step 0s');
    assert.equal(refused.code, 'invalid-argument');
    assert.deepEqual([refused.start, refused.end], [54, 56]);
    assert.match(refused.message, /must be greater than 0/);
    assert.equal(
      refusal('logs | extend x = geo_info_from_ip_address("1.1.1.1")').code,
      'unsupported-function',
    );
    const undocumented = refusal('logs | where ok | summarize presence(*)');
    assert.equal(undocumented.code, 'unsupported-function');
    assert.deepEqual([undocumented.start, undocumented.end], [28, 36]);
    assert.match(
      undocumented.message,
      /^The function presence is not supported on this deployment/,
    );
    assert.equal(refusal('').code, 'not-one-query');
    assert.equal(refusal('logs | sample 5').code, 'invalid-argument');
    assert.equal(refusal('logs | summarize percentile(ms, 101)').code, 'invalid-argument');
    const eleven = '(a)'.repeat(11);
    assert.equal(refusal(`print extract("${eleven}", 10, "ab")`).code, 'invalid-argument');
    assert.equal(refusal('print datetime_add("moon", 1, now())').code, 'invalid-argument');
  });
});

it('nested calls with membership tests on tables are planned only once each', () => {
  let call = 'method';
  for (let i = 0; i < 40; i++) {
    call = `iff(${call} == "a", format_bytes(3), tostring(method in ((print "x"))))`;
  }
  assert.ok(plan(`logs | project z = ${call}`).main.sql.length < 100_000);
});
