// Rows as APL: the text parses and binds without problems, and the local deployment returns the same values.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { parseJson } from '../../../api/src/index.ts';
import {
  aggregates,
  analyzeQuery,
  functions,
  operators,
  scalarOperators,
} from '../../../language/src/index.ts';
import { aplName } from '../../../table/src/export/apl/literals.ts';
import { ExportError } from '../../../table/src/export/exportError.ts';
import type { RowSource } from '../../../table/src/rowSource.ts';
import { ALL_TIMES, Deployment } from '../../local/deployment.ts';
import {
  copied,
  hostileNames,
  hostileRows,
  random,
  table,
  type Value,
  Written,
} from './sources.ts';

const local = await Deployment.open();
after(() => local.close());

function problems(query: string): string[] {
  const { problems } = analyzeQuery(query);
  return problems.map(({ code, message }) => `${code}: ${message}`);
}

/** Returns the first table of an answer, by column, with exact integers. */
async function columnsOf(
  apl: string,
): Promise<{ fields: { name: string; type: string }[]; columns: unknown[][] }> {
  const answer = await local.query(apl, ALL_TIMES);
  assert.equal(answer.status, 200, answer.text);
  return (parseJson(answer.text) as { tables: never[] }).tables[0] as never;
}

function valuesOf(source: RowSource): unknown[][] {
  return source.columns.map((_, column) =>
    Array.from({ length: source.rowCount }, (_, row) => source.cell(row, column)),
  );
}

describe('rows copied as datatable', () => {
  // A query has at most 500,000 characters, so the string of 1 MB is cut.
  const rows = hostileRows.map((row) =>
    row.map((value) => (typeof value === 'string' ? value.slice(-100_000) : value)),
  );
  const source = table(hostileNames, rows);

  it('parse without problems, whatever the values and column names', async () => {
    const { text, notices } = await copied(source, 'datatable');
    assert.deepEqual(problems(text), []);
    assert.deepEqual(notices, []);
  });

  it('are the same when the local deployment returns them', async () => {
    const { text } = await copied(source, 'datatable');
    const { fields, columns } = await columnsOf(text);
    assert.deepEqual(
      fields.map(({ name }) => name),
      hostileNames.map(([name]) => name),
    );
    const expected = valuesOf(source);
    for (const [index, { name }] of fields.entries())
      assert.deepEqual(columns[index], expected[index], name);
  });

  it('have the type dynamic for mixed columns, and string for numbers beyond 64 bits', async () => {
    const mixed = table({ a: 'integer|string', b: 'integer', c: 'float', d: 'map' }, [
      [1, 2n ** 64n, new Written('0.12345678901234567890'), { x: 2n ** 70n }],
      ['x', 1, 1, null],
      [null, null, null, []],
      [{ a: [null] }, 5, 1.5, 'text'],
    ]);
    const { text, notices } = await copied(mixed, 'datatable');
    assert.ok(text.startsWith('datatable (a: dynamic, b: string, c: string, d: string) ['), text);
    assert.deepEqual(problems(text), []);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['inexactColumns'],
    );
    const { columns } = await columnsOf(text);
    assert.deepEqual(columns[0], [1, 'x', null, { a: [null] }]);
    assert.deepEqual(columns[1], ['18446744073709551616', '1', null, '5']);
  });

  it('are valid even if there are none', async () => {
    const { text } = await copied(table({ a: 'integer', b: 'datetime' }, []), 'datatable');
    assert.equal(text, 'datatable (a: long, b: datetime) []');
    assert.deepEqual(problems(text), []);
  });

  it('have different names for columns with the same name', async () => {
    const { text } = await copied(
      table(
        [
          ['a', 'integer'],
          ['a', 'string'],
        ],
        [[1, 'x']],
      ),
      'datatable',
    );
    assert.equal(text, "datatable (a: long, a_2: string) [\n  1, 'x'\n]");
    assert.deepEqual(problems(text), []);
  });

  it('can have every keyword of APL as a column name', async () => {
    const words = new Set<string>();
    for (const row of [...operators, ...scalarOperators, ...functions, ...aggregates])
      for (const word of row.name.split(/\W+/)) if (word !== '') words.add(word);
    for (const word of 'and asc bool by datatable datetime declare desc dynamic false from int let long not null on or print real search set string table time timespan true typeof union where with'.split(
      ' ',
    ))
      words.add(word);
    for (const word of words)
      assert.deepEqual(problems(`datatable (${aplName(word)}: long) [1]`), [], word);
  });

  it('parse without problems for random values', async () => {
    const next = random(16);
    const pieces = [
      '\\',
      "'",
      '"',
      '\n',
      '\r',
      '\u2028',
      '\0',
      '//',
      '|',
      ']',
      ')',
      '😀',
      '\ud83d',
      'x',
      ' ',
      '\\u0041',
      '{',
    ];
    const string = () =>
      Array.from({ length: next(8) }, () => pieces[next(pieces.length)]).join('');
    const dynamic = (depth: number): unknown =>
      next(3) === 0 || depth > 3
        ? [null, true, -next(1000), next(1000) / 7, string(), 9007199254740993n][next(6)]
        : next(2) === 0
          ? Array.from({ length: next(4) }, () => dynamic(depth + 1))
          : Object.fromEntries(
              Array.from({ length: next(4) }, () => [string(), dynamic(depth + 1)]),
            );
    for (let round = 0; round < 60; round++) {
      const rows = Array.from({ length: 1 + next(5) }, (): Value[] => [
        next(4) === 0 ? null : string(),
        next(4) === 0 ? null : (next(2) ? next(1e9) : -next(1e9)) / (next(2) ? 1 : 1e12),
        next(4) === 0 ? null : (dynamic(0) as Value),
      ]);
      const names = [string() || 'a', `${string()}b`, `${string()}c`] as const;
      const types = ['string', 'float', 'unknown'] as const;
      const source = table(
        names.map((name, index) => [name, types[index] as string]),
        rows,
      );
      const { text } = await copied(source, 'datatable');
      assert.deepEqual(problems(text), [], text);
    }
  });

  it('cause a notice if they are too long for a query', async () => {
    const { notices } = await copied(table({ a: 'string' }, [['x'.repeat(600_000)]]), 'datatable');
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['longQuery'],
    );
  });
});

describe('values copied as in (…)', () => {
  const list = async (type: string, values: readonly Value[]) =>
    await copied(
      table(
        { a: type },
        values.map((value) => [value]),
      ),
      'in',
    );

  const cases: readonly (readonly [string, readonly Value[], string])[] = [
    ['string', ["it's", 'b\\c', "it's", '', '"'], "in ('it\\'s', 'b\\\\c', '', '\"')"],
    [
      'integer',
      [3, -1, 9007199254740993n, -(2n ** 63n)],
      'in (3, -1, 9007199254740993, long(-9223372036854775808))',
    ],
    ['float', [1, -0, 1e-7, 2.5], 'in (1.0, -0.0, 1e-7, 2.5)'],
    ['boolean', [true, false], 'in (true, false)'],
    [
      'datetime',
      ['2024-01-01T00:00:00.123456789Z'],
      'in (datetime(2024-01-01T00:00:00.123456789Z))',
    ],
    ['timespan', ['1h30m0s', '-1ns'], 'in (timespan(90m), timespan(-1ns))'],
    ['integer|string', [1, 'x'], "in (1, 'x')"],
  ];
  for (const [type, values, expected] of cases)
    it(`of type ${type} are literals that parse`, async () => {
      const { text, rows, truncated } = await list(type, values);
      assert.equal(text, expected);
      assert.equal(rows, values.length);
      assert.equal(truncated, false);
      assert.deepEqual(
        problems(`print a = 1 | where a ${text} or true`).filter((problem) =>
          problem.startsWith('expected'),
        ),
        [],
      );
    });

  it('are all found by a query with the copied text', async () => {
    for (const [type, values] of cases.slice(0, 6)) {
      const source = table(
        { a: type },
        values.map((value) => [value]),
      );
      const { text } = await copied(source, 'datatable');
      const { text: wanted } = await copied(source, 'in');
      const { columns } = await columnsOf(`${text} | where a ${wanted} | count`);
      assert.deepEqual(columns, [[values.length]], `${type}: ${wanted}`);
    }
  });

  it('omit nulls, with a notice', async () => {
    const { text, notices } = await list('string', [null, 'a', null]);
    assert.equal(text, "in ('a')");
    assert.match(notices[0]?.message ?? '', /^2 values were left out/);
  });

  it('are rejected if they are from several columns or only nulls', async () => {
    await assert.rejects(list('string', [null]), ExportError);
    await assert.rejects(
      copied(table({ a: 'integer', b: 'integer' }, [[1, 2]]), 'in'),
      ExportError,
    );
  });
});
