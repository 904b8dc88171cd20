// A history that several windows write concurrently: real processes on one file, one of them killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HistoryFile } from '../../../client/src/history/historyFile.ts';
import { withLock } from '../../../client/src/host/fileLock.ts';

const writer = join(import.meta.dirname, 'writer.ts');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-history-'));
  path = join(folder, 'history.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(mode: 'append' | 'rewrite', prefix: string, times: number): Promise<void> {
  const args = [writer, path, mode, prefix, String(times)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

describe('a history written by several windows', () => {
  it('loses no entry if it is rewritten at the same time, and leaves no lock file', async () => {
    await Promise.all([
      write('append', 'a', 150),
      write('append', 'b', 150),
      write('rewrite', '', 150),
      write('rewrite', '', 150),
    ]);
    const ids = (await new HistoryFile(path).read()).map(({ id }) => id);
    const expected = ['a', 'b'].flatMap((prefix) =>
      Array.from({ length: 150 }, (_, n) => `${prefix}${n}`),
    );
    assert.deepEqual(ids.toSorted(), expected.toSorted());
    for (const prefix of ['a', 'b']) {
      const own = ids.filter((id) => id.startsWith(prefix));
      assert.deepEqual(
        own,
        expected.filter((id) => id.startsWith(prefix)),
        'in their order',
      );
    }
    assert.deepEqual(await readdir(folder), ['history.jsonl']);
  });

  it('is written even if a process ended without removing its lock file', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    const lock = JSON.stringify({ pid: child.pid, token: 'x' });
    await writeFile(`${path}.lock`, lock);
    await writeFile(`${path}.lock.stale`, lock);
    await Promise.all([write('append', 'a', 20), write('append', 'b', 20)]);
    assert.equal((await new HistoryFile(path).read()).length, 40);
    assert.deepEqual(await readdir(folder), ['history.jsonl']);
  });

  it('starts a new line after an entry that a killed process left incomplete', async () => {
    await write('append', 'a', 1);
    await writeFile(path, `${await readFile(path, 'utf8')}{"id":"cut`);
    await write('append', 'b', 1);
    const ids = (await new HistoryFile(path).read()).map(({ id }) => id);
    assert.deepEqual(ids, ['a0', 'b0']);
  });
});

describe('a file lock', () => {
  it('is held by one owner at a time, and is released if its work fails', async () => {
    const lock = join(folder, 'lock');
    let held = 0;
    const work = async (isHeld: () => Promise<boolean>) => {
      held += 1;
      assert.equal(held, 1);
      assert.ok(await isHeld());
      await new Promise((done) => setTimeout(done, 5));
      held -= 1;
      throw new Error('no');
    };
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => withLock(lock, work)),
    );
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['rejected']));
    assert.deepEqual(await readdir(folder), []);
  });

  it('is no longer held after another owner took it over, and is not removed', async () => {
    const lock = join(folder, 'lock');
    const other = JSON.stringify({ pid: process.pid, token: 'other' });
    await withLock(lock, async (isHeld) => {
      await writeFile(lock, other);
      assert.equal(await isHeld(), false);
    });
    assert.equal(await readFile(lock, 'utf8'), other);
  });
});
