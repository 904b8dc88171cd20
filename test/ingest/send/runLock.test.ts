// Tests a run's lock across processes.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInProgress, RunLock } from '../../../ingest/src/send/runLock.ts';
import { Place } from './running.ts';

const program = fileURLToPath(new URL('lockingProcess.ts', import.meta.url));
const ROUNDS = 150;

describe('the lock of a run', () => {
  it('is taken over by exactly one of several processes if its owner has ended', async () => {
    await using place = await Place.create();
    const { pid: ended } = spawnSync(process.execPath, ['-e', '']);
    const journals = Array.from({ length: ROUNDS }, (_, index) => join(place.folder, `${index}`));
    for (const journal of journals) await writeFile(`${journal}.lock`, String(ended));
    const run = promisify(execFile);
    const args = [program, String(Date.now() + 1_500), '10', ...journals];
    const taken = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
    const times = new Array<number>(ROUNDS).fill(0);
    for (const { stdout } of taken)
      for (const index of JSON.parse(stdout)) (times[index] as number) += 1;
    assert.deepEqual(times, new Array(ROUNDS).fill(1));
    assert.equal((await readdir(place.folder)).length, ROUNDS);
  });

  it('is invalid after a reboot, even if another process has the same process id', async () => {
    await using place = await Place.create();
    const journal = join(place.folder, 'run');
    await writeFile(`${journal}.lock`, String(process.ppid));
    assert.equal(await isInProgress(journal), true);
    const before = new Date(Date.now() - uptime() * 1_000 - 60_000);
    await utimes(`${journal}.lock`, before, before);
    assert.equal(await isInProgress(journal), false);
    const lock = await RunLock.take(journal);
    assert.ok(lock);
    await lock.release();
    assert.deepEqual(await readdir(place.folder), []);
  });

  it('is held while its file is still empty, unless that is old', async () => {
    await using place = await Place.create();
    const journal = join(place.folder, 'run');
    await writeFile(`${journal}.lock`, '');
    assert.equal(await isInProgress(journal), true);
    assert.equal(await RunLock.take(journal), undefined);
    const before = new Date(Date.now() - 60_000);
    await utimes(`${journal}.lock`, before, before);
    assert.equal(await isInProgress(journal), false);
    await (await RunLock.take(journal))?.release();
  });
});
