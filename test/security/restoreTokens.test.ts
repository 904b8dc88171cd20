/**
 * Restoring a backup makes its tokens valid again, revoked and planted ones included: `aplomb restore` says how many
 * there are, and `--without-tokens` leaves them out.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
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
  it('says how many tokens become valid again, and how to leave them out', async () => {
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

  it('leaves the tokens out with --without-tokens, and nothing else', async () => {
    const { code, err } = await run('restore', 'logs.tar', 'without', '--without-tokens');
    assert.equal(code, 0, err);
    assert.match(err, /2 API tokens in the backup were not restored\./);
    const running = await processes.start('without');
    assert.equal(await statusOf(running, revoked), 401);
    assert.deepEqual((await call(running, 'GET', '/v2/tokens')).body, []);
    assert.equal(await count(running, 'logs'), 1_000);
    await stop(running);
  });

  it('says that a backup contains no tokens', async () => {
    assert.equal((await run('backup', 'none.tar', 'without')).code, 0);
    const { code, err } = await run('restore', 'none.tar', 'none');
    assert.equal(code, 0, err);
    assert.match(err, /The backup contains no API tokens\./);
  });
});
