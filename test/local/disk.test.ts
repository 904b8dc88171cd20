// Disk failures: a full disk or a deleted folder. The full disk is a small tmpfs, so these tests
// need Linux and permission to mount. RLIMIT_FSIZE would end the process with SIGXFSZ instead,
// unlike a full disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';
import { random } from './random.ts';

const disk = mkdtempSync(join(tmpdir(), 'aplomb-disk-'));
after(() => rmdir(disk));

function mount(size: string, ...options: string[]): void {
  const all = [...options, `size=${size}`].join(',');
  execFileSync('mount', ['-t', 'tmpfs', '-o', all, 'tmpfs', disk], { stdio: 'ignore' });
}

function mayMount(): boolean {
  try {
    mount('1m');
    execFileSync('umount', [disk]);
    return true;
  } catch {
    return false;
  }
}

const skip = mayMount() ? false : 'this user may not mount';

const below = random(7);

/** Returns lines of events that hardly compress. */
function events(count: number): string {
  const word = () => below(2 ** 30).toString(36);
  const line = () =>
    JSON.stringify({ a: Array.from({ length: 40 }, word).join(''), b: below(1_000) });
  return Array.from({ length: count }, line).join('\n');
}

/** Runs `work` with a deployment on a disk of this size. */
async function onDisk(size: string, work: (local: Deployment) => Promise<void>): Promise<void> {
  mount(size);
  try {
    const local = await Deployment.open({ folder: join(disk, 'data') });
    try {
      await local.dataset('logs');
      await work(local);
    } finally {
      await local.close();
    }
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
}

async function fill(): Promise<void> {
  await writeFile(join(disk, 'filler'), Buffer.alloc(256 * 1_048_576)).catch(() => undefined);
}

async function count(local: Deployment): Promise<unknown> {
  const [row] = await local.rows('logs | count');
  return row?.['count'];
}

describe('a full disk', () => {
  it("returns 507 for events that can't be committed, and no acknowledged event is lost", {
    skip,
  }, async () => {
    await onDisk('24m', async (local) => {
      let acknowledged = 0;
      let refused = 0;
      for (let i = 0; i < 200 && refused < 3; i++) {
        const { status, body, text } = await local.ingest('logs', events(500));
        if (status === 200) {
          acknowledged += body.ingested;
          continue;
        }
        refused += 1;
        assert.equal(status, 507, text);
        assert.equal(body.reason, 'disk-trouble');
        assert.match(body.message, /No space left on device/);
      }
      assert.ok(refused === 3 && acknowledged > 0, `${refused} refused`);
      assert.equal(await count(local), acknowledged);
      // Documents fail in the same way, and reading still works.
      await fill();
      const note = {
        datasets: ['logs'],
        type: 't',
        description: 'x'.repeat(500),
        x: 'y'.repeat(2e6),
      };
      const { status, text } = await local.call('POST', '/v2/annotations', note);
      assert.equal(status, 507, text);
      assert.deepEqual((await local.call('GET', '/v2/annotations')).body, []);
      await rm(join(disk, 'filler'), { force: true });
      mount('200m', 'remount');
      const { body } = await local.ingest('logs', events(500));
      assert.equal(body.ingested, 500);
      await local.reopen();
      assert.equal(await count(local), acknowledged + 500);
    });
  });

  it("returns 507 for a body that doesn't fit into the spool", { skip }, async () => {
    await onDisk('24m', async (local) => {
      await local.stored('logs', events(10));
      await fill();
      const { status, body, text } = await local.ingest('logs', events(5_000));
      assert.equal(status, 507, text);
      assert.equal(body.reason, 'disk-trouble');
      assert.equal(await count(local), 10);
      await rm(join(disk, 'filler'));
      assert.equal((await local.ingest('logs', events(10))).status, 200);
    });
  });

  it('makes queries fail with 503 during a checkpoint, and reopening loses nothing', {
    skip,
  }, async () => {
    await onDisk('24m', async (local) => {
      for (let i = 0; i < 20; i++) await local.stored('logs', events(500));
      await fill();
      await assert.rejects(local.store.engine.use((session) => session.run('CHECKPOINT')));
      const { status, body } = await local.query('logs | count');
      assert.equal(status, 503);
      assert.equal(body.reason, 'database-lost');
      assert.ok(local.logged.includes('fatal'));
      local.logged.length = 0;
      await rm(join(disk, 'filler'));
      await assert.rejects(local.store.close(), /invalidated/);
      await local.reopen();
      assert.equal(await count(local), 10_000);
    });
  });
});

describe('a deleted spool folder', () => {
  it('is recreated', async () => {
    const local = await Deployment.open();
    try {
      await local.dataset('logs');
      for (const type of ['application/x-ndjson', 'application/json']) {
        await rm(join(local.folder, 'spool'), { recursive: true });
        await local.stored('logs', [{ a: 1 }], { type });
      }
      await rm(join(local.folder, 'spool'), { recursive: true });
      const csv = await local.ingest('logs', 'a\n2\n', { type: 'text/csv' });
      assert.equal(csv.status, 200, csv.text);
      assert.ok(existsSync(join(local.folder, 'spool')));
      assert.equal(await count(local), 3);
    } finally {
      await local.close();
    }
  });

  it('loses no acknowledged event if it is deleted during ingest, and later requests succeed', async () => {
    const local = await Deployment.open();
    try {
      await local.dataset('logs');
      let acknowledged = 0;
      let removing = true;
      const remove = (async () => {
        while (removing) {
          // A file that is created meanwhile prevents the removal.
          const gone = rm(join(local.folder, 'spool'), { recursive: true, force: true });
          await gone.catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      for (let i = 0; i < 40; i++) {
        const { status, body, text } = await local.ingest('logs', events(200));
        if (status === 200) acknowledged += body.ingested;
        else assert.equal(body.reason, 'disk-trouble', text);
      }
      removing = false;
      await remove;
      await local.stored('logs', events(10));
      assert.equal(await count(local), acknowledged + 10);
    } finally {
      await local.close();
    }
  });
});
