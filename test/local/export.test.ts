// Exports from the command line are read back by DuckDB and compared with the ingested events,
// value by value.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseJson } from '../../api/src/index.ts';
import { call, Processes, type Running, stop } from './processes.ts';

const LONG = process.env['APLOMB_LONG'] === '1';

let processes: Processes;
let running: Running;
before(async () => {
  processes = await Processes.create();
  running = await processes.start('data');
  for (const name of ['odd', 'empty']) {
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name }));
  }
  const { body } = await call(running, 'POST', '/v1/ingest/odd', events.join('\n'), NDJSON);
  assert.deepEqual(body.failures, []);
});
after(() => processes.dispose());

const NDJSON = 'application/x-ndjson';
const path = (name: string) => join(processes.folder, name);

const time = (n: number) => `2026-11-23T00:00:0${n}.00000000${n}Z`;

/** Newest first, as in an export. */
const events = [
  `{"_time":"${time(9)}","n":9223372036854775807,"f":0.1,"s":"a\\nb\\u0001\\"é😀","b":true,"mixed":1,"list":[1,"a",null]}`,
  `{"_time":"${time(8)}","n":-9223372036854775808,"f":1e-310,"s":"","b":false,"mixed":"1","list":[]}`,
  `{"_time":"${time(7)}","n":9007199254740993,"f":1.7976931348623157e308,"s":"null","mixed":true,"o":{"p":{"q":1}}}`,
  `{"_time":"${time(6)}","n":0,"f":-0.5,"mixed":2.5,"N":"other case","quote\\"d":"'"}`,
  `{"_time":"${time(5)}","mixed":"a, b"}`,
];

interface Outcome {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

async function run(...args: string[]): Promise<Outcome> {
  const child = processes.launch('export', '--data', path('data'), ...args);
  const out: Buffer[] = [];
  let err = '';
  child.stdout!.on('data', (chunk) => out.push(chunk));
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out: Buffer.concat(out), err };
}

async function parquet<T>(sql: (file: string) => string, ...args: string[]): Promise<T[]> {
  const file = path(`${Math.random()}.parquet`);
  const { code, err } = await run(...args, '--format', 'parquet', '-o', file);
  assert.equal(code, 0, err);
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(sql(`read_parquet('${file}')`));
    return reader.getRowObjects() as T[];
  } finally {
    instance.closeSync();
  }
}

describe('an export', () => {
  it('contains every value as ingested in NDJSON, with null for missing values', async () => {
    const { code, out, err } = await run('odd', '--format', 'ndjson');
    assert.deepEqual([code, err], [0, '']);
    const lines = out.toString().split('\n');
    assert.equal(lines.pop(), '');
    assert.equal(lines.length, events.length);
    for (const [i, line] of lines.entries()) {
      const found = parseJson(line) as Record<string, unknown>;
      const { o, ...sent } = parseJson(events[i]!) as Record<string, unknown>;
      if (o !== undefined) sent['o.p.q'] = 1;
      for (const [name, value] of Object.entries(found)) {
        if (name !== '_sysTime') assert.deepEqual(value, sent[name] ?? null, `${name} of ${line}`);
      }
      for (const name of Object.keys(sent)) assert.ok(name in found, name);
    }
  });

  // DuckDB adds a number to later names that differ only in case.
  it('preserves every value and column type in Parquet', async () => {
    const types = await parquet<{ column_name: string; column_type: string }>(
      (file) => `SELECT column_name, column_type FROM (DESCRIBE FROM ${file})`,
      'odd',
    );
    assert.deepEqual(
      Object.fromEntries(types.map(({ column_name, column_type }) => [column_name, column_type])),
      {
        _sysTime: 'TIMESTAMP_NS',
        _time: 'TIMESTAMP_NS',
        N: 'VARCHAR',
        b: 'BOOLEAN',
        f: 'DOUBLE',
        list: 'JSON',
        mixed: 'JSON',
        n_1: 'BIGINT',
        'o.p.q': 'BIGINT',
        'quote"d': 'VARCHAR',
        s: 'VARCHAR',
      },
    );
    const rows = await parquet<Record<string, unknown>>(
      (file) =>
        `SELECT epoch_ns(_time) AS t, n_1 AS n, f, s, b, mixed::VARCHAR AS mixed, list::VARCHAR AS list, "o.p.q" AS q, "N" AS other, "quote""d" AS quoted FROM ${file}`,
      'odd',
    );
    const base = BigInt(Date.parse('2026-11-23T00:00:00Z')) * 1_000_000n;
    const nanos = (n: number) => base + BigInt(n) * 1_000_000_001n;
    const none = {
      n: null,
      f: null,
      s: null,
      b: null,
      list: null,
      q: null,
      other: null,
      quoted: null,
    };
    assert.deepEqual(rows, [
      {
        ...none,
        t: nanos(9),
        n: 2n ** 63n - 1n,
        f: 0.1,
        s: 'a\nb\u0001"é😀',
        b: true,
        mixed: '1',
        list: '[1,"a",null]',
      },
      {
        ...none,
        t: nanos(8),
        n: -(2n ** 63n),
        f: 1e-310,
        s: '',
        b: false,
        mixed: '"1"',
        list: '[]',
      },
      {
        ...none,
        t: nanos(7),
        n: 9007199254740993n,
        f: Number.MAX_VALUE,
        s: 'null',
        mixed: 'true',
        q: 1n,
      },
      { ...none, t: nanos(6), n: 0n, f: -0.5, mixed: '2.5', other: 'other case', quoted: "'" },
      { ...none, t: nanos(5), mixed: '"a, b"' },
    ]);
  });

  it('contains events with the earliest and the latest possible time', async () => {
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: 'ends' }));
    const ends = ['1677-09-22T00:00:00Z', '2262-04-11T23:47:16Z'];
    const sent = JSON.stringify(ends.map((_time) => ({ _time })));
    await call(running, 'POST', '/v1/ingest/ends', sent);
    const { out } = await run('ends', '--format', 'ndjson');
    const times = out.toString().trimEnd().split('\n');
    assert.deepEqual(times.map((line) => JSON.parse(line)._time).sort(), ends);
  });

  it('applies a query and a time range', async () => {
    const { out } = await run('odd', '--format', 'ndjson', '--query', '| where n > 0 | project n');
    assert.equal(out.toString(), '{"n":9223372036854775807}\n{"n":9007199254740993}\n');
    const whole = await run('--format', 'ndjson', '--query', 'odd | count');
    assert.equal(whole.out.toString(), '{"count":5}\n');
    const range = ['--start', time(6), '--end', time(8)];
    const part = await run('odd', '--format', 'ndjson', '--query', '| project n', ...range);
    assert.equal(part.out.toString(), '{"n":9007199254740993}\n{"n":0}\n');
    const empty = await run('empty', '--format', 'ndjson');
    assert.deepEqual([empty.code, empty.out.length, empty.err], [0, 0, '']);
  });

  it('prints the reason for an invalid option and creates no file', async () => {
    const file = path('none.parquet');
    for (const [args, message] of [
      [['ood', '--format', 'ndjson'], /^aplomb: Unknown dataset 'ood'\. Did you mean 'odd'\?\n$/],
      [['odd', '--format', 'csv'], /--format must be one of parquet, ndjson, but is 'csv'\./],
      [['odd', '--format', 'parquet'], /--output is missing\. Specify the file to write with -o\./],
      [['odd'], /--format is missing\. Specify parquet or ndjson\./],
      [['--format', 'ndjson'], /DATASET is missing\./],
      [['odd', 'x', '--format', 'ndjson'], /There is more than DATASET: 'x'\./],
      [['odd', '--format', 'ndjson', '--query', 'x'], /--query must start with \|/],
      [['odd', '--format', 'ndjson', '--start', 'soon'], /startTime|soon/],
      [['odd', '--format', 'parquet', '-o', path('no/folder')], /its folder does not exist\./],
      [['odd', '--format', 'parquet', '-o', file, '--query', '| where nope == 1'], /'nope'/],
    ] as const) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out.length], [2, 0], err);
      assert.match(err, message);
    }
    assert.ok(!existsSync(file));
  });

  it('leaves no file in the data folder, even if it is large or canceled', async () => {
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: 'large' }));
    const lots = LONG ? 1_000 : 20;
    for (let lot = 0; lot < lots; lot += 1) {
      const lines = Array.from(
        { length: 10_000 },
        (_, i) => `{"i":${lot * 10_000 + i},"s":"x${i}"}`,
      );
      await call(running, 'POST', '/v1/ingest/large', lines.join('\n'), NDJSON);
    }
    const before = rssOf(running);
    const rows = await parquet<{ count: bigint; sum: bigint }>(
      (file) => `SELECT count(*) AS count, sum(i)::BIGINT AS sum FROM ${file}`,
      'large',
    );
    const count = BigInt(lots) * 10_000n;
    assert.deepEqual(rows, [{ count, sum: (count * (count - 1n)) / 2n }]);
    const { code } = await run('large', '--format', 'ndjson', '-o', path('large.ndjson'));
    assert.equal(code, 0);
    assert.equal(
      readFileSync(path('large.ndjson')).filter((byte) => byte === 10).length,
      Number(count),
    );
    const grown = rssOf(running) - before;
    // DuckDB's memory is limited to half of the machine's.
    if (LONG) console.log(`${count} rows: ${Math.round(grown / 1e6)} MB more memory`);
    const child = processes.launch(
      ...['export', 'large', '--data', path('data'), '--format', 'ndjson', '-o', path('cut')],
    );
    child.stderr!.resume();
    await sleep(200);
    child.kill('SIGINT');
    const [status] = await once(child, 'exit');
    assert.ok(status === 130 || status === null || status === 0);
    if (status !== 0) assert.ok(!existsSync(path('cut')));
    // The deployment notices the disconnected client when it writes the next rows.
    const left = () => readdirSync(path('data/spool')).filter((name) => name.startsWith('export'));
    for (const end = Date.now() + 30_000; left().length > 0 && Date.now() < end; ) await sleep(20);
    assert.deepEqual(left(), []);
    assert.deepEqual(
      readdirSync(processes.folder).filter((name) => /partial/.test(name)),
      [],
    );
  });

  it('works while the deployment is not running', async () => {
    assert.equal(await stop(running), 0);
    const { code, out } = await run('--format', 'ndjson', '--query', 'odd | count');
    assert.deepEqual([code, out.toString()], [0, '{"count":5}\n']);
  });
});

function rssOf({ child }: Running): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
}
