// Opening the database after a crash: the files of a process killed at any moment are opened
// completely, and damaged files are refused without changing any.
// Imported first, because waiting checkpoints occupy a thread each.
import '../../local/src/threads.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Engine } from '../../local/src/engines/duckdb/database/engine.ts';
import { recoverLog } from '../../local/src/engines/duckdb/database/recovery.ts';
import { EngineError } from '../../local/src/engines/engineError.ts';

let folder: string;
let count = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-recovery-'));
});
after(async () => {
  await Promise.all(ending);
  await rm(folder, { recursive: true, force: true });
});

/** Databases whose slow checkpoint is still running after its test. */
const ending: Promise<void>[] = [];

const newFolder = () => {
  const path = join(folder, `${count++}`);
  mkdirSync(path);
  return path;
};

const copyOf = (data: string) => {
  const path = newFolder();
  cpSync(data, path, { recursive: true });
  return path;
};

const file = (data: string, suffix = '') => join(data, `data.duckdb${suffix}`);

/** Returns the files of a data folder by name. */
const filesOf = (data: string) =>
  Object.fromEntries(
    readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'hex')]),
  );

interface Database {
  readonly insert: (n: number) => Promise<void>;
  readonly checkpoint: () => Promise<void>;
  /**
   * Starts a read transaction and keeps it open. A checkpoint lets others commit only if there is
   * an older reader.
   */
  readonly read: () => Promise<void>;
  /** Starts a checkpoint that waits before writing. `ended` resolves at its end. */
  readonly slowCheckpoint: () => Promise<{ readonly ended: Promise<void> }>;
  readonly close: () => void;
}

/** Opens the database like the store, but with checkpoints only on request. */
async function openRaw(data: string): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:');
  const connections: DuckDBConnection[] = [];
  for (let i = 0; i < 3; i += 1) connections.push(await instance.connect());
  const [writer, checkpointer, reader] = connections as [
    DuckDBConnection,
    DuckDBConnection,
    DuckDBConnection,
  ];
  await writer.run(
    `ATTACH '${file(data)}' AS data (STORAGE_VERSION 'latest', ROW_GROUP_SIZE 61440)`,
  );
  await writer.run("SET wal_autocheckpoint = '1TB'");
  await writer.run('CREATE TABLE IF NOT EXISTS data.numbers (n BIGINT)');
  const checkpoint = async () => {
    await checkpointer.run('CHECKPOINT data');
  };
  return {
    insert: async (n) => {
      await writer.run(`INSERT INTO data.numbers VALUES (${n})`);
    },
    checkpoint,
    read: async () => {
      await reader.run('BEGIN; FROM data.numbers');
    },
    slowCheckpoint: async () => {
      const log = readFileSync(file(data, '.wal')).length;
      await writer.run('SET debug_checkpoint_sleep_ms = 4000');
      const ended = checkpoint();
      // The checkpoint's marker is in the log now.
      while (readFileSync(file(data, '.wal')).length === log) await sleep(5);
      return { ended };
    },
    close: () => instance.closeSync(),
  };
}

/** Opens the database with the store's engine. Returns all numbers in it. */
async function numbersIn(data: string): Promise<number[]> {
  const options = { file: file(data), spool: data, temporary: join(data, 't'), memoryLimit: '1GB' };
  const engine = await Engine.open(Promise.resolve(options));
  try {
    const rows = await engine.use((session) =>
      session.rows<[bigint]>('SELECT n FROM numbers ORDER BY n'),
    );
    return rows.map(([n]) => Number(n));
  } finally {
    await engine.close();
  }
}

async function refused(data: string, message: RegExp): Promise<void> {
  const files = filesOf(data);
  await assert.rejects(numbersIn(data), (error: unknown) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.match(error.message, message);
    assert.equal(error.kind, 'damaged', error.message);
    return true;
  });
  assert.deepEqual(filesOf(data), files);
}

/**
 * Returns a copy of the files of a process killed during a checkpoint, with `beside` after a
 * concurrent commit.
 */
async function killedInCheckpoint(
  data: string,
  numbers: readonly number[],
  beside?: number,
): Promise<string> {
  const database = await openRaw(data);
  if (beside !== undefined) await database.read();
  for (const n of numbers) await database.insert(n);
  const { ended } = await database.slowCheckpoint();
  if (beside !== undefined) await database.insert(beside);
  const left = copyOf(data);
  assert.equal(existsSync(file(left, '.wal.checkpoint')), beside !== undefined);
  ending.push(ended.then(database.close));
  return left;
}

describe('after a crash', () => {
  it('during two successive checkpoints, the first start restores everything', async () => {
    const first = await killedInCheckpoint(newFolder(), [1, 2]);
    const second = await killedInCheckpoint(first, [3], 4);
    assert.deepEqual(await numbersIn(second), [1, 2, 3, 4]);
  });

  it('during a checkpoint, with or without concurrent commits, everything is restored', async () => {
    assert.deepEqual(await numbersIn(await killedInCheckpoint(newFolder(), [1, 2])), [1, 2]);
    assert.deepEqual(await numbersIn(await killedInCheckpoint(newFolder(), [1, 2], 3)), [1, 2, 3]);
  });

  it('between a checkpoint and the swap of its logs, everything is restored exactly once', async () => {
    const data = newFolder();
    const database = await openRaw(data);
    await database.read();
    await database.insert(1);
    const { ended } = await database.slowCheckpoint();
    await database.insert(2);
    const left = copyOf(data);
    await ended;
    cpSync(file(data), file(left));
    database.close();
    assert.deepEqual(await numbersIn(left), [1, 2]);
  });

  it('between joining the logs and deleting the second log, everything is restored once', async () => {
    // DuckDB joins logs too, and keeps a marker of an earlier checkpoint.
    const first = await killedInCheckpoint(newFolder(), [1, 2]);
    const left = await killedInCheckpoint(first, [3], 4);
    const joined = copyOf(left);
    await assert.rejects(openRaw(joined), /cannot contain a checkpoint marker/);
    cpSync(file(left, '.wal.checkpoint'), file(joined, '.wal.checkpoint'));
    assert.deepEqual(await numbersIn(joined), [1, 2, 3, 4]);
  });

  it('before any byte of the second log is written, every start restores everything', async () => {
    const first = await killedInCheckpoint(newFolder(), [1, 2]);
    const left = await killedInCheckpoint(first, [3]);
    writeFileSync(file(left, '.wal.checkpoint'), '');
    const again = copyOf(left);
    // DuckDB removes the last marker, is killed, and finds an older marker while the second log
    // still exists.
    await assert.rejects(openRaw(again), /cannot contain a checkpoint marker/);
    writeFileSync(file(again, '.wal.checkpoint'), '');
    for (const data of [left, again]) {
      assert.deepEqual(await numbersIn(data), [1, 2, 3]);
      assert.deepEqual(await numbersIn(data), [1, 2, 3]);
    }
  });

  it('after a checkpoint with an empty second log, everything is restored once', async () => {
    const data = newFolder();
    const database = await openRaw(data);
    await database.insert(1);
    const { ended } = await database.slowCheckpoint();
    const left = copyOf(data);
    writeFileSync(file(left, '.wal.checkpoint'), '');
    await ended;
    cpSync(file(data), file(left));
    database.close();
    assert.deepEqual(await numbersIn(left), [1]);
  });

  it('with a log truncated anywhere, all complete transactions are restored', async () => {
    const data = newFolder();
    const database = await openRaw(data);
    const ends: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      ends.push(readFileSync(file(data, '.wal')).length);
      await database.insert(n);
    }
    const left = copyOf(data);
    database.close();
    const log = readFileSync(file(left, '.wal'));
    for (let length = ends[4]!; length <= log.length; length += length < log.length - 30 ? 11 : 1) {
      for (const zeros of [0, 4096]) {
        const cut = copyOf(left);
        writeFileSync(
          file(cut, '.wal'),
          Buffer.concat([log.subarray(0, length), Buffer.alloc(zeros)]),
        );
        const complete = ends.slice(1).filter((end) => end <= length).length;
        const isWhole = length === log.length || ends.includes(length);
        // Zeros inside an entry are damage, not a missing end.
        if (zeros > 0 && !isWhole) continue;
        const expected = Array.from({ length: length === log.length ? 6 : complete }, (_, n) => n);
        assert.deepEqual(
          await numbersIn(cut),
          expected,
          `${length} of ${log.length}, ${zeros} zeros`,
        );
        rmSync(cut, { recursive: true });
      }
    }
  });

  it('during the creation of the database, the database opens empty', async () => {
    const data = newFolder();
    (await openRaw(data)).close();
    const bytes = readFileSync(file(data));
    for (const length of [0, 4096, 8192]) {
      const cut = newFolder();
      writeFileSync(file(cut), bytes.subarray(0, length));
      await assert.rejects(numbersIn(cut), /numbers does not exist/);
    }
  });
});

/** Flips a bit in each byte of a log, one at a time, and opens the database for some of them. */
async function eachFlipped(data: string, suffix: string, message: RegExp): Promise<void> {
  const log = readFileSync(file(data, suffix));
  for (let at = 0; at < log.length; at += 1) {
    const bytes = Buffer.from(log);
    bytes[at]! ^= 1 << (at % 8);
    writeFileSync(file(data, suffix), bytes);
    await assert.rejects(
      recoverLog(file(data), (work) => work()),
      { message },
      `byte ${at}`,
    );
    if (at % 97 === 0) await refused(data, message);
  }
}

describe('a damaged database', () => {
  let whole: string;
  before(async () => {
    const data = newFolder();
    const database = await openRaw(data);
    await database.insert(1);
    await database.checkpoint();
    for (let n = 2; n < 5; n += 1) await database.insert(n);
    whole = copyOf(data);
    database.close();
    assert.deepEqual(await numbersIn(copyOf(whole)), [1, 2, 3, 4]);
  });

  it('is refused and left unchanged if any byte of the log is damaged', async () => {
    await eachFlipped(copyOf(whole), '.wal', /^The log data\.duckdb\.wal is damaged at /);
  });

  it('is refused and left unchanged if any byte of the second log, written during a checkpoint, is damaged', async () => {
    const left = await killedInCheckpoint(newFolder(), [1, 2], 3);
    await eachFlipped(
      left,
      '.wal.checkpoint',
      /^The log data\.duckdb\.wal\.checkpoint is damaged at /,
    );
  });

  it('is refused and left unchanged if the log belongs to another database or state, or the database is missing', async () => {
    const other = newFolder();
    const database = await openRaw(other);
    await database.insert(7);
    const earlier = copyOf(other);
    for (let n = 0; n < 3; n += 1) {
      await database.insert(n);
      await database.checkpoint();
    }
    const later = copyOf(other);
    database.close();
    const mixed = copyOf(whole);
    cpSync(file(earlier, '.wal'), file(mixed, '.wal'));
    await refused(mixed, /belongs to another state of data\.duckdb/);
    cpSync(file(earlier, '.wal'), file(later, '.wal'));
    await refused(later, /belongs to another state of data\.duckdb/);
    rmSync(file(earlier));
    await refused(earlier, /^data\.duckdb is missing, but its log data\.duckdb\.wal is not/);
    writeFileSync(file(earlier), '');
    await refused(earlier, /^data\.duckdb is incomplete, but its log/);
  });

  it('is refused and left unchanged if its file is short but not the beginning of a new database', async () => {
    const checkpointed = newFolder();
    const database = await openRaw(checkpointed);
    for (const n of [1, 2]) {
      await database.insert(n);
      await database.checkpoint();
    }
    database.close();
    const truncated = readFileSync(file(checkpointed)).subarray(0, 8_192);
    for (const bytes of [Buffer.from('notes'), Buffer.alloc(5_000, 'text '), truncated]) {
      const data = newFolder();
      writeFileSync(file(data), bytes);
      await refused(data, /data\.duckdb/);
    }
  });

  it('is refused and left unchanged if a folder is in place of the log, but not if the log is empty', async () => {
    const data = copyOf(whole);
    rmSync(file(data, '.wal'));
    writeFileSync(file(data, '.wal'), '');
    assert.deepEqual(await numbersIn(data), [1]);
    mkdirSync(file(data, '.wal'));
    await assert.rejects(numbersIn(data), /^EngineError: data\.duckdb\.wal is not a file/);
  });

  it('is refused and left unchanged if the start of the database file is damaged', async () => {
    for (const at of [0, 9, 12, 54, 125, 2_000, 4_096, 4_110, 4_120, 8_192, 8_210]) {
      const data = copyOf(whole);
      const bytes = readFileSync(file(data));
      bytes[at]! ^= 0x10;
      writeFileSync(file(data), bytes);
      await refused(data, /^data\.duckdb is damaged: /);
    }
    const cut = copyOf(whole);
    writeFileSync(file(cut), readFileSync(file(cut)).subarray(0, 20_000));
    await refused(cut, /^data\.duckdb is damaged: /);
  });
});

it('the logs of a running process are left unchanged', async () => {
  const data = newFolder();
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { DuckDBInstance } from '@duckdb/node-api';
       const instance = await DuckDBInstance.create(':memory:');
       const [writer, checkpointer] = [await instance.connect(), await instance.connect()];
       await writer.run("ATTACH '${file(data)}' AS data (STORAGE_VERSION 'latest')");
       await writer.run('CREATE TABLE data.numbers (n BIGINT)');
       const reader = await instance.connect();
       await reader.run('BEGIN; FROM data.numbers');
       await writer.run('INSERT INTO data.numbers VALUES (1)');
       await writer.run('SET debug_checkpoint_sleep_ms = 60000');
       void checkpointer.run('CHECKPOINT data');
       await new Promise((resolve) => setTimeout(resolve, 200));
       await writer.run('INSERT INTO data.numbers VALUES (2)');
       console.log('ready');`,
    ],
    { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await once(child.stdout, 'data');
    const files = filesOf(data);
    assert.ok('data.duckdb.wal.checkpoint' in files);
    await assert.rejects(
      numbersIn(data),
      (error: unknown) => (error as EngineError).kind === 'locked',
    );
    assert.deepEqual(filesOf(data), files);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  assert.deepEqual(await numbersIn(data), [1, 2]);
});
