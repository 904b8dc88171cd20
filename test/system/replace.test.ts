// Files that are replaced and removed while other processes have them open.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  readText,
  removeFile,
  retryWhileInUse,
  writeAtomically,
} from '../../system/src/replace.ts';
import { isLong } from '../drawn.ts';
import { needs } from '../platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'aplomb-replace-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const refusal = (code: string) => Object.assign(new Error(code), { code });

/** Returns work that fails with `code` the first `times` times. */
function refused(code: string, times: number) {
  let attempts = 0;
  const work = async () => {
    if (attempts++ < times) throw refusal(code);
    return attempts;
  };
  return { work, attempts: () => attempts };
}

describe('work on a file in use', () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    it(`is retried on Windows after ${code}`, async () => {
      assert.equal(await retryWhileInUse(refused(code, 3).work, { platform: 'win32' }), 4);
    });
  }

  it('fails with the last error after the timeout', async () => {
    const { work, attempts } = refused('EPERM', Number.POSITIVE_INFINITY);
    await assert.rejects(retryWhileInUse(work, { platform: 'win32', timeoutMs: 60 }), {
      code: 'EPERM',
    });
    assert.ok(attempts() > 1);
  });

  it('fails immediately with other errors', async () => {
    const { work, attempts } = refused('ENOSPC', 1);
    await assert.rejects(retryWhileInUse(work, { platform: 'win32' }), { code: 'ENOSPC' });
    assert.equal(attempts(), 1);
  });

  it("fails immediately on systems that don't lock open files", async () => {
    const { work, attempts } = refused('EPERM', 1);
    await assert.rejects(retryWhileInUse(work, { platform: 'linux' }), { code: 'EPERM' });
    assert.equal(attempts(), 1);
  });
});

const replacements = isLong ? 2_000 : 200;

describe('a file written with writeAtomically', () => {
  it(`is never partial for a concurrent reader, in ${replacements} replacements`, async () => {
    const path = join(folder, 'whole');
    const content = (i: number) => String(i % 10).repeat(20_000);
    await writeAtomically(path, content(0), { mode: 0o600 });
    let isWriting = true;
    const reader = (async () => {
      let reads = 0;
      while (isWriting) {
        const text = await readText(path);
        assert.equal(text.length, 20_000);
        assert.equal(new Set(text).size, 1);
        reads++;
      }
      return reads;
    })();
    for (let i = 1; i <= replacements; i++)
      await writeAtomically(path, content(i), { mode: 0o600 });
    isWriting = false;
    assert.ok((await reader) > 10);
    assert.deepEqual(readdirSync(folder), ['whole']);
  });

  it('gets the requested mode', { skip: needs.modes }, async () => {
    const path = join(folder, 'private');
    await writeAtomically(path, 'x', { mode: 0o600 });
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('keeps its content and leaves no temporary file if the check fails', async () => {
    const path = join(folder, 'kept');
    await writeAtomically(path, 'old', { mode: 0o600 });
    const check = async () => {
      throw new Error('The lock was lost.');
    };
    await assert.rejects(writeAtomically(path, 'new', { mode: 0o600, check }), /The lock was lost/);
    assert.equal(readFileSync(path, 'utf8'), 'old');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('can be removed, and removing it again has no effect', async () => {
    const path = join(folder, 'removed');
    await writeAtomically(path, 'x', { mode: 0o600 });
    await removeFile(path);
    await removeFile(path);
    assert.equal(readdirSync(folder).includes('removed'), false);
  });
});
