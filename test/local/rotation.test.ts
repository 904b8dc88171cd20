// Rotating a data folder's tokens: the previous ones are rejected afterwards, whether the
// deployment is running or not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TOKEN_FILES } from '../../local/src/token.ts';
import { readLock } from '../../loopback/src/lock.ts';
import { call, Processes, type Running, stop } from './processes.ts';

let processes: Processes;
before(async () => {
  processes = await Processes.create();
});
after(() => processes.dispose());

async function rotate(data: string, ...args: string[]): Promise<string> {
  const folder = join(processes.folder, data);
  const child = processes.launch('rotate-tokens', '--data', folder, ...args);
  let text = '';
  child.stderr!.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, text);
  return text;
}

async function createToken(running: Running): Promise<string> {
  const asked = JSON.stringify({ name: 'created', orgCapabilities: { datasets: ['read'] } });
  const { status, body } = await call(running, 'POST', '/v2/tokens', asked);
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
}

const statusOf = async (url: string, token: string) =>
  (await call({ url, token }, 'GET', '/v2/datasets')).status;

const kept = async (data: string) => {
  const [token, personalToken] = await Promise.all(
    [TOKEN_FILES.api, TOKEN_FILES.personal].map((name) =>
      readFile(join(processes.folder, data, name), 'utf8').then((text) => text.trim()),
    ),
  );
  return { token: token!, personalToken: personalToken! };
};

describe('token rotation', () => {
  it('restarts a running deployment at the same URL and invalidates the old tokens', async () => {
    const running = await processes.serve('running');
    const created = await createToken(running);
    const text = await rotate('running');
    assert.match(text, /were replaced\. .* Created tokens are still valid/);
    const { token, personalToken } = await kept('running');
    let lock = await readLock(join(processes.folder, 'running'));
    while (lock?.token !== token) lock = await readLock(join(processes.folder, 'running'));
    assert.equal(lock.url, running.url);
    // A kept-alive connection may break when the process is replaced.
    while ((await statusOf(running.url, token).catch(() => 503)) === 503);
    for (const [each, status] of [
      [token, 200],
      [personalToken, 200],
      [created, 200],
      [running.token, 401],
      [running.personalToken, 401],
    ] as const) {
      assert.equal(await statusOf(running.url, each), status);
    }
    assert.equal(await stop(running), 0);
  });

  it('also deletes the tokens created in a stopped deployment if --all is set', async () => {
    const first = await processes.start('stopped');
    const created = await createToken(first);
    await stop(first);
    assert.match(await rotate('stopped', '--all'), /1 created token was deleted/);
    const second = await processes.start('stopped');
    assert.notEqual(second.token, first.token);
    assert.notEqual(second.personalToken, first.personalToken);
    for (const [each, status] of [
      [second.token, 200],
      [first.token, 401],
      [first.personalToken, 401],
      [created, 401],
    ] as const) {
      assert.equal(await statusOf(second.url, each), status);
    }
    await stop(second);
  });
});
