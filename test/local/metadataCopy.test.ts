// The copy of the metadata blocks: it restores a database file, unless it doesn't belong to the
// file.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { Checkpoints } from '../../local/src/engines/duckdb/database/checkpoints.ts';
import { Engine } from '../../local/src/engines/duckdb/database/engine.ts';
import { HEADERS_BYTES, parseHeaders } from '../../local/src/engines/duckdb/database/logFormat.ts';
import {
  METADATA_COPY,
  MetadataCopy,
  restoreMetadata,
} from '../../local/src/engines/duckdb/database/metadataCopy.ts';

let folder: string;
let count = 0;
/** A database after each of two checkpoints, with the copy of its metadata. */
const states: { readonly database: Buffer; readonly copy: Buffer }[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-metadata-'));
  const file = join(folder, 'made.duckdb');
  for (const value of [1, 2]) {
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE IF NOT EXISTS numbers (n BIGINT)');
    await connection.run(`INSERT INTO numbers VALUES (${value})`);
    await connection.run('CHECKPOINT');
    const metadata = new MetadataCopy(file);
    await metadata.save(async () => [0]);
    connection.closeSync();
    instance.closeSync();
    await metadata.close(false);
    states.push({ database: readFileSync(file), copy: readFileSync(file + METADATA_COPY) });
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** Offsets in the copy, which starts with a hash of 32 bytes. */
const STATE_AT = 40;
const BLOCK_BYTES_AT = 64;
const COUNT_AT = 68;
const INDEX_AT = 72;

/** Overwrites an unused part of the block, like a torn write of a checkpoint. */
function tear(database: Buffer): Buffer {
  const torn = Buffer.from(database);
  torn.write('torn', HEADERS_BYTES + 200_000);
  return torn;
}

function changed(copy: Buffer, change: (copy: Buffer) => void): Buffer {
  const result = Buffer.from(copy);
  change(result);
  return result;
}

/** Recomputes the hash of a copy, so it is valid. */
function hashed(copy: Buffer): Buffer {
  createHash('sha256').update(copy.subarray(32)).digest().copy(copy);
  return copy;
}

/** Restores a database file next to a copy. Returns the file's content afterwards. */
async function restored(database: Buffer, copy: Buffer | undefined): Promise<Buffer> {
  count += 1;
  const file = join(folder, `${count}.duckdb`);
  writeFileSync(file, database);
  if (copy !== undefined) writeFileSync(file + METADATA_COPY, copy);
  await restoreMetadata(file, async () => undefined);
  return readFileSync(file);
}

describe('the copy of the metadata', () => {
  it('restores a torn block, so that DuckDB can open the file', async () => {
    const { database, copy } = states[1]!;
    const torn = tear(database);
    const file = join(folder, 'torn.duckdb');
    writeFileSync(file, torn);
    await assert.rejects(DuckDBInstance.create(file), /Corrupt database file/);
    const whole = await restored(torn, copy);
    assert.ok(whole.equals(database));
    writeFileSync(file, whole);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    const rows = await (await connection.run('SELECT n FROM numbers ORDER BY n')).getRows();
    assert.deepEqual(rows, [[1n], [2n]]);
    connection.closeSync();
    instance.closeSync();
  });

  it('restores a block with a wrong checksum', async () => {
    const { database, copy } = states[1]!;
    const torn = Buffer.from(database).fill(1, HEADERS_BYTES, HEADERS_BYTES + 8);
    assert.ok((await restored(torn, copy)).equals(database));
  });

  it('leaves an intact block unchanged', async () => {
    const { database, copy } = states[1]!;
    // Intact blocks of an unfinished checkpoint differ from the copy too.
    const other = hashed(changed(copy, (bytes) => bytes.fill(9, 100_000, 101_000)));
    assert.ok((await restored(database, other)).equals(database));
  });

  const ignored: Record<string, (copy: Buffer) => Buffer | undefined> = {
    'is absent': () => undefined,
    'is empty': () => Buffer.alloc(0),
    'is all zeros': (copy) => Buffer.alloc(copy.length),
    'ends in its head': (copy) => copy.subarray(0, 70),
    'ends in its index': (copy) => copy.subarray(0, INDEX_AT + 3),
    'ends in a block': (copy) => copy.subarray(0, -1),
    'is too long': (copy) => Buffer.concat([copy, Buffer.alloc(1)]),
    'has the head of another write': (copy) => changed(copy, (bytes) => bytes.fill(0, 0, 32)),
    'has a page of another write': (copy) => changed(copy, (bytes) => bytes.fill(0, 8_192, 12_288)),
    'is of another checkpoint': () => states[0]!.copy,
    'is of another database': (copy) => hashed(changed(copy, (bytes) => bytes.fill(1, 40, 56))),
    'has another format': (copy) => hashed(changed(copy, (bytes) => bytes.write('2', 39))),
    'has more blocks than bytes': (copy) =>
      hashed(changed(copy, (bytes) => bytes.writeUInt32LE(0xffff_ffff, COUNT_AT))),
    'has no blocks': (copy) =>
      hashed(changed(copy.subarray(0, INDEX_AT), (bytes) => bytes.writeUInt32LE(0, COUNT_AT))),
    'has blocks of another size': (copy) =>
      hashed(changed(copy, (bytes) => bytes.writeUInt32LE(0xffff_ffff, BLOCK_BYTES_AT))),
    'has a block after the end of the database': (copy) =>
      hashed(changed(copy, (bytes) => bytes.writeBigUInt64LE(1_000n, INDEX_AT))),
    'has a block at no possible place': (copy) =>
      hashed(changed(copy, (bytes) => bytes.writeBigUInt64LE(2n ** 64n - 1n, INDEX_AT))),
  };
  for (const [name, made] of Object.entries(ignored)) {
    it(`is ignored when it ${name}`, async () => {
      const { database, copy } = states[1]!;
      const torn = tear(database);
      assert.ok((await restored(torn, made(copy))).equals(torn));
    });
  }

  it('is ignored when it is a folder', async () => {
    const file = join(folder, 'next.duckdb');
    const torn = tear(states[1]!.database);
    writeFileSync(file, torn);
    mkdirSync(file + METADATA_COPY);
    await restoreMetadata(file, async () => undefined);
    assert.ok(readFileSync(file).equals(torn));
  });

  it("is ignored when the database's headers are damaged", async () => {
    const { database, copy } = states[1]!;
    const torn = tear(database).fill(0, 4_096, 8_192);
    assert.ok((await restored(torn, copy)).equals(torn));
  });

  it('begins with the state in the header of the copied database', () => {
    for (const { database, copy } of states) {
      const { state } = parseHeaders(database.subarray(0, HEADERS_BYTES))!;
      assert.ok(copy.subarray(STATE_AT, STATE_AT + 24).equals(state));
    }
  });

  it('restores nothing while another process has the database open', async () => {
    const file = join(folder, 'open.duckdb');
    const torn = tear(states[1]!.database);
    writeFileSync(file, torn);
    writeFileSync(file + METADATA_COPY, states[1]!.copy);
    const refused = restoreMetadata(file, () => Promise.reject(new Error('open')));
    await assert.rejects(refused, /^Error: open$/);
    assert.ok(readFileSync(file).equals(torn));
  });
});

describe('the engine', () => {
  const options = (data: string) =>
    Promise.resolve({
      file: join(data, 'data.duckdb'),
      spool: data,
      temporary: join(data, 'temporary'),
      memoryLimit: '1GB',
    });

  async function opened(data: string): Promise<Engine> {
    mkdirSync(data, { recursive: true });
    return Engine.open(options(data));
  }

  const insert = (engine: Engine) =>
    engine.use((session) =>
      session.transaction(() => session.run('INSERT INTO numbers VALUES (1)')),
    );

  const numbers = (engine: Engine) =>
    engine.use(async (session) => {
      const [row] = await session.rows<[bigint]>('SELECT count(*) FROM numbers');
      return Number(row![0]);
    });

  const create = (engine: Engine) =>
    engine.use((session) =>
      session.transaction(() => session.run('CREATE TABLE numbers (n BIGINT)')),
    );

  it('copies the metadata before each checkpoint and deletes the copy when it closes', async () => {
    const data = join(folder, 'engine');
    const engine = await opened(data);
    const copy = join(data, `data.duckdb${METADATA_COPY}`);
    await create(engine);
    await engine.checkpointNow();
    const { state } = parseHeaders(readFileSync(join(data, 'data.duckdb')))!;
    await insert(engine);
    await engine.checkpointNow();
    assert.ok(
      readFileSync(copy)
        .subarray(STATE_AT, STATE_AT + 24)
        .equals(state),
    );
    await engine.close();
    assert.equal(existsSync(copy), false);
  });

  it('opens a database after a torn checkpoint', async () => {
    const data = join(folder, 'torn');
    const engine = await opened(data);
    await create(engine);
    await engine.checkpointNow();
    const before = readFileSync(join(data, 'data.duckdb'));
    await insert(engine);
    const log = readFileSync(join(data, 'data.duckdb.wal'));
    await engine.checkpointNow();
    const left = join(folder, 'left');
    cpSync(data, left, { recursive: true });
    await engine.close();
    // Restores the log and database from before the checkpoint, except for one page.
    writeFileSync(join(left, 'data.duckdb'), tear(before));
    writeFileSync(join(left, 'data.duckdb.wal'), log);
    const again = await opened(left);
    assert.equal(await numbers(again), 1);
    await again.close();
  });

  it('writes a checkpoint after the commit that makes the log too long', async () => {
    const data = join(folder, 'long');
    const engine = await opened(data);
    await create(engine);
    await insert(engine);
    const log = join(data, 'data.duckdb.wal');
    assert.equal(existsSync(log), true);
    const longText = "CREATE TABLE long AS SELECT repeat('long', 16_800_000) AS text";
    await engine.use((session) => session.transaction(() => session.run(longText)));
    assert.equal(existsSync(log), false);
    await insert(engine);
    assert.equal(existsSync(log), true);
    assert.equal(await numbers(engine), 2);
    await engine.close();
  });

  it('writes a checkpoint after 1,000 commits', async () => {
    let checkpointCount = 0;
    const checkpoints = new Checkpoints(join(folder, 'absent.duckdb'), async () => {
      checkpointCount += 1;
    });
    for (let i = 1; i < 1_000; i += 1) await checkpoints.countCommit();
    assert.equal(checkpointCount, 0);
    await checkpoints.countCommit();
    assert.equal(checkpointCount, 1);
  });

  it("keeps the log if the metadata can't be copied before a checkpoint, and loses nothing", async () => {
    const data = join(folder, 'refused');
    const engine = await opened(data);
    await create(engine);
    mkdirSync(join(data, `data.duckdb${METADATA_COPY}`));
    await insert(engine);
    await engine.checkpointNow();
    assert.equal(await numbers(engine), 1);
    await assert.rejects(engine.close(), /EISDIR/);
    assert.equal(existsSync(join(data, 'data.duckdb.wal')), true);
    rmSync(join(data, `data.duckdb${METADATA_COPY}`), { recursive: true });
    const again = await opened(data);
    assert.equal(await numbers(again), 1);
    await again.close();
  });
});
