// A database file from elsewhere, in a data folder or a backup, makes DuckDB fetch no code: nothing opens a connection
// to another machine or creates ~/.duckdb, which is where DuckDB puts extensions.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { whyNotTraced } from '../local/diskTrace.ts';
import type { Report } from './offlineRuns.ts';

const program = fileURLToPath(new URL('./offlineRuns.ts', import.meta.url));

/** Runs a program in a network that has nothing but the loopback interface. */
const OFFLINE = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];

function whyNotOffline(): string | false {
  try {
    execFileSync(OFFLINE[0]!, [...OFFLINE.slice(1), 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'unshare -rn is missing or may not make a network of its own';
  }
}

const notOffline = whyNotOffline();
const notTraced = whyNotTraced();

const folder = mkdtempSync(join(tmpdir(), 'aplomb-foreign-'));
const trace = join(folder, 'trace');
const home = join(folder, 'home');
let report: Report;

before(() => {
  mkdirSync(home);
  const traced = [
    'strace',
    '-f',
    '-qq',
    '-e',
    'trace=connect,sendto,sendmsg,sendmmsg',
    '-o',
    trace,
  ];
  const command = [
    ...(notTraced ? [] : traced),
    ...(notOffline ? [] : OFFLINE),
    ...[process.execPath, program],
  ];
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const run = spawnSync(command[0]!, command.slice(1), { env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  report = JSON.parse(run.stdout);
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a start, a backup, a restore and a deployment that serves', () => {
  it('work without a network', { skip: notOffline }, () => {
    assert.deepEqual(report.counts, [1_000, 1_000, 1_000]);
  });

  it('connect only to this machine, even with foreign files', { skip: notTraced }, () => {
    const sent = readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => /AF_INET6?/.test(line));
    // The clients of this test are in the trace, which shows that it sees connections.
    assert.ok(sent.length > 0);
    const isLoopback = (line: string) =>
      /"127\.0\.0\.1"|"::1"/.test(line) && !/htons\(53\)/.test(line);
    assert.deepEqual(
      sent.filter((line) => !isLoopback(line)),
      [],
    );
  });

  it('create no extension folder', () => {
    assert.equal(existsSync(join(home, '.duckdb')), false);
  });
});

describe('a foreign database file', () => {
  const damaged = /data\.duckdb is damaged: it is not a DuckDB database\. No file was changed/;

  for (const kind of ['sqlite', 'parquet', 'text']) {
    it(`is refused by its kind: ${kind}`, () => {
      const { start, restore } = report.foreign[kind]!;
      assert.equal(start.code, 1);
      assert.match(start.err, damaged);
      assert.equal(restore.code, 2);
      assert.match(restore.err, /cannot be restored: its database does not open \(.*not a DuckDB/);
    });
  }

  it('that is encrypted is refused', () => {
    const { start, restore } = report.foreign['encrypted']!;
    assert.equal(start.code, 1);
    assert.match(start.err, /encrypt/i);
    assert.equal(restore.code, 2);
    assert.match(restore.err, /cannot be restored: its database does not open/);
  });
});
