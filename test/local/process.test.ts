// The process itself: start, lock, death and end, over real HTTP.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Holds } from '../../local/src/holds.ts';
import { LOCK_FILE } from '../../local/src/lock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

const children = new Set<ChildProcess>();
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-process-'));
  // As it ships: one file, which starts in a fraction of the time its sources take.
  await build({
    entryPoints: [join(root, 'local/src/main.ts')],
    outfile: join(folder, 'local.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['@duckdb/node-bindings-*'],
    logLevel: 'error',
  });
});
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function launch(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(folder, 'local.cjs'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function start(data: string, ...args: string[]): Promise<Running> {
  const child = launch('--data', join(folder, data), '--port', '0', ...args);
  let text = '';
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  for await (const chunk of child.stdout!) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  assert.match(text, /^\{"url":"http:\/\/127\.0\.0\.1:\d+","token":"xaat-[\w-]{43}"\}\n$/, errors);
  return { child, ...JSON.parse(text) };
}

async function call(
  { url, token }: { url: string; token: string },
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return { status: response.status, body: (await response.json()) as any };
}

async function count(running: Running, dataset: string): Promise<number> {
  const apl = JSON.stringify({ apl: `['${dataset}'] | count` });
  const { body } = await call(running, 'POST', '/v1/query/_apl?format=tabular', apl);
  return body.tables[0].columns[0][0];
}

async function fill(running: Running, dataset: string): Promise<void> {
  await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: dataset }));
  const lines = Array.from({ length: 1_000 }, (_, i) => `{"i":${i},"s":"x${i}"}`).join('\n');
  const path = `/v1/ingest/${dataset}`;
  const { body } = await call(running, 'POST', path, lines, 'application/x-ndjson');
  assert.equal(body.ingested, 1_000);
}

async function stop({ child }: Running): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

describe('the process', () => {
  it('is found by a second start, keeps a lock only its owner reads, and ends tidily', async () => {
    const first = await start('one');
    await fill(first, 'kept');
    const lock = join(folder, 'one', LOCK_FILE);
    if (process.platform !== 'win32') assert.equal(statSync(lock).mode & 0o777, 0o600);
    const { pid, url, token } = JSON.parse(await readFile(lock, 'utf8'));
    assert.deepEqual([pid, url, token], [first.child.pid, first.url, first.token]);
    const second = await start('one');
    assert.deepEqual([second.url, second.token], [first.url, first.token]);
    if (second.child.exitCode === null) await once(second.child, 'exit');
    assert.equal(second.child.exitCode, 0);
    assert.equal(await stop(first), 0);
    assert.equal(existsSync(lock), false);
    assert.equal(existsSync(join(folder, 'one', 'data.duckdb.wal')), false);
  });

  it('two starts at once on one folder give one address', async () => {
    const [a, b] = await Promise.all([start('two'), start('two')]);
    assert.equal(a.url, b.url);
    assert.equal(a.token, b.token);
    await Promise.all([stop(a), stop(b)].map((ended) => ended.catch(() => undefined)));
  });

  it('killed between requests, it has lost nothing when it starts again', async () => {
    const first = await start('killed');
    await fill(first, 'survivor');
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;
    // Its lock is still there, and a stranger may answer at that port by now.
    await writeFile(join(folder, 'killed', 'spool', 'left.part'), 'x');
    const second = await start('killed');
    assert.notEqual(second.token, first.token);
    assert.equal(await count(second, 'survivor'), 1_000);
    assert.equal(existsSync(join(folder, 'killed', 'spool', 'left.part')), false);
    await stop(second);
  });

  it('ends when told to, and when its input closes', async () => {
    const told = await start('told', '--end-when-idle');
    const held = await fetch(`${told.url}/_local/hold`, {
      headers: { authorization: `Bearer ${told.token}` },
    });
    assert.equal(held.status, 200);
    const exited = once(told.child, 'exit');
    assert.equal((await call(told, 'POST', '/_local/stop', '')).status, 200);
    assert.equal((await exited)[0], 0);
    await held.text();

    const piped = await start('piped', '--end-with-input');
    const ended = once(piped.child, 'exit');
    piped.child.stdin!.end();
    assert.equal((await ended)[0], 0);
  });

  it('wrong arguments end it with what is wrong and how to call it', async () => {
    for (const [args, message] of [
      [[], /--data is missing/],
      [['--data', 'x', '--port', '99999'], /--port must be/],
      [['--data', 'x', '--memory-limit', 'lots'], /--memory-limit must be/],
      [['--nonsense'], /nonsense/],
    ] as const) {
      const child = launch(...args);
      let text = '';
      child.stderr!.on('data', (chunk) => {
        text += chunk;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 2);
      assert.match(text, message);
      assert.match(text, /Usage: local --data DIR/);
    }
  });
});

describe('over HTTP', () => {
  let running: Running;
  before(async () => {
    running = await start('http');
    await fill(running, 'logs');
  });
  after(() => stop(running));

  const ask = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${running.url}/v2/user`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.on('error', reject).end();
    });

  it('a wrong token and a foreign host name are refused', async () => {
    const authorization = `Bearer ${running.token}`;
    assert.equal(await ask({ authorization }), 200);
    assert.equal(await ask({ authorization: 'Bearer wrong' }), 403);
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization, host: 'evil.example' }), 403);
  });

  it('a body over the limit is answered although it is still being sent', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request(
        `${running.url}/v1/ingest/logs`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${running.token}`,
            'content-type': 'application/x-ndjson',
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
        },
      );
      asked.on('error', reject);
      const chunk = Buffer.alloc(1_048_576, 0x20);
      const send = (left: number) => {
        if (left > 0 && !asked.destroyed) asked.write(chunk, () => send(left - 1));
      };
      send(200);
    });
    assert.equal(status, 413);
    assert.equal(await count(running, 'logs'), 1_000);
  });

  it('a client that leaves stops its query', async () => {
    const apl =
      "['logs'] | extend k = 1 | join kind=inner (['logs'] | extend k = 1) on k " +
      "| join kind=inner (['logs'] | extend k = 1) on k | summarize sum(i)";
    const asked = request(`${running.url}/v1/query/_apl?format=tabular`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    });
    asked.on('error', () => undefined);
    asked.end(JSON.stringify({ apl }));
    await sleep(300);
    asked.destroy();
    assert.equal(await count(running, 'logs'), 1_000);
  });

  it('twenty queries at once do not keep ingest waiting', async () => {
    const queries = Array.from({ length: 20 }, () => count(running, 'logs'));
    await fill(running, 'beside');
    assert.deepEqual(new Set(await Promise.all(queries)), new Set([1_000]));
  });
});

describe('holds', () => {
  it('end the process a while after the last one closes, and not before', async () => {
    let idle = 0;
    const holds = new Holds(50, () => {
      idle += 1;
    });
    holds.start();
    const first = holds.hold(new AbortController().signal);
    const abort = new AbortController();
    holds.hold(abort.signal);
    await sleep(120);
    await first.cancel();
    await sleep(120);
    assert.equal(idle, 0);
    abort.abort();
    const third = holds.hold(new AbortController().signal);
    await sleep(120);
    assert.equal(idle, 0);
    await third.cancel();
    await sleep(120);
    assert.equal(idle, 1);
  });
});
