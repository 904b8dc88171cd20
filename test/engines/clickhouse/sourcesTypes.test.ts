/** Columns of every type, with values at the limits, as fields of a dataset. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, type Deployment } from '../../local/deployment.ts';
import { openOn, type Server, startServer } from './deployment.ts';

let server: Server;
let local: Deployment;

const run = (sql: string) => server.clickhouse.run(sql);

before(async () => {
  server = await startServer();
  await run('CREATE DATABASE types');
  local = await openOn(server, 'aplomb');
});
after(async () => {
  await local.close();
  await server.stop();
});

let tables = 0;

/** Creates a table with a column of each type, and a dataset for it. `rows` are SQL values in the same order. */
async function dataset(
  columns: readonly (readonly [name: string, type: string])[],
  rows: readonly (readonly string[])[],
  source: object = {},
): Promise<string> {
  tables += 1;
  const name = `t${tables}`;
  const list = [['at', 'DateTime'], ...columns].map(
    ([column, type]) => `${quoted(column!)} ${type}`,
  );
  await run(`CREATE TABLE types.${name} (${list.join(', ')}) ENGINE = MergeTree ORDER BY at`);
  for (const [i, row] of rows.entries())
    await run(
      `INSERT INTO types.${name} SELECT toDateTime(${1_767_225_600 + i}), ${row.join(', ')}`,
    );
  const all = { database: 'types', table: name, time: 'at', ...source };
  const { status, text } = await local.call('POST', '/v2/datasets', { name, source: all });
  assert.equal(status, 200, text);
  return name;
}

function quoted(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

interface Case {
  readonly type: string;
  readonly field: string;
  /** A value in SQL, and as it is in the answer. Numbers keep their digits, and null is empty. */
  readonly values: readonly (readonly [sql: string, expected: string])[];
}

const cases: readonly Case[] = [
  {
    type: 'String',
    field: 'string',
    values: [
      ["''", ''],
      ["'a\"b\\\\c\\n'", 'a"b\\c\n'],
    ],
  },
  {
    type: 'LowCardinality(Nullable(String))',
    field: 'string',
    values: [
      ['NULL', ''],
      ["'x'", 'x'],
    ],
  },
  {
    type: 'FixedString(4)',
    field: 'string',
    values: [
      ["'ab'", 'ab'],
      ["'abcd'", 'abcd'],
    ],
  },
  {
    type: 'UUID',
    field: 'string',
    values: [
      ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ],
  },
  {
    type: "Enum8('a, (b)' = -1, 'it''s' = 2)",
    field: 'string',
    values: [
      ["'a, (b)'", 'a, (b)'],
      ["'it''s'", "it's"],
    ],
  },
  { type: 'IPv4', field: 'string', values: [["toIPv4('10.0.0.1')", '10.0.0.1']] },
  { type: 'IPv6', field: 'string', values: [["toIPv6('2001:db8::1')", '2001:db8::1']] },
  { type: 'Int8', field: 'integer', values: [['-128', '-128']] },
  { type: 'UInt32', field: 'integer', values: [['4294967295', '4294967295']] },
  {
    type: 'Int64',
    field: 'integer',
    values: [
      ['-9223372036854775808', '-9223372036854775808'],
      ['9223372036854775807', '9223372036854775807'],
    ],
  },
  {
    type: 'UInt64',
    field: 'integer|float',
    values: [
      ['9223372036854775807', '9223372036854775807'],
      ['9223372036854775808', '9223372036854776000.0'],
      ['18446744073709551615', '18446744073709552000.0'],
    ],
  },
  {
    type: 'Nullable(Int256)',
    field: 'integer|float',
    values: [
      ['-1', '-1'],
      ["toInt256('-100000000000000000000')", '-100000000000000000000.0'],
      ['NULL', ''],
    ],
  },
  {
    type: 'Float32',
    field: 'float',
    values: [
      ['0.5', '0.5'],
      ['nan', ''],
      ['inf', ''],
    ],
  },
  {
    type: 'Float64',
    field: 'float',
    values: [
      ['1e300', '1e300'],
      ['-0.', '-0.0'],
      ['-inf', ''],
    ],
  },
  { type: 'Decimal(38, 10)', field: 'float', values: [["toDecimal128('0.1', 10)", '0.1']] },
  {
    type: 'Bool',
    field: 'boolean',
    values: [
      ['true', 'true'],
      ['false', 'false'],
    ],
  },
  { type: 'Nullable(Bool)', field: 'boolean', values: [['NULL', '']] },
  { type: 'Date', field: 'datetime', values: [["toDate('1970-01-01')", '1970-01-01T00:00:00Z']] },
  {
    type: 'Date32',
    field: 'datetime',
    values: [
      ["toDate32('1900-01-01')", '1900-01-01T00:00:00Z'],
      ["toDate32('2299-12-31')", ''],
    ],
  },
  {
    type: "DateTime('Asia/Tokyo')",
    field: 'datetime',
    values: [["toDateTime('2026-01-01 09:00:00', 'Asia/Tokyo')", '2026-01-01T00:00:00Z']],
  },
  {
    type: "DateTime64(3, 'America/New_York')",
    field: 'datetime',
    values: [
      ["toDateTime64('1969-12-31 23:59:59.999', 3, 'UTC')", '1969-12-31T23:59:59.999Z'],
      ["toDateTime64('1900-01-01 00:00:00', 3, 'UTC')", '1900-01-01T00:00:00Z'],
      ["toDateTime64('2299-12-31 00:00:00', 3, 'UTC')", ''],
    ],
  },
  {
    type: 'Nullable(DateTime64(9))',
    field: 'datetime',
    values: [
      ["toDateTime64('2026-01-01 00:00:00.123456789', 9, 'UTC')", '2026-01-01T00:00:00.123456789Z'],
      ['NULL', ''],
    ],
  },
  {
    type: 'Map(LowCardinality(String), UInt64)',
    field: 'map',
    values: [
      ['map()', '{}'],
      ["map('a\"', 18446744073709551615)", '{"a\\"":18446744073709551615}'],
    ],
  },
  {
    type: 'Array(Nullable(Float64))',
    field: 'array',
    values: [
      ['[]', '[]'],
      ['[1, NULL, nan]', '[1.0,null,null]'],
    ],
  },
  {
    type: "Array(DateTime64(3, 'UTC'))",
    field: 'array',
    values: [["[toDateTime64('1969-12-31 23:59:59.5', 3, 'UTC')]", '["1969-12-31T23:59:59.5Z"]']],
  },
  {
    type: 'Tuple(`a b` String, n Tuple(UInt8, Bool))',
    field: 'map',
    values: [["tuple('x', tuple(1, true))", '{"a b":"x","n":[1,true]}']],
  },
  { type: 'SimpleAggregateFunction(max, UInt16)', field: 'integer', values: [['7', '7']] },
];

/** Returns the text of a cell. Maps and arrays are compared as JSON. */
function textOf(cell: unknown): string {
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell ?? '');
}

describe('a column becomes a field with its values', () => {
  for (const { type, field, values: pairs } of cases) {
    it(`of the type ${type}`, async () => {
      const name = await dataset(
        [['v', type]],
        pairs.map(([sql]) => [sql]),
      );
      assert.deepEqual(await local.fields(name), { v: field });
      const path = '/v1/query/_apl?format=tabular-rows';
      const apl = `${name} | sort by _time asc | project v`;
      const { status, text } = await local.call('POST', path, { apl, ...ALL_TIMES });
      assert.equal(status, 200, text);
      // Numbers keep all their digits as strings.
      const exact = text.replace(/(?<=[[,:])-?\d[\d.]*(?:[eE][-+]?\d+)?(?=[,\]}])/g, '"\\u0000$&"');
      const {
        tables: [table],
      } = JSON.parse(exact);
      const cells = table.rows.map(([cell]: [unknown]) =>
        textOf(cell)
          .replace(/"\\u0000([^"]*)"/g, '$1')
          .replace('\u0000', ''),
      );
      assert.deepEqual(
        cells,
        pairs.map(([, expected]) => expected),
      );
    });
  }

  it('of JSON at each path, with the types of its values', async () => {
    const documents = [
      `'{"a":{"b":1,"c":[1,2.5]},"it''s \\\`x\\\` \\\\"y\\\\"":"z","constructor":true}'`,
      `'{"a":{"b":"text"},"n":18446744073709551615,"t":"2026-01-01T00:00:00Z"}'`,
      `'{"a":{"b":1.0,"c":[]},"__proto__":null}'`,
      `'{}'`,
    ];
    const name = await dataset(
      [['j', 'JSON(a.d UInt8)']],
      documents.map((text) => [`${text}::JSON(a.d UInt8)`]),
    );
    const fields = await local.fields(name);
    assert.deepEqual(fields, {
      'j.a.b': 'float|integer|string',
      'j.a.c': 'array',
      'j.a.d': 'integer',
      'j.constructor': 'boolean',
      'j.it\'s `x` "y"': 'string',
      'j.n': 'integer|float',
      'j.t': 'datetime',
    });
    const rows = await local.rows(
      `${name} | sort by _time asc | project b = ['j.a.b'], c = ['j.a.c'], d = ['j.a.d'], n = ['j.n'], t = ['j.t'], k = ['j.constructor']`,
    );
    assert.deepEqual(rows, [
      { b: 1, c: [1, 2.5], d: 0, n: null, t: null, k: true },
      { b: 'text', c: null, d: 0, n: 2 ** 64, t: '2026-01-01T00:00:00Z', k: null },
      { b: 1, c: [], d: 0, n: null, t: null, k: null },
      { b: null, c: null, d: 0, n: null, t: null, k: null },
    ]);
  });
});

describe('names of columns', () => {
  it('become names of fields whatever they contain', async () => {
    const names = [
      'a.b',
      'a',
      'q"q',
      'q`q',
      "q'q",
      'back\\slash',
      'new\nline',
      'x:string',
      'ü',
      '🙂',
      'Level',
      'level',
      't',
      '%',
    ];
    const name = await dataset(
      names.map((one) => [one, 'UInt8'] as const),
      [names.map((_, i) => String(i))],
    );
    const fields = Object.fromEntries(names.map((one) => [one, 'integer']));
    assert.deepEqual(await local.fields(name), fields);
    const [row] = await local.rows(`${name} | project-away _time, _sysTime`);
    assert.deepEqual(row, Object.fromEntries(names.map((one, i) => [one, i])));
    const apl = `${name} | where ['level'] == ${names.indexOf('level')} and ['Level'] == ${names.indexOf('Level')} and ['q"q'] == 2 | summarize n = count()`;
    assert.deepEqual(await local.rows(apl), [{ n: 1 }]);
  });

  it('get a prefix if the service reserves them', async () => {
    const name = await dataset(
      [
        ['_time', 'DateTime'],
        ['_row', 'UInt8'],
        ['_cursor', 'String'],
      ],
      [['toDateTime(0)', '1', "'c'"]],
    );
    assert.deepEqual(await local.fields(name), {
      _row: 'integer',
      _user__cursor: 'string',
      _user__time: 'datetime',
    });
    assert.deepEqual(await local.rows(`${name} | project _row, _user__cursor`), [
      { _row: 1, _user__cursor: 'c' },
    ]);
  });

  it('take precedence over paths of JSON with the same name', async () => {
    const name = await dataset(
      [
        ['a', 'JSON'],
        ['a.b', 'String'],
      ],
      [[`'{"b":1,"c":2}'::JSON`, "'column'"]],
    );
    assert.deepEqual(await local.fields(name), { 'a.b': 'string', 'a.c': 'integer' });
    assert.deepEqual(await local.rows(`${name} | project b = ['a.b'], c = ['a.c']`), [
      { b: 'column', c: 2 },
    ]);
  });
});

describe('other columns and rows', () => {
  it('without a type for fields are left out', async () => {
    const name = await dataset(
      [
        ['s', 'AggregateFunction(sum, UInt64)'],
        ['v', 'Variant(String, UInt8)'],
        ['x', 'UInt8'],
      ],
      [],
    );
    assert.deepEqual(await local.fields(name), { x: 'integer' });
    assert.deepEqual(await local.rows(`${name} | take 1`), []);
  });

  it('without a time are left out', async () => {
    const name = await dataset(
      [
        ['seen', 'Nullable(DateTime64(6))'],
        ['n', 'UInt8'],
      ],
      [
        ['NULL', '1'],
        ["toDateTime64('2026-01-01 00:00:00.5', 6, 'UTC')", '2'],
      ],
      { time: 'seen' },
    );
    assert.deepEqual(await local.rows(`${name} | project _time, n`), [
      { _time: '2026-01-01T00:00:00.5Z', n: 2 },
    ]);
    const { body } = await local.call('GET', `/v2/datasets/_info/${name}`);
    assert.equal(body?.numEvents ?? 1, 1);
  });

  it('computed by the table are fields', async () => {
    const name = await dataset(
      [
        ['x', 'UInt8'],
        ['twice', 'UInt16 ALIAS x * 2'],
        ['m', 'UInt8 MATERIALIZED x + 1'],
      ],
      [],
    );
    await run(`INSERT INTO types.${name} (at, x) VALUES ('2026-01-01 00:00:00', 3)`);
    assert.deepEqual(await local.rows(`${name} | project x, twice, m`), [{ x: 3, twice: 6, m: 4 }]);
  });

  it('of a view are fields', async () => {
    await run(
      `CREATE VIEW types.numbers AS SELECT toDateTime(1767225600 + number) AS at, number AS n, ['a', 'b'] AS list FROM numbers(5)`,
    );
    const source = { database: 'types', table: 'numbers' };
    assert.equal(
      (await local.call('POST', '/v2/datasets', { name: 'numbers', source })).status,
      200,
    );
    const [row] = await local.rows(
      'numbers | summarize n = count(), s = sum(n), l = sum(array_length(list))',
    );
    assert.deepEqual(row, { n: 5, s: 10, l: 10 });
  });

  it('with bytes that are not UTF-8 do not break the answer', async () => {
    const name = await dataset(
      [
        ['s', 'String'],
        ['f', 'FixedString(2)'],
      ],
      [["unhex('61FF62')", "unhex('C328')"]],
    );
    const [row] = await local.rows(`${name} | project s, f`);
    assert.match(String(row!['s']), /^a.b$/u);
  });
});
