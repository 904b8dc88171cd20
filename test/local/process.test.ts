// The deployment process over HTTP: start, lock, crash and stop.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Holds } from '../../local/src/holds.ts';
import { findServing } from '../../local/src/lock.ts';
import { loadTokens, TOKEN_FILES } from '../../local/src/token.ts';
import { LOCK_FILE, readLock } from '../../loopback/src/lock.ts';
import { isRunning } from '../../system/src/running.ts';
import { assertMode, needs } from '../platform.ts';
import { call, count, fill, Processes, type Running, stop } from './processes.ts';

let processes: Processes;
let folder: string;
before(async () => {
  processes = await Processes.create();
  folder = processes.folder;
});
after(() => processes.dispose());

const launch = (...args: string[]) => processes.launch(...args);
const start = (data: string, ...args: string[]) => processes.start(data, ...args);

describe('the process', () => {
  it('prints the required Node.js version if started with an older version', async () => {
    const older = join(folder, 'older.cjs');
    const versions = "{ value: { ...process.versions, node: '20.20.2' } }";
    await writeFile(older, `Object.defineProperty(process, 'versions', ${versions});`);
    const program = join(folder, 'local.cjs');
    const child = spawn(process.execPath, ['--require', older, program, '--help']);
    const [errors, output] = [text(child.stderr), text(child.stdout)];
    assert.equal((await once(child, 'close'))[0], 1);
    assert.equal(
      await errors,
      'The local deployment requires Node 22.19 or later. This is 20.20.2.\n',
    );
    assert.equal(await output, '');
  });

  it('makes its data folder private, even if an older version created the folder', {
    skip: needs.modes,
  }, async () => {
    const data = join(folder, 'private');
    const modes = async () => {
      const names = await readdir(data, { recursive: true });
      const paths = ['.', ...names].map((name) => join(data, name));
      return paths.map((path) => statSync(path)).map((of) => [of.isDirectory(), of.mode & 0o777]);
    };
    const allPrivate = (found: Awaited<ReturnType<typeof modes>>) =>
      found.every(([isFolder, mode]) => mode === (isFolder ? 0o700 : 0o600));
    const first = await start('private');
    await fill(first, 'secrets');
    const made = await modes();
    assert.ok(made.length > 5 && allPrivate(made), JSON.stringify(made));
    await stop(first);
    await chmod(data, 0o755);
    for (const name of await readdir(data)) await chmod(join(data, name), 0o755);
    const other = join(data, 'script.sh');
    await writeFile(other, '', { mode: 0o755 });
    const second = await start('private');
    assert.equal(statSync(other).mode & 0o777, 0o755);
    await rm(other);
    assert.ok(allPrivate(await modes()), JSON.stringify(await modes()));
    await stop(second);
  });

  it('is found by a second start, has a private lock, and stops cleanly', async () => {
    const first = await start('one');
    await fill(first, 'kept');
    const lock = join(folder, 'one', LOCK_FILE);
    assertMode(lock, 0o600);
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

  it('is shared by two concurrent starts with the same folder, which report the same URL and token', async () => {
    const [a, b] = await Promise.all([start('two'), start('two')]);
    assert.equal(a.url, b.url);
    assert.equal(a.token, b.token);
    await Promise.all([stop(a), stop(b)].map((ended) => ended.catch(() => undefined)));
  });

  it('loses nothing when killed between requests and restarted', async () => {
    const first = await start('killed');
    await fill(first, 'survivor');
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;
    // The killed process's lock still exists, and another program may use that port now.
    await writeFile(join(folder, 'killed', 'spool', 'left.part'), 'x');
    const second = await start('killed');
    assert.equal(second.token, first.token);
    assert.equal(await count(second, 'survivor'), 1_000);
    assert.equal(existsSync(join(folder, 'killed', 'spool', 'left.part')), false);
    await stop(second);
  });

  it('stops on request or when its standard input closes', async () => {
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

  it('exits on invalid arguments with the problem and usage help', async () => {
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
      assert.match(text, /Run aplomb serve --help/);
    }
  });

  it('prints its usage for --help', async () => {
    const child = launch('--help');
    let text = '';
    child.stdout!.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    assert.match(text, /Usage: aplomb serve --data FOLDER[\s\S]*--query-timeout SECONDS/);
  });
});

describe('a data folder', () => {
  async function refused(...args: string[]): Promise<string> {
    const child = launch(...args);
    let text = '';
    child.stderr!.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 1, text);
    assert.equal(text.trim().split('\n').length, 1, text);
    return text;
  }

  it("is refused immediately with a message if it can't be created", {
    skip: needs.devices,
  }, async () => {
    await writeFile(join(folder, 'file'), 'x');
    await symlink(join(folder, 'nowhere', 'x'), join(folder, 'dangling'));
    await symlink(join(folder, 'circle'), join(folder, 'circle'));
    for (const [data, problem] of [
      ['file', /is not a folder/],
      ['file/below', /part of the path is a file|is not a folder/],
      ['dangling', /leads nowhere/],
      ['circle', /symbolic links are circular/],
      ['x'.repeat(300), /the path is too long/],
      ...(process.platform === 'linux'
        ? ([
            ['/proc/x', /does not allow folders there/],
            ['/proc/self/x/y', /does not allow folders there/],
          ] as const)
        : []),
    ] as const) {
      const path = isAbsolute(data) ? data : join(folder, data);
      assert.match(await refused('--data', path), problem);
    }
  });

  it('keeps its private token of each kind across restarts', async () => {
    const first = await start('token');
    await stop(first);
    assert.match(first.token, /^xaat-/);
    assert.match(first.personalToken, /^xapt-/);
    for (const [name, token] of [
      [TOKEN_FILES.api, first.token],
      [TOKEN_FILES.personal, first.personalToken],
    ] as const) {
      const file = join(folder, 'token', name);
      assert.equal((await readFile(file, 'utf8')).trim(), token);
      assertMode(file, 0o600);
    }
    await writeFile(join(folder, 'token', TOKEN_FILES.api), 'damaged');
    const second = await start('token');
    assert.notEqual(second.token, first.token);
    assert.equal(second.personalToken, first.personalToken);
    await stop(second);
  });

  it('gets only one token of each kind from concurrent starts, and reports a folder in place of a token file', async () => {
    const data = join(folder, 'tokens');
    await mkdir(data);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => loadTokens(data)));
    const kept = (name: string) => readFile(join(data, name), 'utf8').then((text) => text.trim());
    const [token, personalToken] = [await kept(TOKEN_FILES.api), await kept(TOKEN_FILES.personal)];
    for (const each of tokens) assert.deepEqual(each, { token, personalToken });
    assert.deepEqual(
      (await readdir(data)).toSorted(),
      [TOKEN_FILES.api, TOKEN_FILES.personal].toSorted(),
    );
    for (const name of [TOKEN_FILES.api, TOKEN_FILES.personal, LOCK_FILE]) {
      const path = join(folder, `folder-${name}`);
      await mkdir(join(path, name), { recursive: true });
      const child = launch('--data', path);
      let text = '';
      child.stderr!.on('data', (chunk) => {
        text += chunk;
      });
      assert.equal((await once(child, 'close'))[0], 1);
      assert.match(
        // On a loaded machine, a slow start first prints a progress message.
        text.replace(/^\S+ Opening the data in .*\n/, ''),
        new RegExp(`^\\S+ ${join(path, name)} cannot be (read|written): it is a folder\\.\n$`),
      );
    }
  });

  it('is opened without sending a token if its lock names an unrelated server', async () => {
    const seen: string[] = [];
    const stranger = createServer((asked, response) => {
      seen.push(JSON.stringify(asked.headers) + asked.url);
      response.end(JSON.stringify({ pid: process.pid, state: 'open', proof: 'x'.repeat(43) }));
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    await mkdir(join(folder, 'stranger'));
    const token = `xaat-${'s'.repeat(43)}`;
    await writeFile(join(folder, 'stranger', TOKEN_FILES.api), token);
    const lock = { pid: process.pid, port, url: `http://127.0.0.1:${port}`, token };
    await writeFile(join(folder, 'stranger', LOCK_FILE), JSON.stringify(lock));
    const running = await start('stranger');
    assert.notEqual(running.url, lock.url);
    assert.equal(seen.length, 1);
    assert.ok(!seen[0]!.includes(token));
    await stop(running);
    stranger.close();
  });

  it('is still found by the next start if its lock was deleted while in use', async () => {
    const first = await start('unlocked');
    await rm(join(folder, 'unlocked', LOCK_FILE));
    const began = performance.now();
    const second = await start('unlocked');
    assert.deepEqual([second.url, second.token], [first.url, first.token]);
    assert.ok(performance.now() - began < 8_000);
    await stop(first);
  });

  it('is refused with a message if the port is in use', async () => {
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const text = await refused('--data', join(folder, 'port'), '--port', String(port));
    assert.match(text, new RegExp(`Another program uses port ${port}. Choose another one`));
    stranger.close();
  });
});

describe('a restart in place', () => {
  it('keeps URL, token, data and terminal process, and returns 503 with Retry-After meanwhile', async () => {
    const running = await processes.serve('restarted');
    const first = await readLock(join(folder, 'restarted'));
    await fill(running, 'kept');
    const long = call(
      running,
      'POST',
      '/v1/query/_apl?format=tabular',
      JSON.stringify({
        apl: "['kept'] | extend k = 1 | join kind=inner (['kept'] | extend k = 1) on k | join kind=inner (['kept'] | extend k = 1) on k | summarize sum(i)",
        startTime: '2000-01-01T00:00:00Z',
      }),
    );
    await sleep(200);
    const held = fetch(`${running.url}/_local/hold`, {
      headers: { authorization: `Bearer ${running.token}` },
    });
    assert.equal((await held).status, 200);
    assert.equal((await call(running, 'POST', '/_local/restart', '')).status, 200);
    // This start waits for the end of the restart instead of opening the data itself.
    const second = start('restarted');
    const statuses: number[] = [];
    let refused = 0;
    const deadline = performance.now() + 30_000;
    for (let back = false; !back; ) {
      assert.ok(
        performance.now() < deadline,
        `no restart was seen, only ${[...new Set(statuses)]}`,
      );
      await sleep(5);
      try {
        const response = await fetch(`${running.url}/v2/orgs`, {
          headers: { authorization: `Bearer ${running.token}` },
        });
        await response.text();
        statuses.push(response.status);
        if (response.status === 503) assert.match(response.headers.get('retry-after')!, /^\d+$/);
        back = response.status === 200 && statuses.includes(503);
      } catch (error) {
        const { cause } = error as { cause?: { code?: string } };
        if (cause?.code === 'ECONNREFUSED') refused += 1;
      }
    }
    assert.deepEqual(new Set(statuses.filter((status) => status !== 200)), new Set([503]));
    assert.equal(refused, 0);
    const { status, body } = await long;
    assert.equal(status, 503);
    assert.equal(body.reason, 'restarting');
    assert.equal(running.child.exitCode, null);
    assert.equal((await second).url, running.url);
    assert.notEqual((await readLock(join(folder, 'restarted')))?.pid, first?.pid);
    assert.equal(await count(running, 'kept'), 1_000);
    assert.equal(await stop(running), 0);
  });

  it('continues in a new process if there is no supervisor, and stops on request', async () => {
    const running = await start('alone');
    await fill(running, 'kept');
    const exited = once(running.child, 'exit');
    assert.equal((await call(running, 'POST', '/_local/restart', '')).status, 200);
    await exited;
    const lock = await findServing(join(folder, 'alone'));
    assert.deepEqual([lock?.url, lock?.token], [running.url, running.token]);
    assert.notEqual(lock?.pid, running.child.pid);
    assert.equal(await count(running, 'kept'), 1_000);
    assert.equal((await call(running, 'POST', '/_local/stop', '')).status, 200);
    while (isRunning(lock!.pid)) await sleep(10);
    assert.equal(await readLock(join(folder, 'alone')), undefined);
  });

  it('leaves no process and no lock if the terminal process is killed while queries finish', async () => {
    const running = await processes.serve('killedEarly');
    let errors = '';
    running.child.stderr!.on('data', (chunk) => {
      errors += chunk;
    });
    await fill(running, 'logs');
    const slow =
      "['logs'] | extend k = 1 | join kind=inner (['logs'] | extend k = 1) on k " +
      "| join kind=inner (['logs'] | extend k = 1) on k | summarize sum(i)";
    const asked = call(
      running,
      'POST',
      '/v1/query/_apl?format=tabular',
      JSON.stringify({ apl: slow }),
    );
    asked.catch(() => undefined);
    await sleep(200);
    const first = await readLock(join(folder, 'killedEarly'));
    await call(running, 'POST', '/_local/restart', '');
    running.child.kill('SIGKILL');
    while (isRunning(first!.pid)) await sleep(10);
    assert.equal(await readLock(join(folder, 'killedEarly')), undefined);
    assert.match(errors, /Ending: /);
    assert.doesNotMatch(errors, /ERR_IPC/);
  });

  for (const [killed, data] of [
    ['the new process', 'killedNext'],
    ['the process in the terminal', 'killedParent'],
  ] as const) {
    it(`leaves no process running if ${killed} is killed`, async () => {
      const running = await processes.serve(data);
      const first = await readLock(join(folder, data));
      await call(running, 'POST', '/_local/restart', '');
      let lock = first;
      while (lock === undefined || lock.pid === first?.pid) {
        await sleep(5);
        lock = await readLock(join(folder, data));
      }
      const exited = once(running.child, 'exit');
      if (data === 'killedNext') process.kill(lock.pid, 'SIGKILL');
      else running.child.kill('SIGKILL');
      await exited;
      for (const { pid } of [first!, lock]) while (isRunning(pid)) await sleep(10);
      assert.equal(await findServing(join(folder, data)), undefined);
    });
  }
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
      const asked = request(`${running.url}/v2/orgs`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.on('error', reject).end();
    });

  it('a wrong token and a foreign host name are rejected', async () => {
    const authorization = `Bearer ${running.token}`;
    assert.equal(await ask({ authorization }), 200);
    assert.equal(await ask({ authorization: 'Bearer wrong' }), 401);
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization, host: 'evil.example' }), 403);
  });

  it('a body that exceeds the limit gets a response while it is being sent', async () => {
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

  it('a client that disconnects stops its query', async () => {
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

  it("twenty concurrent queries don't block ingest", async () => {
    const queries = Array.from({ length: 20 }, () => count(running, 'logs'));
    await fill(running, 'beside');
    assert.deepEqual(new Set(await Promise.all(queries)), new Set([1_000]));
  });
});

describe('holds', () => {
  it('keep the process running until an idle period after the last hold is released', async () => {
    let idle = 0;
    const holds = new Holds(() => void idle++, { firstMs: 50, idleMs: 50 });
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
