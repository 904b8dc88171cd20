// The database's folder is synced once for each new log file, even if inode numbers are reused.
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { LogNames } from '../../local/src/engines/duckdb/database/logNames.ts';

const folder = mkdtempSync(join(tmpdir(), 'aplomb-names-'));
after(() => rm(folder, { recursive: true, force: true }));

const skip = process.platform === 'win32' ? 'Windows syncs names itself' : false;

describe('the folder of log files', { skip }, () => {
  const file = join(folder, 'data.duckdb');
  const log = `${file}.wal`;
  let synced: string[] = [];
  let failing = false;
  const names = new LogNames(file, async (path) => {
    if (failing) throw new Error('EIO');
    synced.push(path);
  });

  const syncs = async () => {
    synced = [];
    await names.sync();
    return synced.length;
  };

  it('is synced once for each new log', async () => {
    assert.equal(await syncs(), 0);
    writeFileSync(log, 'a');
    assert.equal(await syncs(), 1);
    assert.deepEqual(synced, [folder]);
    writeFileSync(log, 'b', { flag: 'a' });
    assert.equal(await syncs(), 0);
  });

  it('is synced again for a log that replaces another', async () => {
    for (let i = 0; i < 20; i += 1) {
      rmSync(log);
      writeFileSync(log, 'c');
      assert.equal(await syncs(), 1, `time ${i}`);
    }
    writeFileSync(`${log}.checkpoint`, 'd');
    assert.equal(await syncs(), 1);
    renameSync(`${log}.checkpoint`, log);
    assert.equal(await syncs(), 1);
    names.release();
    assert.equal(await syncs(), 1);
  });

  it('is synced again after a failed sync', async () => {
    rmSync(log);
    writeFileSync(log, 'e');
    failing = true;
    await assert.rejects(names.sync(), /EIO/);
    failing = false;
    assert.equal(await syncs(), 1);
    names.release();
  });
});
