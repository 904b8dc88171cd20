// Backs up a deployment during writes and restores it: everything acknowledged before the backup is
// there, each request completely and once. A damaged or unsuitable backup is rejected and leaves
// nothing behind.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveBytes, writeArchive } from '../../local/src/backup/archive.ts';
import { RestoreError, restoreBackup } from '../../local/src/backup/restore.ts';
import { needs } from '../platform.ts';
import { call, fill, Processes, query, type Running, stop } from './processes.ts';

let processes: Processes;
before(async () => {
  processes = await Processes.create();
});
after(() => processes.dispose());

const path = (name: string) => join(processes.folder, name);

interface Outcome {
  readonly code: number | null;
  readonly err: string;
}

/** Runs a command. `during` receives a function that interrupts it. */
async function run(args: string[], during?: (kill: () => void) => void): Promise<Outcome> {
  const child = processes.launch(...args);
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout!.resume();
  during?.(() => child.kill('SIGINT'));
  const [code] = await once(child, 'close');
  return { code, err };
}

const backup = (name: string, data: string) => run(['backup', path(name), '--data', path(data)]);
const restore = (name: string, data: string) => run(['restore', path(name), '--data', path(data)]);

/** Sends requests until `isOver`. The number of events follows from a request's number. */
async function write(running: Running, writer: number, isOver: () => boolean, known: Set<string>) {
  for (let request = 1; !isOver(); request += 1) {
    const lines = Array.from(
      { length: 1 + (request % 40) },
      (_, i) => `{"writer":${writer},"request":${request},"of":${1 + (request % 40)},"i":${i}}`,
    );
    const type = 'application/x-ndjson';
    const answer = await call(running, 'POST', `/v1/ingest/w${writer % 2}`, lines.join('\n'), type);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    known.add(`${writer}.${request}`);
    if (request % 20 > 0) continue;
    const note = { datasets: [`w${writer % 2}`], type: 't', description: `${writer}.${request}` };
    await call(running, 'POST', '/v2/annotations', JSON.stringify(note));
  }
}

describe('a backup during writes', () => {
  it('restores every request acknowledged before the backup began, exactly once', async () => {
    const running = await processes.start('busy');
    for (const name of ['w0', 'w1']) {
      await call(running, 'POST', '/v2/datasets', JSON.stringify({ name }));
    }
    await fill(running, 'before');
    writeFileSync(path('busy/license.json'), '{"maxDatasets": 77}');
    const role = await call(running, 'POST', '/v2/rbac/roles', JSON.stringify({ name: 'Reader' }));
    assert.ok(role.status < 300);
    const made = await call(
      running,
      'POST',
      '/v2/tokens',
      JSON.stringify({ name: 'reads', datasetCapabilities: { before: { query: ['read'] } } }),
    );
    const { token } = made.body;
    let over = false;
    const known = new Set<string>();
    const writers = [0, 1, 2, 3].map((n) => write(running, n, () => over, known));
    await sleep(500);
    const atBegin = new Set(known);
    const outcome = await backup('busy.tar', 'busy');
    assert.equal(outcome.code, 0, outcome.err);
    const atEnd = known.size;
    await sleep(100);
    over = true;
    await Promise.all(writers);
    assert.ok(atEnd > atBegin.size, 'nobody wrote during the backup');
    assert.equal(await stop(running), 0);

    const text = readFileSync(path('busy.tar'), 'latin1');
    assert.ok(!text.includes(running.token) && !text.includes(running.personalToken));
    assert.ok(!text.includes(token));
    const restored = await restore('busy.tar', 'restored');
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.err, /events in 3 datasets, as of /);
    assert.deepEqual(readdirSync(path('restored')).sort(), ['data.duckdb', 'license.json']);

    const again = await processes.start('restored');
    const found = new Set<string>();
    for (const name of ['w0', 'w1']) {
      const apl = `${name} | summarize count(), dcount(i), max(of) by writer, request`;
      const { body } = await query(again, `${apl} | take 100000`);
      const [writer, request, count, distinct, of] = body.tables[0].columns as number[][];
      for (const [row, each] of writer!.entries()) {
        assert.equal(count![row], of![row], `events of ${each}.${request![row]}`);
        assert.equal(distinct![row], of![row]);
        found.add(`${each}.${request![row]}`);
      }
    }
    for (const each of atBegin) assert.ok(found.has(each), `request ${each} is lost`);
    // A writer's requests are sequential, so the restored ones have no gaps.
    for (const each of found) {
      const [writer, request] = each.split('.').map(Number);
      if (request! > 1) assert.ok(found.has(`${writer}.${request! - 1}`), `gap at ${each}`);
    }
    const roles = await call(again, 'GET', '/v2/rbac/roles');
    assert.ok(roles.body.some(({ name }: { name: string }) => name === 'Reader'));
    const { body: notes } = await call(again, 'GET', '/v2/annotations');
    for (const { description } of notes) assert.ok(found.has(description), description);
    const reader = await query({ ...again, token }, 'before | count');
    assert.equal(reader.body.tables[0].columns[0][0], 1_000);
    assert.notEqual(again.token, running.token);
    assert.equal(await stop(again), 0);
  });
});

describe('a backup', () => {
  before(async () => {
    const running = await processes.start('data');
    await fill(running, 'logs');
    assert.equal(await stop(running), 0);
    const outcome = await backup('good.tar', 'data');
    assert.equal(outcome.code, 0, outcome.err);
  });

  /** Restores a file and asserts that it is rejected with a single line. */
  async function refused(name: string, message: RegExp): Promise<void> {
    const { code, err } = await restore(name, 'target');
    assert.equal(code, 2, err);
    assert.match(err, message);
    assert.equal(err.trim().split('\n').length, 1, err);
    assert.ok(!existsSync(path('target')), 'something is left');
  }

  it('can be restored if the deployment was stopped', async () => {
    const { code, err } = await restore('good.tar', 'good');
    assert.equal(code, 0, err);
    const running = await processes.start('good');
    const { body } = await query(running, 'logs | summarize count(), sum(i)');
    assert.deepEqual(body.tables[0].columns, [[1_000], [499_500]]);
    assert.equal(await stop(running), 0);
  });

  it('is readable only by its owner', { skip: needs.modes }, () => {
    assert.equal(statSync(path('good.tar')).mode & 0o777, 0o600);
  });

  it('is a tar archive with correct checksums', { skip: needs.tools }, () => {
    mkdirSync(path('tar'));
    execFileSync('tar', ['xf', path('good.tar'), '-C', path('tar')]);
    execFileSync('sha256sum', ['-c', '--quiet', 'checksums'], { cwd: path('tar') });
    assert.equal(JSON.parse(readFileSync(path('tar/manifest.json'), 'utf8')).format, 1);
  });

  it('is rejected if it is damaged, truncated or of another format', async () => {
    const good = readFileSync(path('good.tar'));
    const bad = (bytes: Uint8Array) => writeFileSync(path('bad.tar'), bytes);
    for (const at of [600, 1_024 + 30, Math.floor(good.length / 2), good.length - 1_400]) {
      const bytes = Buffer.from(good);
      bytes[at]! ^= 0x20;
      bad(bytes);
      await refused('bad.tar', /^aplomb: .*bad\.tar cannot be restored: .*(damaged|contains)/);
    }
    for (const length of [700, Math.floor(good.length / 2), good.length - 1_600, good.length - 1]) {
      bad(good.subarray(0, length));
      await refused('bad.tar', /cannot be restored: it is truncated\./);
    }
    bad(Buffer.from('notes '.repeat(500)));
    await refused('bad.tar', /cannot be restored: it is not a backup\./);
    bad(Buffer.alloc(0));
    await refused('bad.tar', /cannot be restored: it is not a backup\./);
    await refused('missing.tar', /cannot be restored: file not found\./);
    const manifest = Buffer.from('{"format":2,"tables":[]}');
    const members = [{ name: 'manifest.json', bytes: manifest.length, content: manifest }];
    const pieces: Uint8Array[] = [];
    for await (const piece of writeArchive(members)) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).length, archiveBytes(members));
    bad(Buffer.concat(pieces));
    await refused('bad.tar', /a backup of format 2, and this version reads format 1\. Restore it/);
  });

  it('is rejected if its database has fewer events than its manifest states', async () => {
    const database = readFileSync(path('data/data.duckdb'));
    const tables = [{ schema: 'events', name: 'd1', rows: 1_001 }];
    const manifest = Buffer.from(JSON.stringify({ format: 1, created: '', tables }));
    const members = [
      { name: 'manifest.json', bytes: manifest.length, content: manifest },
      { name: 'data.duckdb', bytes: database.length, content: database },
    ];
    const pieces: Uint8Array[] = [];
    for await (const piece of writeArchive(members)) pieces.push(piece);
    writeFileSync(path('lacks.tar'), Buffer.concat(pieces));
    await refused('lacks.tar', /the table d1 has 1000 rows instead of 1001/);
  });

  it('is restored only into an empty folder and never overwrites a file', async () => {
    mkdirSync(path('full'));
    writeFileSync(path('full/notes.txt'), 'x');
    const { code, err } = await restore('good.tar', 'full');
    assert.equal(code, 2);
    assert.match(err, /full is not empty\. Restore the backup into a new folder\.\n$/);
    assert.deepEqual(readdirSync(path('full')), ['notes.txt']);
    const again = await backup('good.tar', 'data');
    assert.equal(again.code, 2);
    assert.match(again.err, /good\.tar exists already\./);
    const nothing = await backup('other.tar', 'full');
    assert.match(nothing.err, /full has no data of a local deployment\. Check --data\.\n$/);
    assert.ok(!existsSync(path('other.tar')));
  });

  it('is not restored over a database that another process creates meanwhile', async () => {
    let began = false;
    const begin = () => {
      if (began) return;
      began = true;
      writeFileSync(path('meanwhile/data.duckdb'), 'of another process');
    };
    const restoring = restoreBackup(
      path('good.tar'),
      path('meanwhile'),
      { withoutTokens: false },
      begin,
      new AbortController().signal,
    );
    await assert.rejects(restoring, (error: Error) => {
      assert.ok(error instanceof RestoreError, error.message);
      assert.match(error.message, /meanwhile is not empty/);
      return true;
    });
    assert.deepEqual(readdirSync(path('meanwhile')), ['data.duckdb']);
    assert.equal(readFileSync(path('meanwhile/data.duckdb'), 'utf8'), 'of another process');
  });

  it('is restored only once if two processes restore it into the same folder', async () => {
    const outcomes = await Promise.all([
      restore('good.tar', 'twice'),
      restore('good.tar', 'twice'),
    ]);
    assert.deepEqual(outcomes.map(({ code }) => code).sort(), [0, 2], JSON.stringify(outcomes));
    assert.ok(!readdirSync(path('twice')).some((name) => name.startsWith('restoring')));
    const again = await backup('of-twice.tar', 'twice');
    assert.equal(again.code, 0, again.err);
  });

  it('deletes, when restored, the files of an earlier restore that was killed, but not of a running restore', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (const id of [pid, process.pid]) {
      mkdirSync(path(`beside/restoring-${id}-abc`), { recursive: true });
      writeFileSync(path(`beside/restoring-${id}-abc/data.duckdb`), 'half');
    }
    const { code, err } = await restore('good.tar', 'beside');
    assert.equal(code, 0, err);
    const left = readdirSync(path('beside')).filter((name) => name.startsWith('restoring'));
    assert.deepEqual(left, [`restoring-${process.pid}-abc`]);
  });

  it('is not restored into a folder with an unrelated subfolder whose name starts with restoring-', async () => {
    const own = path('kept/restoring-the-old-house');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'plan.txt'), 'mine');
    const { code, err } = await restore('good.tar', 'kept');
    assert.equal(code, 2, err);
    assert.match(err, /is not empty/);
    assert.equal(readFileSync(join(own, 'plan.txt'), 'utf8'), 'mine');
  });

  it("touches no file if the deployment's process is unreachable", async () => {
    const running = await processes.start('reached');
    const lock = readFileSync(path('reached/deployment.json'), 'utf8');
    writeFileSync(path('reached/spool/in-use.part'), 'a body');
    const elsewhere = { ...JSON.parse(lock), port: 9, url: 'http://127.0.0.1:9' };
    writeFileSync(path('reached/deployment.json'), JSON.stringify(elsewhere));
    const { code, err } = await backup('unreached.tar', 'reached');
    assert.equal(code, 2);
    assert.match(err, /Another process has .* open/);
    assert.equal(readFileSync(path('reached/spool/in-use.part'), 'utf8'), 'a body');
    await stop(running);
  });

  it('leaves no file when canceled, and the deployment keeps running', async () => {
    const running = await processes.start('large');
    const name = 'rows';
    await call(running, 'POST', '/v2/datasets', JSON.stringify({ name }));
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `{"i":${i},"s":"${'x'.repeat(99)}${i}"}`,
    );
    const type = 'application/x-ndjson';
    for (let i = 0; i < 20; i += 1) {
      await call(running, 'POST', '/v1/ingest/rows', lines.join('\n'), type);
    }
    for (const ms of [150, 220, 300, 400]) {
      const args = ['backup', path('cut.tar'), '--data', path('large')];
      const { code, err } = await run(args, (kill) => void setTimeout(kill, ms));
      if (code === 0) {
        rmSync(path('cut.tar'));
        continue;
      }
      // A process that hasn't printed its first line yet is ended by the signal.
      if (code !== null)
        assert.deepEqual([code, err], [130, 'aplomb: Cancelled. Nothing was written.\n']);
      assert.deepEqual(
        readdirSync(processes.folder).filter((each) => each.startsWith('cut')),
        [],
      );
    }
    // The deployment notices later that the client has disconnected.
    const left = () => readdirSync(path('large/spool')).filter((each) => each.startsWith('backup'));
    const deadline = performance.now() + 15_000;
    while (left().length > 0 && performance.now() < deadline) await sleep(50);
    assert.deepEqual(left(), []);
    const whole = await backup('whole.tar', 'large');
    assert.equal(whole.code, 0, whole.err);
    for (const ms of [150, 200, 250]) {
      const args = ['restore', path('whole.tar'), '--data', path('cut')];
      const { code } = await run(args, (kill) => void setTimeout(kill, ms));
      if (code === 130) assert.ok(!existsSync(path('cut')));
      else rmSync(path('cut'), { recursive: true, force: true });
    }
    assert.equal((await query(running, 'rows | count')).body.tables[0].columns[0][0], 200_000);
    assert.equal(await stop(running), 0);
  });

  it('can be neither created nor restored on a full disk, which leaves no file and prints a message', {
    skip: mayMount() ? false : 'this user may not mount',
  }, async () => {
    const disk = path('disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    try {
      const made = await backup('disk/a.tar', 'data');
      assert.equal(made.code, 2);
      assert.match(made.err, /a\.tar cannot be written: the disk is full\.\n$/);
      const back = await restore('good.tar', 'disk/data');
      assert.equal(back.code, 2);
      assert.match(back.err, /cannot be restored: the disk is full\. Nothing was restored\.\n$/);
      assert.deepEqual(readdirSync(disk), []);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

function mayMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}
