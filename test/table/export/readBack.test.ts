// Exports read back: by DuckDB, by the reader of ingest, and by the local deployment.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { parseJson, stringifyJson } from '../../../api/src/index.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import { nanosecondsOf, readInstant } from '../../../table/src/export/timeCells.ts';
import type { RowSource } from '../../../table/src/rowSource.ts';
import { Deployment } from '../../local/deployment.ts';
import { exported, hostile, hostileNames, random, table, type Value, Written } from './sources.ts';

const folder = await mkdtemp(join(tmpdir(), 'aplomb-export-'));
after(() => rm(folder, { recursive: true }));
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
after(() => duckdb.disconnectSync());

/** CSV and TSV read back exactly only without the guard against formulas, which changes text. */
const exact = { guardFormulas: false };

let files = 0;

async function file(source: RowSource, format: string, options = {}): Promise<string> {
  const path = join(folder, `${files++}.${format}`);
  await writeFile(path, (await exported(source, format, options)).body);
  return path;
}

/** Returns the rows of a query, with values as text so that none is rounded. */
async function rows(sql: string): Promise<(string | null)[][]> {
  const reader = await duckdb.runAndReadAll(`select columns(*)::varchar from (${sql})`);
  return reader.getRows() as (string | null)[][];
}

async function types(sql: string): Promise<string[]> {
  const described = await duckdb.runAndReadAll(`describe ${sql}`);
  return described.getRows().map(([, type]) => String(type));
}

function textsOf(source: RowSource): (string | null)[][] {
  return Array.from({ length: source.rowCount }, (_, row) =>
    source.columns.map((_, column) => source.text(row, column)),
  );
}

const csvOf = (path: string, delimiter = ',', extra = '') =>
  `from read_csv('${path}', delim='${delimiter}', header=true, quote='"', escape='"', all_varchar=true, allow_quoted_nulls=false, max_line_size=4000000 ${extra})`;

const jsonOf = (path: string, columns: string) =>
  `from read_json('${path}', maximum_object_size=20000000, columns={${columns}})`;

describe('DuckDB reads easily damaged values exactly', () => {
  it('from CSV and TSV without the guard against formulas', async () => {
    assert.deepEqual(await rows(csvOf(await file(hostile(), 'csv', exact))), textsOf(hostile()));
    assert.deepEqual(
      await rows(csvOf(await file(hostile(), 'tsv', exact), '\t')),
      textsOf(hostile()),
    );
    const semicolons = await file(hostile(), 'csv', {
      ...exact,
      delimiter: ';',
      nullText: 'NULL',
      byteOrderMark: true,
    });
    assert.deepEqual(await rows(csvOf(semicolons, ';', `, nullstr='NULL'`)), textsOf(hostile()));
  });

  it('from JSON and NDJSON', async () => {
    const names = hostileNames.map(([name]) => name.replaceAll("'", "''"));
    const asJson = names.map((name) => `'${name}': 'JSON'`).join(', ');
    const expected = textsOf(hostile()).map((row, index) =>
      row.map((text, column) => {
        const cell = hostile().cell(index, column);
        return text === null ? null : typeof cell === 'string' ? JSON.stringify(text) : text;
      }),
    );
    const normal = (found: (string | null)[][]) =>
      found.map((row) =>
        row.map((text) => (text === null ? null : stringifyJson(parseJson(text)))),
      );
    for (const format of ['json', 'ndjson']) {
      const found = await rows(jsonOf(await file(hostile(), format), asJson));
      assert.deepEqual(normal(found), normal(expected), format);
      const [first] = await rows(
        `select n, wide, real from (${jsonOf(await file(hostile(), format), "n: 'BIGINT', wide: 'BIGINT', real: 'DOUBLE'")})`,
      );
      assert.deepEqual(first, ['1', '9007199254740993', '-0.0']);
    }
  });

  it('from Parquet, with a type for each column', async () => {
    const path = await file(hostile(), 'parquet');
    const from = `from read_parquet('${path}')`;
    assert.deepEqual(await types(from), [
      'BIGINT',
      'BIGINT',
      'DOUBLE',
      'BOOLEAN',
      'TIMESTAMP WITH TIME ZONE',
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'JSON',
      'VARCHAR',
    ]);
    const time = hostileNames.findIndex(([name]) => name === 'time');
    const real = hostileNames.findIndex(([name]) => name === 'real');
    const withoutTime = (found: (string | null)[][]) =>
      found.map((row) =>
        row
          .map((text, column) => (column === real && text !== null ? String(Number(text)) : text))
          .filter((_, column) => column !== time),
      );
    assert.deepEqual(withoutTime(await rows(from)), withoutTime(textsOf(hostile())));
    const [[zero]] = (await rows(`select real ${from} limit 1`)) as [[string]];
    assert.equal(zero, '-0.0');
  });
});

/** Reads times and numbers as they are in the file, because DuckDB rounds times with a time zone to microseconds. */
async function parquetRows(body: Uint8Array): Promise<Record<string, unknown>[]> {
  return await parquetReadObjects({
    file: new Uint8Array(body).buffer,
    compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
    parsers: {
      timestampFromNanoseconds: (nanoseconds: bigint) => nanoseconds as never,
      jsonFromBytes: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
    },
  });
}

describe('a Parquet file', () => {
  it('contains times in UTC with nanoseconds', async () => {
    const { body } = await exported(hostile(), 'parquet');
    const found = (await parquetRows(body)).map((row) => row['time'] ?? null);
    const expected = textsOf(hostile()).map((row) => {
      const text = row[4] as string | null;
      return text === null ? null : nanosecondsOf(readInstant(text) as never);
    });
    assert.deepEqual(found, expected);
    assert.equal(found[0], 1_704_067_200_123_456_789n);
  });

  it('contains columns of several types and numbers beyond 64 bits as strings', async () => {
    const source = table(
      {
        a: 'integer|string',
        b: 'integer',
        c: 'float',
        d: 'integer|float',
        e: 'datetime',
        f: 'integer|float',
      },
      [
        [1, 2n ** 63n, new Written('0.12345678901234567890'), 1, 'yesterday', 9007199254740993n],
        ['x', 1, 0.5, 2.5, '2024-01-01T00:00:00Z', 0.5],
        [null, null, null, null, null, null],
      ],
    );
    const { body, notices } = await exported(source, 'parquet');
    const path = join(folder, 'mixed.parquet');
    await writeFile(path, body);
    assert.deepEqual(await types(`from read_parquet('${path}')`), [
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'DOUBLE',
      'VARCHAR',
      'VARCHAR',
    ]);
    assert.deepEqual(await rows(`from read_parquet('${path}')`), [
      [
        '1',
        '9223372036854775808',
        '0.12345678901234567890',
        '1.0',
        'yesterday',
        '9007199254740993',
      ],
      ['x', '1', '0.5', '2.5', '2024-01-01T00:00:00Z', '0.5'],
      [null, null, null, null, null, null],
    ]);
    assert.deepEqual(
      notices.map(({ code, message }) => [code, message.split(' ')[0]]),
      [
        ['mixedColumns', '2'],
        ['inexactColumns', '2'],
      ],
    );
  });

  it('has different names for columns with the same name, and can contain NaN and infinity', async () => {
    const source = table(
      [
        ['a', 'float'],
        ['a', 'float'],
      ],
      [[Number.NaN, Number.POSITIVE_INFINITY]],
    );
    const path = await file(source, 'parquet');
    assert.deepEqual(await rows(`from read_parquet('${path}')`), [['nan', 'inf']]);
    assert.deepEqual((await duckdb.runAndReadAll(`from read_parquet('${path}')`)).columnNames(), [
      'a',
      'a_2',
    ]);
  });

  it('without rows contains its columns with their types', async () => {
    const path = await file(table({ a: 'integer', b: 'datetime', c: 'unknown' }, []), 'parquet');
    assert.deepEqual(await types(`from read_parquet('${path}')`), [
      'BIGINT',
      'TIMESTAMP WITH TIME ZONE',
      'JSON',
    ]);
    assert.deepEqual(await rows(`from read_parquet('${path}')`), []);
  });

  it('has row groups limited by row count and text size', async () => {
    const long = 'x'.repeat(200_000);
    const source = table(
      { n: 'integer', s: 'string', low: 'string' },
      Array.from({ length: 40_000 }, (_, row) => [
        row,
        row % 1_000 === 0 ? `${long}${row}` : null,
        `v${row % 3}`,
      ]),
    );
    const path = await file(source, 'parquet');
    assert.deepEqual(
      await rows(
        `select count(*), sum(n), count(s), sum(length(s)), count(distinct low) from read_parquet('${path}')`,
      ),
      [
        [
          '40000',
          '799980000',
          '40',
          String(
            40 * 200_000 +
              textsOf(source).reduce(
                (sum, [n, s]) => sum + (s === null ? 0 : (n as string).length),
                0,
              ),
          ),
          '3',
        ],
      ],
    );
    const groups = await rows(
      `select max(row_group_num_rows), count(distinct row_group_id) from parquet_metadata('${path}')`,
    );
    assert.deepEqual(groups, [['8000', '6']]);
    // The statistics of a row group must not hide rows.
    assert.deepEqual(
      await rows(`select low from read_parquet('${path}') where n = 39999 and low = 'v0'`),
      [['v0']],
    );
  });
});

const limits = { events: 3, bytes: 3_000_000, eventBytes: 4_000_000 };

/** Returns the lines that ingest sends for an export, in batches of a few events. */
async function ingested(name: string, body: Buffer): Promise<string[]> {
  const source = memorySource(name, body);
  const signal = new AbortController().signal;
  const { settings } = await previewFile(source, {}, undefined, signal);
  const { time: _, csv, ...untimed } = settings;
  const asText = { ...untimed, ...(csv && { csv: { ...csv, types: {} } }) };
  const found: string[] = [];
  for await (const batch of batchReader(source, asText, limits).batches()) {
    assert.deepEqual(batch.broken, []);
    assert.ok(batch.events <= 3);
    found.push(...Buffer.from(batch.body).toString().trimEnd().split('\n'));
  }
  return found;
}

describe('ingest reads exports', () => {
  it('of NDJSON and JSON', async () => {
    const { body: lines } = await exported(hostile(), 'ndjson');
    const expected = lines.toString().trimEnd().split('\n').map(parseJson);
    assert.ok(expected.length >= 6);
    assert.deepEqual((await ingested('a.ndjson', lines)).map(parseJson), expected);
    const { body: array } = await exported(hostile(), 'json');
    assert.deepEqual((await ingested('a.json', array)).map(parseJson), expected);
  });

  it('of CSV with the guard against formulas, which only adds apostrophes to formulas', async () => {
    const source = table({ n: 'integer', text: 'string' }, [
      [-5, '=1+1'],
      [7, '+1.5'],
      [null, 'a=b'],
    ]);
    const { body } = await exported(source, 'csv');
    assert.deepEqual(
      (await ingested('a.csv', body)).map((line) => JSON.parse(line)),
      [
        { n: '-5', text: "'=1+1" },
        { n: '7', text: '+1.5' },
        { n: '', text: 'a=b' },
      ],
    );
  });

  it('of CSV without the guard against formulas, with every value as a string', async () => {
    const { body } = await exported(hostile(), 'csv', exact);
    const found = (await ingested('a.csv', body)).map((line) => JSON.parse(line) as object);
    const names = hostileNames.map(([name]) => name);
    assert.deepEqual(
      found.map((event) => names.map((name) => (event as Record<string, unknown>)[name] ?? null)),
      // An empty value of a column of strings is an empty string.
      textsOf(hostile()).map((row) => row.map((text) => text ?? '')),
    );
  });
});

describe('the local deployment ingests exports', () => {
  const names: readonly (readonly [string, string])[] = [
    ['_time', 'datetime'],
    ['n', 'integer'],
    ['real', 'float'],
    ['flag', 'boolean'],
    ['text', 'string'],
    ['__proto__', 'string'],
    ['constructor', 'string'],
  ];
  const values: readonly (readonly Value[])[] = [
    ['2024-01-01T00:00:00.123456789Z', 9007199254740993n, -0, true, '', '=1+1', 'a,b'],
    ['2024-01-01T00:00:01Z', 2n ** 63n - 1n, 1e-7, false, null, '😀 שלום', 'a\nb'],
    [
      '2024-01-01T00:00:02Z',
      -(2n ** 63n),
      1e300,
      null,
      'null',
      '<img src=x onerror=alert(1)>',
      '"',
    ],
    ['2024-01-01T00:00:03Z', 0, 0.1 + 0.2, true, "it's", '\\u0041', 'x'.repeat(100_000)],
  ];
  const source = table(names, values);

  for (const [format, type] of [
    ['ndjson', 'application/x-ndjson'],
    ['json', 'application/json'],
    ['csv', 'text/csv'],
  ] as const)
    it(`in the format ${format}`, async () => {
      const local = await Deployment.open();
      try {
        await local.dataset('back');
        await local.stored(
          'back',
          (await exported(source, format, format === 'csv' ? exact : {})).body,
          { type },
        );
        const columns = names.map(([name]) => `['${name}']`).join(', ');
        const answer = await local.query(`back | sort by _time asc | project ${columns}`, {
          startTime: '2024-01-01T00:00:00Z',
          endTime: '2024-01-02T00:00:00Z',
        });
        assert.equal(answer.status, 200, answer.text);
        const [found] = (parseJson(answer.text) as { tables: { columns: Value[][] }[] }).tables;
        for (const [column, [name]] of names.entries()) {
          const expected = values.map((row) => row[column] as Value);
          // Ingest reads the values of CSV as strings.
          const texts = values.map((_, row) => source.text(row, column));
          const asText = format === 'csv' && name !== '_time';
          assert.deepEqual(found?.columns[column], asText ? texts : expected, `${format} ${name}`);
        }
      } finally {
        await local.close();
      }
    });
});

describe('random tables', () => {
  const pieces = [
    '"',
    ',',
    '\n',
    '\r',
    '\r\n',
    '\t',
    ';',
    '|',
    '\\',
    "'",
    'a',
    'é',
    '日本',
    '😀',
    ' ',
    '\0',
    '=',
    'NULL',
    '\u2028',
    'a\ufeff',
  ];

  /** Returns a random table without empty strings, because DuckDB reads a first value of only quotes as unquoted. */
  function randomTable(seed: number): RowSource {
    const next = random(seed);
    const string = () =>
      Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join('');
    const makers: readonly (readonly [string, () => Value])[] = [
      ['string', string],
      [
        'integer',
        () => (next(4) === 0 ? BigInt(next(2 ** 31)) * 2n ** 31n + 2n ** 60n : next(1000) - 500),
      ],
      ['float', () => (next(2 ** 31) - 2 ** 30) / 10 ** next(12)],
      ['boolean', () => next(2) === 0],
      [
        'datetime',
        () =>
          `20${10 + next(80)}-0${1 + next(9)}-1${next(10)}T1${next(10)}:0${next(10)}:0${next(10)}.${100_000_000 + next(899_999_999)}Z`,
      ],
      ['map', () => ({ [string()]: [next(10), null, string()] })],
    ];
    const chosen = Array.from(
      { length: 2 + next(5) },
      () => makers[next(makers.length)] as (typeof makers)[number],
    );
    const rows = Array.from({ length: 1 + next(40) }, () =>
      chosen.map(([, make]) => (next(5) === 0 ? null : make())),
    );
    return table(
      chosen.map(([type], column) => [`c${column}`, type]),
      rows,
    );
  }

  const seeds = Array.from({ length: 25 }, (_, index) => 1000 + index);

  it('are unchanged by a round trip through CSV and TSV without the guard against formulas', async () => {
    for (const seed of seeds) {
      const source = randomTable(seed);
      assert.deepEqual(
        await rows(csvOf(await file(source, 'csv', exact), ',', ', parallel=false')),
        textsOf(source),
        `seed ${seed}`,
      );
      assert.deepEqual(
        await rows(csvOf(await file(source, 'tsv', exact), '\t', ', parallel=false')),
        textsOf(source),
        `seed ${seed}`,
      );
    }
  });

  it('are unchanged by a round trip through JSON and NDJSON', async () => {
    for (const seed of seeds) {
      const source = randomTable(seed);
      const expected = Array.from({ length: source.rowCount }, (_, row) =>
        Object.fromEntries(
          source.columns.map(({ name }, column) => [name, source.cell(row, column)]),
        ),
      );
      const { body } = await exported(source, 'json');
      assert.deepEqual(parseJson(body.toString()), expected, `seed ${seed}`);
      const { body: lines } = await exported(source, 'ndjson');
      assert.deepEqual(
        lines.toString().trimEnd().split('\n').map(parseJson),
        expected,
        `seed ${seed}`,
      );
    }
  });

  it('are unchanged by a round trip through Parquet', async () => {
    for (const seed of seeds) {
      const source = randomTable(seed);
      const { body } = await exported(source, 'parquet');
      const expected = Array.from({ length: source.rowCount }, (_, row) =>
        source.columns.map(({ type }, column) => {
          const [cell, text] = [source.cell(row, column), source.text(row, column)];
          if (cell === null || text === null) return null;
          if (type === 'integer') return BigInt(text);
          if (type === 'datetime') return nanosecondsOf(readInstant(text) as never);
          return type === 'map' ? text : cell;
        }),
      );
      const found = (await parquetRows(body)).map((row) =>
        Object.values(row).map((value) => value ?? null),
      );
      assert.deepEqual(found, expected, `seed ${seed}`);
      const path = join(folder, `random${seed}.parquet`);
      await writeFile(path, body);
      assert.equal((await rows(`from read_parquet('${path}')`)).length, source.rowCount);
    }
  });
});
