// Exports to files: a file is written completely or not at all, whatever fails.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ExportError, fileFailure } from '../../../table/src/export/exportError.ts';
import { exportRows } from '../../../table/src/export/exportRows.ts';
import { exportToFile } from '../../../table/src/export/exportToFile.ts';
import { formats } from '../../../table/src/export/formats.ts';
import { Cancelled } from '../../../table/src/rowSource.ts';
import { assertMode, needs } from '../../platform.ts';
import { exported, Task, table } from './sources.ts';

const root = await mkdtemp(join(tmpdir(), 'aplomb-export-'));
after(() => rm(root, { recursive: true, force: true }));

let folders = 0;

async function folder(): Promise<string> {
  const path = join(root, String(folders++));
  await mkdir(path);
  return path;
}

const rows = Array.from({ length: 20_000 }, (_, row) => [row, `text ${(row * 7919) % 10_007}`]);
const source = table({ n: 'integer', s: 'string' }, rows);
const fileFormats = formats.flatMap(({ id, extension }) => (extension === undefined ? [] : [id]));

async function failure(path: string, format = 'csv', task = new Task()): Promise<ExportError> {
  const error = await exportToFile(source, format, {}, path, task).then(
    () => assert.fail(`${path} was written`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExportError, String(error));
  return error;
}

describe('an exported file', () => {
  it('has the content of the export, and its folder contains no other file', async () => {
    for (const format of fileFormats) {
      const inside = await folder();
      const path = join(inside, `rows.${format}`);
      const { bytes, rows } = await exportToFile(source, format, {}, path, new Task());
      assert.equal(rows, 20_000);
      assert.equal((await stat(path)).size, bytes);
      const { body } = await exported(source, format);
      // The zip file contains its creation time.
      if (format !== 'xlsx') assert.ok(body.equals(await readFile(path)), format);
      assert.deepEqual(await readdir(inside), [`rows.${format}`]);
    }
  });

  it('replaces an existing file and keeps its permissions', async () => {
    const path = join(await folder(), 'rows.csv');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await exportToFile(source, 'csv', {}, path, new Task());
    assert.ok((await readFile(path, 'utf8')).startsWith('n,s\n0,text 0\n'));
    assertMode(path, 0o640);
  });

  it('replaces the target of a symbolic link, but not other hard links to the target', {
    skip: needs.links,
  }, async () => {
    const inside = await folder();
    await writeFile(join(inside, 'target.csv'), 'old');
    await symlink(join(inside, 'target.csv'), join(inside, 'link.csv'));
    await link(join(inside, 'target.csv'), join(inside, 'other.csv'));
    await exportToFile(source, 'csv', {}, join(inside, 'link.csv'), new Task());
    assert.ok((await readFile(join(inside, 'target.csv'), 'utf8')).startsWith('n,s\n'));
    assert.equal(await readFile(join(inside, 'other.csv'), 'utf8'), 'old');
    assert.deepEqual((await readdir(inside)).sort(), ['link.csv', 'other.csv', 'target.csv']);
  });
});

describe('a cancelled export', () => {
  for (const format of fileFormats)
    it(`of ${format} leaves no new file and keeps an existing file`, async () => {
      const inside = await folder();
      const path = join(inside, 'rows');
      let steps = 0;
      const cancelled = () =>
        new Task(0, (done, total) => {
          steps = Math.max(steps, total);
          return total > 0 && done > total * 0.7;
        });
      await assert.rejects(exportToFile(source, format, {}, path, cancelled()), Cancelled);
      assert.ok(steps >= 20_000);
      assert.deepEqual(await readdir(inside), []);
      await writeFile(path, 'old');
      await assert.rejects(exportToFile(source, format, {}, path, cancelled()), Cancelled);
      assert.equal(await readFile(path, 'utf8'), 'old');
      assert.deepEqual(await readdir(inside), ['rows']);
    });

  it('stops after a few rows', async () => {
    const task = new Task(0, (done) => done >= 1_000);
    let bytes = 0;
    const sink = {
      write: (chunk: Uint8Array) => {
        bytes += chunk.length;
      },
    };
    await assert.rejects(exportRows(source, 'csv', {}, sink, task), Cancelled);
    assert.ok(bytes < 40_000, `${bytes}`);
  });
});

describe('a failed export', () => {
  it('to a full disk reports the reason, in every format', { skip: needs.devices }, async () => {
    for (const format of fileFormats) {
      const { message } = await failure('/dev/full', format);
      assert.equal(
        message,
        'The disk is full: /dev/full was not written. Free up some space, or choose a folder on another disk.',
      );
    }
  });

  it('writes nothing more after the sink fails', async () => {
    for (const format of fileFormats) {
      let writes = 0;
      const sink = {
        write: async () => {
          if (++writes === 2) throw new Error('sink');
        },
      };
      await assert.rejects(exportRows(source, format, {}, sink, new Task(0)), { message: 'sink' });
      const before = writes;
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(writes, before, format);
    }
  });

  it('leaves no file if a value cannot be read', async () => {
    const broken = {
      ...source,
      text(row: number, column: number) {
        if (row === 15_000) throw new Error('broken row');
        return source.text(row, column);
      },
    };
    for (const format of fileFormats) {
      const inside = await folder();
      const path = join(inside, 'rows');
      await assert.rejects(exportToFile(broken, format, {}, path, new Task()), {
        message: 'broken row',
      });
      assert.deepEqual(await readdir(inside), []);
    }
  });

  it('to a folder, in a missing folder, below a file or with a long name reports the reason', async () => {
    const inside = await folder();
    assert.equal(
      (await failure(inside)).message,
      `${inside} is a folder. Choose the name of a file.`,
    );
    const gone = join(inside, 'gone', 'rows.csv');
    assert.equal(
      (await failure(gone)).message,
      `The folder of ${gone} does not exist. Create the folder, or choose another one.`,
    );
    await writeFile(join(inside, 'file'), '');
    assert.match((await failure(join(inside, 'file', 'rows.csv'))).message, /does not exist/);
    const long = join(inside, 'x'.repeat(300));
    assert.match((await failure(long)).message, /too long\. Choose a shorter name\.$/);
    assert.deepEqual(await readdir(inside), ['file']);
  });

  it('reports that the folder does not exist if it is deleted during the export', async () => {
    const inside = await folder();
    const path = join(inside, 'rows.csv');
    let removed = false;
    const task = new Task(0, (done) => {
      if (done < 10_000 || removed) return undefined;
      removed = true;
      void rm(inside, { recursive: true });
      return undefined;
    });
    assert.match((await failure(path, 'csv', task)).message, /does not exist/);
  });

  it('without permission reports the reason and keeps the file', {
    skip: needs.modes,
  }, async () => {
    const inside = await folder();
    const path = join(inside, 'rows.csv');
    await writeFile(path, 'old');
    await chmod(path, 0o444);
    await chmod(inside, 0o555);
    await chmod(root, 0o755);
    // Permissions do not bind the superuser, so another process tries it as another user.
    const script = `
      if (process.getuid() === 0) process.setuid(65534);
      const { exportToFile } = await import(${JSON.stringify(new URL('../../../table/src/export/exportToFile.ts', import.meta.url).href)});
      const source = { name: '', columns: [{ name: 'a', type: 'integer' }], rowCount: 1, cell: () => 1, text: () => '1' };
      const task = { due: false, pause: async () => undefined };
      for (const path of ${JSON.stringify([path, join(inside, 'new.csv')])})
        await exportToFile(source, 'csv', {}, path, task).then(() => console.log('written'), (error) => console.log(error.message));
    `;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    assert.deepEqual((await run).stdout.trimEnd().split('\n'), [
      `You do not have permission to write ${path}. Choose another folder, or change the permissions of this one.`,
      `You do not have permission to write ${join(inside, 'new.csv')}. Choose another folder, or change the permissions of this one.`,
    ]);
    assert.equal(await readFile(path, 'utf8'), 'old');
    await chmod(inside, 0o755);
    assert.deepEqual(await readdir(inside), ['rows.csv']);
  });

  it('with an unknown error code reports the message of the system', () => {
    const error = Object.assign(new Error('EXYZ: odd, write'), { code: 'EXYZ', syscall: 'write' });
    const named = fileFailure(error, '/a/b.csv');
    assert.ok(named instanceof ExportError);
    assert.equal(named.message, '/a/b.csv was not written: EXYZ: odd, write.');
    const other = new TypeError('not the system');
    assert.equal(fileFailure(other, '/a/b.csv'), other);
  });
});
