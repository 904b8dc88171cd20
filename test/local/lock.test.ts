// Finding the process that serves a data folder: a restarting process doesn't respond for a moment
// but must not be taken for ended, because another start would then take over its data.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findServing, writeLock } from '../../local/src/lock.ts';
import { healthResponse } from '../../loopback/src/health.ts';
import type { Lock } from '../../loopback/src/lock.ts';
import { assertMode } from '../platform.ts';

const TOKEN = `xaat-${'t'.repeat(43)}`;

describe('the process that serves a data folder', () => {
  let folder: string;
  // Stands in for the deployment process in the lock. It only runs.
  const deployment = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
  const pid = deployment.pid!;
  let server: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aplomb-lock-'));
  });
  afterEach(() => server.close());
  after(async () => {
    deployment.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** Starts a server that uses these handlers in turn, then responds like an open deployment. */
  async function serve(answers: readonly ((response: ServerResponse) => void)[], port = 0) {
    let asked = 0;
    server = createServer((request, response) => {
      const answer = answers[asked++];
      if (answer !== undefined) return answer(response);
      const url = new URL(`http://127.0.0.1${request.url}`);
      const { localPort, remoteAddress, remotePort } = request.socket;
      const ends = { port: localPort!, client: `${remoteAddress}:${remotePort}` };
      const nonce = url.searchParams.get('nonce') ?? '';
      response.setHeader('connection', 'keep-alive');
      const health = JSON.stringify(healthResponse(TOKEN, ends, nonce, pid, 'open'));
      response.setHeader('content-length', health.length).end(health);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function locked(port: number, by = pid): Promise<Lock> {
    const lock = { pid: by, port, url: `http://127.0.0.1:${port}`, token: TOKEN };
    await writeLock(folder, lock);
    return lock;
  }

  it('is found even if the first connections are dropped', async () => {
    const lock = await locked(
      await serve(Array(3).fill((response: ServerResponse) => response.destroy())),
    );
    assert.deepEqual(await findServing(folder), lock);
  });

  it('is recorded in a file readable only by its owner, even if a publicly readable temporary file remains', async () => {
    // The name of a draft in earlier versions.
    const draft = join(folder, `deployment.json.${pid}`);
    await writeFile(draft, '');
    await chmod(draft, 0o666);
    await locked(1);
    assertMode(join(folder, 'deployment.json'), 0o600);
    await rm(draft, { force: true });
    assert.deepEqual(await readdir(folder), ['deployment.json']);
  });

  it('is found even if it starts listening only after the search began', async () => {
    const port = await serve([]);
    server.close();
    const lock = await locked(port);
    const found = findServing(folder);
    await sleep(300);
    await serve([], port);
    assert.deepEqual(await found, lock);
  });

  it('is not waited for after it exited', async () => {
    const port = await serve([]);
    server.close();
    const ended = spawn(process.execPath, ['--version']);
    await once(ended, 'exit');
    await locked(port, ended.pid);
    const since = performance.now();
    assert.equal(await findServing(folder), undefined);
    assert.ok(performance.now() - since < 1_500);
  });

  it('is never the current process, even if the lock contains the current process id', async () => {
    const port = await serve([]);
    server.close();
    await locked(port, process.pid);
    assert.equal(await findServing(folder), undefined);
  });

  for (const [what, body] of [
    ['no JSON', '<html>'],
    ['JSON that is no object', 'null'],
    ['a proof for another token', JSON.stringify({ pid, state: 'open', proof: 'x'.repeat(43) })],
  ]) {
    it(`is not confused with a server that responds with ${what}`, async () => {
      await locked(await serve([(response) => response.end(body)]));
      assert.equal(await findServing(folder), undefined);
    });
  }
});
