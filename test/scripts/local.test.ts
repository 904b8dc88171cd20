// `npm run local`, as another program uses it: one line to read, an address that answers, a signal to end it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { repository } from '../../scripts/host/paths.ts';
import { needs } from '../platform.ts';

it('npm run local prints one JSON line once it is ready, and exits on a signal', {
  skip: needs.signals,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), 'aplomb-local-'));
  const child = spawn('npm', ['run', 'local', '--', '--data', data, '--port', '0'], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const end = text(child.stdout);
    const json = () => out.split('\n').filter((line) => line.startsWith('{'));
    while (json().length === 0 || !out.endsWith('\n')) await once(child.stdout, 'data');
    const { url, token } = JSON.parse(json()[0] ?? '');
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const ask = (bearer: string) =>
      fetch(`${url}/v2/datasets`, { headers: { authorization: `Bearer ${bearer}` } });
    assert.deepEqual(await (await ask(token)).json(), []);
    assert.equal((await ask(`${token}x`)).status, 401);
    child.kill('SIGTERM');
    await end;
    assert.equal(json().length, 1);
    await assert.rejects(ask(token));
  } finally {
    child.kill('SIGTERM');
    await rm(data, { recursive: true, force: true });
  }
});
