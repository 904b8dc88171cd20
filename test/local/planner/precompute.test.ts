// What is computed before a stage: wherever an expression may be, it answers what its value alone would.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Engine, openEngine, plan } from './engine.ts';

const everything = process.env['APLOMB_LONG'] === '1';

let engine: Engine;
before(async () => {
  engine = await openEngine();
});
after(() => engine.close());

/** Sub-queries and lambdas with their values, by the type that they have. */
const operands = {
  bool: [
    ['(200 in ((logs | project status)))', 'true'],
    ['("x" !in ((logs | project method)))', 'true'],
    ['("get" has_any ((logs | project method)))', 'true'],
  ],
  string: [
    ['dynamic_to_json(dynamic({"b":"2026-01-01","a":2}))', `'{"a":2,"b":"2026-01-01"}'`],
    ['strcat_array(dynamic(["2026", "01", "02"]), "-")', '"2026-01-02"'],
  ],
} as const;

/** Functions and operators, most of which are written with TRY or a lambda. */
const uses: Readonly<Record<keyof typeof operands, readonly ((of: string) => string)[]>> = {
  bool: [
    (of) => of,
    (of) => `todatetime(tostring(${of}))`,
    (of) => `toint(${of}) + 1`,
    (of) => `-toint(${of}) * 3 - 1`,
    (of) => `1d * toint(${of})`,
    (of) => `datetime(2026-01-01) + iff(${of}, 1d, 2d)`,
    (of) => `bin(toint(${of}), 2)`,
    (of) => `array_index_of(dynamic([false, true]), ${of})`,
    (of) => `format_bytes(strlen(tostring(${of})))`,
    (of) => `strcat_array(pack_array(${of}, 1), "-")`,
    (of) => `replace_regex("[a-z]", "x", strcat(${of}, todatetime(tostring(${of}))))`,
    (of) => `case(${of}, todatetime("2026-01-01"), todatetime(tostring(${of})))`,
    (of) => `tostring(${of}) matches regex tostring(${of})`,
    (of) => `bag_pack("k", ${of}).k == true and not(${of}) or ${of}`,
  ],
  string: [
    (of) => of,
    (of) => `todatetime(${of})`,
    (of) => `todatetime(todatetime(${of}))`,
    (of) => `datetime(2026-01-01) < ${of}`,
    (of) => `toint(substring(${of}, 0, 4)) + 1`,
    (of) => `split(${of}, "-")[0]`,
    (of) => `array_index_of(pack_array(${of}), ${of})`,
    (of) => `replace_regex("[0-9]", "x", ${of})`,
    (of) => `"x" matches regex ${of} or ${of} has "2026"`,
    (of) => `totimespan(${of}) between (1h .. totimespan(${of}))`,
  ],
};

const places: readonly ((of: string) => string)[] = [
  (of) => `print a = ${of}`,
  (of) => `let v = ${of}; print a = v, b = tostring(v), c = todatetime(tostring(v))`,
  (of) => `let v = ${of}; let w = tostring(v); logs | where tostring(v) == w | summarize max(w)`,
  (of) => `declare query_parameters (v:string = ${of}); logs | project v, todatetime(v)`,
  (of) => `declare query_parameters (v:datetime = ${of}); logs | extend v | project v`,
  (of) => `datatable(a:string, b:datetime) [${of}, ${of}]`,
  (of) => `logs | where isnotnull(${of}) | project status`,
  (of) => `logs | where todatetime(${of}) > datetime(2025-01-01) or status == 200 | project status`,
  (of) => `logs | extend a = ${of}, b = ${of} | project a, b`,
  (of) => `logs | project status, a = ${of} | sort by tostring(a) asc, status asc | take 3`,
  (of) => `logs | sort by ${of}, status asc | project status`,
  (of) => `logs | summarize a = max(tostring(${of})), n = countif(isnotnull(${of})) by b = ${of}`,
  (of) => `logs | summarize a = strcat(count(), ${of}), b = todatetime(strcat(max(method), ${of}))`,
  (of) => `logs | summarize n = count() by bin(_time, 1h), a = ${of} | take 2`,
  (of) => `logs | distinct a = ${of}`,
  (of) => `logs | top 2 by ${of}, status | project status`,
  (of) => `logs | mv-expand a = pack_array(${of}) to typeof(string) | project a`,
  (of) => `logs | extend s = tostring(${of}) | parse s with a "-" * | project a`,
  (of) => `logs | join kind=inner (logs | extend a = ${of}) on status | project status, a`,
  (of) => `union (print a = ${of}), (logs | project a = ${of}) | project a`,
  (of) =>
    `logs | make-series a = max(strlen(tostring(${of}))) default = strlen(tostring(${of})) on _time from datetime(2024-05-01) to datetime(2024-05-02) step 6h by b = ${of}`,
  (of) =>
    `logs | make-series a = count() on status from strlen(tostring(${of})) to strlen(tostring(${of})) + 300 step 50 + strlen(tostring(${of}))`,
  (of) => `logs | make-series a = countif(isnotnull(${of})) on status step 50`,
];

/** The rows; groups have no order where the query gives none. */
async function rowsOf(query: string): Promise<string[]> {
  const { main, totals } = plan(query);
  const rows = await engine.rows(main.sql);
  const all = totals === undefined ? rows : [...rows, ...(await engine.rows(totals.sql))];
  return all.map((row) => JSON.stringify(row)).sort();
}

async function problem(query: string, alone: string): Promise<string | undefined> {
  try {
    assert.deepEqual(await rowsOf(query), await rowsOf(alone));
    return undefined;
  } catch (error) {
    return `${query}\n${(error as Error).message}`;
  }
}

describe('sub-queries and lambdas inside functions give the same rows as their values', () => {
  for (const [i, place] of places.entries()) {
    it(place('…'), async () => {
      const problems: string[] = [];
      for (const type of ['bool', 'string'] as const) {
        const list = operands[type];
        // Of the operands each use takes another in turn, and each place some of the uses.
        for (const [j, use] of uses[type].entries()) {
          if (!everything && (i + j) % 3 !== 0) continue;
          for (const [k, [operand, value]] of list.entries()) {
            if (!everything && (i + Math.floor(j / 3) + k) % list.length !== 0) continue;
            const found = await problem(place(use(operand)), place(use(value)));
            if (found !== undefined) problems.push(found);
          }
        }
      }
      assert.deepEqual(problems, []);
    });
  }
});

describe('a precomputed column', () => {
  it('is reused by a later stage, which preserves the row order', async () => {
    const known = 'tostring(status in ((logs | where status < 300 | project status)))';
    for (const direction of ['asc', 'desc']) {
      const query = `logs | sort by ${known} ${direction} | distinct ${known} | limit 1`;
      const wanted = direction === 'asc' ? 'false' : 'true';
      assert.deepEqual(await engine.rows(plan(query).main.sql), [[wanted]]);
    }
  });

  it('is created once for equal expressions, even inside other precomputed expressions', async () => {
    const inner = '(status in ((logs | where status < 300 | project status)))';
    const outer = `todatetime(tostring(${inner}))`;
    const query = `logs | project a = ${inner}, b = coalesce(${outer}, ago(1h)) == ${outer}, c = format_bytes(strlen(format_bytes(strlen(${outer}))))`;
    const { sql } = plan(query).main;
    assert.equal(sql.match(/ IN \(SELECT/g)?.length, 1, sql);
    assert.equal((await engine.rows(sql)).length, 5);
  });

  it('is created for a random value that would otherwise be computed twice', async () => {
    const places = [
      'print a = tostring(rand())',
      'print a = todatetime(tostring(rand()))',
      'logs | extend a = round(rand() * 100) + rand(7) | project a',
      'logs | where abs(rand() - 1) < 2 | project status',
      'logs | summarize a = max(tostring(rand()))',
      'let a = tostring(rand()); print a',
    ];
    for (const query of places) {
      const { sql } = plan(query).main;
      const asked = query.match(/rand\(/g)?.length;
      assert.equal(sql.match(/random\(\)/g)?.length, asked, sql);
      assert.ok((await engine.rows(sql)).length > 0, query);
    }
    const same = 'range_ = rand() | extend a = tostring(range_) == tostring(range_) | project a';
    assert.deepEqual(await engine.rows(plan(`print ${same}`).main.sql), [[true]]);
  });
});
