/** The runner of the tests, on small files in a temporary folder: what fails a run, and what ends with it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../house/sources.ts';
import { needs } from '../platform.ts';

let scratch: string;
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'aplomb-runner-'));
});
after(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));

/** Writes test files into a new folder; names get the ending of tests. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'files-'));
  await mkdir(folder, { recursive: true });
  for (const [name, source] of Object.entries(files))
    await writeFile(
      join(folder, `${name}.test.ts`),
      `import assert from 'node:assert/strict';\nimport { it } from 'node:test';\n${source}`,
    );
  return folder;
}

function startRunner(folder: string, ...options: string[]): ChildProcess {
  const pattern = `${folder.replaceAll('\\', '/')}/*.test.ts`;
  return spawn(process.execPath, [join(root, 'scripts/tests.ts'), ...options, pattern], {
    env: { ...process.env, APLOMB_BUILT: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function run(files: Readonly<Record<string, string>>, ...options: string[]) {
  const folder = await folderWith(files);
  const child = startRunner(folder, ...options);
  const [printed, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  return { printed, code, folder };
}

const imported = (path: string) => `import ${JSON.stringify(path)};\n`;
const broken = "it('is broken', () => assert.equal(1, 2));";

/** What makes a file one of its kind. */
const kinds = {
  plain: '',
  unit: imported('node:child_process'),
  page: imported(pathToFileURL(join(root, 'scripts/host/browser.ts')).href),
  window: imported(pathToFileURL(join(root, 'test/host/inVscode.ts')).href),
};

describe('the test runner', () => {
  for (const [kind, header] of Object.entries(kinds))
    it(`fails if a case in a ${kind} file fails`, async () => {
      const { printed, code } = await run({ one: `${header}${broken}` });
      assert.equal(code, 1);
      assert.match(printed, /✖ +[\d.]+ s {2}\S*one\.test\.ts \(1\)/);
      assert.match(printed, /is broken\n +AssertionError[^\n]*\n[\s\S]*1 !== 2/);
      assert.match(printed, /ℹ tests 1\nℹ suites 0\nℹ pass 0\nℹ fail 1\n/);
    });

  it('prints the totals of all files at the end', async () => {
    const { printed, code } = await run({
      one: "it('passes', () => {});\nit('is skipped', { skip: true }, () => {});",
      two: `${kinds.unit}import { describe } from 'node:test';\ndescribe('a', () => it('passes', () => {}));`,
    });
    assert.equal(code, 0);
    assert.match(
      printed,
      /ℹ tests 3\nℹ suites 1\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms [\d.]+\n$/,
    );
  });

  it('runs only the cases whose names match', async () => {
    const cases = "it('is wanted', () => {});\nit('is broken', () => assert.fail());";
    const files = { one: cases, two: `${kinds.unit}${cases}` };
    const { printed, code } = await run(files, '--name=wanted');
    assert.equal(code, 0, printed);
    assert.match(printed, /ℹ tests 2\n/);
  });

  it('fails if a plain file does not load', async () => {
    const { printed, code } = await run({ one: "it('passes', () => {});\nthrow new Error('no');" });
    assert.equal(code, 1);
    assert.match(printed, /loads\n +Error: no/);
  });

  it('fails if a plain file leaves a global changed', async () => {
    const { printed, code } = await run({ one: "it('sets', () => { Math.max = Math.min; });" });
    assert.equal(code, 1);
    assert.match(printed, /leaves no global changed\n[\s\S]*'Math\.max'/);
  });

  it('fails if a file exits its process', async () => {
    const { printed, code } = await run({ one: `${kinds.unit}it('ends', () => process.exit(3));` });
    assert.equal(code, 1);
    assert.match(printed, /ended with code 3/);
  });
});

/** Fails in its first run and passes in its second. */
const flaky = (name: string) => `import { existsSync, writeFileSync } from 'node:fs';
const mark = new URL('${name}.ran', import.meta.url);
${kinds.unit}it('is flaky', () => {
  const ran = existsSync(mark);
  writeFileSync(mark, '');
  assert.ok(ran, 'the first time');
});`;

describe('a second run', () => {
  it('is made for two failed files and prints their reasons', async () => {
    const { printed, code } = await run({ one: flaky('one'), two: flaky('two') });
    assert.equal(code, 0, printed);
    assert.match(
      printed,
      /Passed only in its second run: \S*one\.test\.ts\n +is flaky: .*first time/,
    );
    assert.match(printed, /Passed only in its second run: \S*two\.test\.ts/);
    assert.match(printed, /ℹ fail 0\n/);
  });

  it('is not made for three failed files', async () => {
    const files = { one: flaky('one'), two: flaky('two'), three: flaky('three') };
    const { printed, code } = await run(files);
    assert.equal(code, 1);
    assert.match(printed, /3 files failed/);
  });
});

/** Starts a process that goes on for ever, writes its id beside the file, and hangs. */
const hanging = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
it('hangs', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
  writeFileSync(new URL('pid', import.meta.url), String(child.pid));
  await new Promise(() => setInterval(() => {}, 1000));
});`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidIn(folder: string): Promise<number> {
  const file = join(folder, 'pid');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(20);
  return Number(readFileSync(file, 'utf8'));
}

async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(20);
}

describe('the processes of the test files', () => {
  it('are ended if a file hangs, which is reported', { timeout: 120_000 }, async () => {
    const { printed, code, folder } = await run({ one: hanging }, '--limit=8');
    assert.equal(code, 1);
    assert.match(printed, /one\.test\.ts\n +The file did not end within 8 s\./);
    await ended(await pidIn(folder));
  });

  it('are ended if the runner is interrupted', {
    timeout: 120_000,
    skip: needs.signals,
  }, async () => {
    const folder = await folderWith({ one: hanging });
    const runner = startRunner(folder);
    const exited = once(runner, 'exit');
    const pid = await pidIn(folder);
    runner.kill('SIGINT');
    assert.deepEqual(await exited, [130, null]);
    await ended(pid);
  });
});
