/**
 * Restoring a backup makes its tokens valid again, revoked and planted ones included: `aplomb restore` says how many
 * there are, and `--without-tokens` leaves them out.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeArchive } from '../../local/src/backup/archive.ts';
import { MANIFEST_FILE } from '../../local/src/backup/backup.ts';
import { DATABASE_FILE } from '../../local/src/store/store.ts';
import { call, count, fill, Processes, type Running, stop } from '../local/processes.ts';

let processes: Processes;
let revoked: string;
before(async () => {
  processes = await Processes.create();
  const running = await processes.start('data');
  await fill(running, 'logs');
  revoked = await newToken(running, 'revoked later');
  await newToken(running, 'kept');
  assert.equal((await run('backup', 'logs.tar', 'data')).code, 0);
  const { body } = await call(running, 'GET', '/v2/tokens');
  const { id } = body.find(({ name }: { name: string }) => name === 'revoked later');
  const deleted = await fetch(`${running.url}/v2/tokens/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${running.token}` },
  });
  assert.ok(deleted.ok, String(deleted.status));
  assert.equal(await statusOf(running, revoked), 401);
  await stop(running);
});
after(() => processes.dispose());

const path = (name: string) => join(processes.folder, name);

async function run(command: string, file: string, data: string, ...more: string[]) {
  const child = processes.launch(command, path(file), '--data', path(data), ...more);
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout!.resume();
  const [code] = await once(child, 'close');
  return { code, err };
}

async function newToken(running: Running, name: string): Promise<string> {
  const capabilities = { name, datasetCapabilities: { logs: { query: ['read'] } } };
  const made = await call(running, 'POST', '/v2/tokens', JSON.stringify(capabilities));
  assert.ok(made.status < 300, JSON.stringify(made.body));
  return made.body.token;
}

/** The status of a query with a token. */
async function statusOf({ url }: Running, token: string): Promise<number> {
  const body = JSON.stringify({ apl: 'logs | count' });
  const path = '/v1/query/_apl?format=tabular';
  return (await call({ url, token }, 'POST', path, body)).status;
}

describe('aplomb restore', () => {
  it('reports how many tokens become valid again and how to omit them', async () => {
    const { code, err } = await run('restore', 'logs.tar', 'with');
    assert.equal(code, 0, err);
    assert.match(
      err,
      /2 API tokens were restored, including any that were revoked after the backup\. .*--without-tokens\./,
    );
    const running = await processes.start('with');
    assert.equal(await statusOf(running, revoked), 200);
    await stop(running);
  });

  it('omits only the tokens with --without-tokens', async () => {
    const { code, err } = await run('restore', 'logs.tar', 'without', '--without-tokens');
    assert.equal(code, 0, err);
    assert.match(err, /2 API tokens in the backup were not restored\./);
    const running = await processes.start('without');
    assert.equal(await statusOf(running, revoked), 401);
    assert.deepEqual((await call(running, 'GET', '/v2/tokens')).body, []);
    assert.equal(await count(running, 'logs'), 1_000);
    await stop(running);
  });

  it('reports that a backup contains no tokens', async () => {
    assert.equal((await run('backup', 'none.tar', 'without')).code, 0);
    const { code, err } = await run('restore', 'none.tar', 'none');
    assert.equal(code, 0, err);
    assert.match(err, /The backup contains no API tokens\./);
  });
});

/**
 * Ways to have a deployment find a token in its resources where a search by name and kind finds none: the table, its
 * first column, and a statement that follows.
 */
const hidden: Readonly<Record<string, readonly [table: string, kind: string, after?: string]>> = {
  'a table in another case': ['"APLOMB"."Resources"', 'kind VARCHAR'],
  'a column that is computed when it is read': [
    'aplomb.resources',
    "kind VARCHAR GENERATED ALWAYS AS (CASE WHEN current_setting('lock_configuration')::VARCHAR = 'late' THEN 'token' END)",
  ],
  'a view in place of the table': [
    'aplomb.others',
    'kind VARCHAR',
    'CREATE VIEW aplomb.resources AS SELECT kind, id, document, 1 AS rowid FROM aplomb.others',
  ],
};

/** Writes a backup as somebody else may make it. */
async function forge(
  file: string,
  [table, kind, more = '']: readonly [string, string, string?],
): Promise<void> {
  const database = `${path(file)}.duckdb`;
  rmSync(database, { force: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${database}' AS data (STORAGE_VERSION 'latest')`);
  const [schema, name] = table.replaceAll('"', '').split('.') as [string, string];
  await connection.run(
    `USE data; CREATE SCHEMA "${schema}"; CREATE TABLE ${table} (${kind}, id VARCHAR, document VARCHAR)`,
  );
  const isComputed = kind.includes('GENERATED');
  await connection.run(`INSERT INTO ${table} VALUES (${isComputed ? '' : "'token', "}'t', '{}')`);
  if (more !== '') await connection.run(more);
  await connection.run('CHECKPOINT data');
  connection.closeSync();
  instance.closeSync();
  const manifest = {
    format: 1,
    created: '2026-01-01T00:00:00Z',
    tables: [{ schema, name, rows: 1 }],
  };
  const members = [
    [MANIFEST_FILE, Buffer.from(JSON.stringify(manifest))],
    [DATABASE_FILE, readFileSync(database)],
  ] as const;
  const parts = writeArchive(
    members.map(([member, content]) => ({ name: member, bytes: content.length, content })),
  );
  const written: Uint8Array[] = [];
  for await (const part of parts) written.push(part);
  writeFileSync(path(file), Buffer.concat(written));
}

describe('a foreign backup that hides tokens', () => {
  for (const [way, table] of Object.entries(hidden)) {
    for (const more of [[], ['--without-tokens']]) {
      it(`is refused: ${[way, ...more].join(', ')}`, async () => {
        await forge('forged.tar', table);
        const { code, err } = await run('restore', 'forged.tar', 'forged', ...more);
        assert.notEqual(code, 0);
        assert.match(err, /was not made by a deployment, and may hide API tokens\./);
        assert.ok(!existsSync(path('forged')));
      });
    }
  }
});
