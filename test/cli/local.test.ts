/** Runs `aplomb serve` and the commands on its data through the built command. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { needs } from '../platform.ts';
import { Folder } from './run.ts';

const bundle = join(import.meta.dirname, '../../dist/cli.cjs');
const children = new Set<ChildProcess>();

let folder: Folder;
before(() => {
  folder = new Folder();
});
after(() => {
  for (const child of children) child.kill('SIGKILL');
  folder.remove();
});

/** Starts a deployment with `aplomb serve` in the test folder. */
async function serve(data: string) {
  const args = [bundle, 'serve', '--data', data];
  const child = spawn(process.execPath, args, { cwd: folder.path, stdio: 'pipe' });
  children.add(child);
  const [line] = await once(child.stdout, 'data');
  const { url, token } = JSON.parse(String(line)) as Record<'url' | 'token', string>;
  const send = async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(url + path, { method, headers, ...(body && { body }) });
    assert.ok(answer.ok, await answer.clone().text());
    return answer;
  };
  const end = async () => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    children.delete(child);
    return (await exit)[0];
  };
  return { child, send, end };
}

describe('aplomb serve', () => {
  it('restarts in place, and its data can be backed up, restored and exported', {
    skip: needs.signals,
  }, async () => {
    const { child, send, end } = await serve('data');
    await send('POST', '/v2/datasets', '{"name":"logs"}');
    await send('POST', '/v1/ingest/logs', '{"a":1}\n{"a":2}', 'application/x-ndjson');
    const first = (await (await send('GET', '/_local/health')).json()) as { pid: number };
    await send('POST', '/_local/restart');
    for (;;) {
      const health = await send('GET', '/_local/health').catch(() => undefined);
      const { state, pid } = ((await health?.json()) ?? {}) as { state?: string; pid?: number };
      if (state === 'open' && pid !== first.pid) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // The command keeps running although another process serves now.
    assert.equal(child.exitCode ?? child.signalCode, null);
    const saved = await folder.run(['backup', 'a.tar', '--data', 'data']);
    assert.equal(saved.status, 0, saved.err);
    assert.match(saved.err, /^a\.tar: \d+\.\d MB\. To restore it, run aplomb restore a\.tar /);
    assert.equal(await end(), 0);
    const restored = await folder.run(['restore', 'a.tar', '--data', 'other']);
    assert.equal(restored.status, 0, restored.err);
    assert.match(restored.err, /^other: 2 events in 1 dataset, as of /);
    const query = ['--query', '| project a | sort by a asc'];
    const read = ['export', 'logs', '--data', 'other', '--format', 'ndjson', ...query];
    const exported = await folder.run(read);
    assert.deepEqual(exported, { status: 0, out: '{"a":1}\n{"a":2}\n', err: '' });
  });

  it('rejects invalid options with a message that states the problem', async () => {
    for (const [args, message] of [
      [['serve'], '--data is missing. Specify the folder for the data.'],
      [['serve', '--prot', '1'], "Unknown option '--prot'. Did you mean '--port'?"],
      [
        ['serve', '--data', 'x', '--port', 'a'],
        "--port must be an integer from 0 to 65535, but is 'a'.",
      ],
      [
        ['serve', '--data', 'x', '--query-timeout', '5m'],
        "--query-timeout must be a whole number of seconds from 1 to 999999, but is '5m'.",
      ],
      [['serve', '--data'], '--data requires a value.'],
      [['serve', 'data'], "'data' is not an option. Options start with --."],
      [['serve', '--data', 'x', '--end-when-idle=1'], '--end-when-idle does not take a value.'],
      [['backup', '--data', 'x'], 'FILE is missing. Specify the file to write.'],
      [['restore', 'a.tar'], '--data is missing. Specify a new or empty folder.'],
      [['backup', 'a', 'b', '--data', 'x'], "There is more than FILE: 'b'."],
    ] as const) {
      const { status, out, err } = await folder.run(args);
      assert.deepEqual([status, out], [2, '']);
      assert.equal(err, `aplomb: ${message}\nRun aplomb ${args[0]} --help for usage.\n`);
    }
  });
});
