// The cache of downloaded tools, under programs that start at once and programs that are interrupted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'aplomb-cache-'));
});
after(() => rm(directory, { recursive: true, force: true }));

/** Starts a program that asks for the folder `tool`, and takes `ms` to fill it. */
function ask(name: string, ms: number) {
  const source = `
    import { appendFile, writeFile } from 'node:fs/promises';
    import { join } from 'node:path';
    const { cached } = await import(${JSON.stringify(new URL('../../scripts/host/cache.ts', import.meta.url).href)});
    await cached(${JSON.stringify(name)}, async (folder) => {
      await appendFile(join(${JSON.stringify(directory)}, 'made-${name}'), 'x');
      await writeFile(join(folder, 'first'), '1');
      await new Promise((done) => setTimeout(done, ${ms}));
      await writeFile(join(folder, 'last'), '2');
    }, ${JSON.stringify(directory)});`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
}

it('concurrent processes create a cache entry once', async () => {
  const asked = [ask('shared', 300), ask('shared', 300), ask('shared', 300)];
  const codes = await Promise.all(asked.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(await readFile(join(directory, 'made-shared'), 'utf8'), 'x');
  assert.deepEqual((await readdir(join(directory, 'shared'))).sort(), ['first', 'last']);
});

it('an entry is created again after an interruption, without leftovers', async () => {
  const interrupted = ask('again', 60_000);
  while (!existsSync(join(directory, 'made-again'))) await sleep(20);
  interrupted.kill('SIGKILL');
  await once(interrupted, 'exit');
  assert.equal(existsSync(join(directory, 'again')), false);
  const [code] = await once(ask('again', 0), 'exit');
  assert.equal(code, 0);
  assert.deepEqual((await readdir(join(directory, 'again'))).sort(), ['first', 'last']);
  const left = (await readdir(directory)).filter((name) => /again\.(lock|partial)/.test(name));
  assert.deepEqual(left, []);
});
