// `npm run unit` and `npm run windows`: the tests without and with a browser or VS Code, two files at a time.
// Of those with a window, what fails is run once more and reported as such, since on a busy machine a window now
// and then takes longer than a test waits. Further arguments are passed to Node's test runner.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './host/paths.ts';
import { type TestSet, testFiles } from './testFiles.ts';

/** Which tests have passed; the test runner writes and reads it. */
const state = join(repository, '.tsc', 'windows.json');

const argumentsOf: Readonly<Record<TestSet, readonly string[]>> = {
  unit: ['--test-concurrency=2'],
  windows: ['--test-concurrency=2', `--test-rerun-failures=${state}`],
};

function run(set: TestSet, given: readonly string[]): number {
  const args = ['--test', '--test-reporter=spec', ...argumentsOf[set], ...given, ...testFiles(set)];
  return spawnSync(process.execPath, args, { cwd: repository, stdio: 'inherit' }).status ?? 1;
}

function runWindows(given: readonly string[]): number {
  rmSync(state, { force: true });
  let status = run('windows', given);
  if (status !== 0) {
    process.stdout.write('\nRunning the tests that failed once more.\n\n');
    status = run('windows', given);
  }
  rmSync(state, { force: true });
  return status;
}

const [set, ...given] = process.argv.slice(2);
if (set === 'unit') process.exitCode = run(set, given);
else if (set === 'windows') process.exitCode = runWindows(given);
else {
  console.error('Usage: node scripts/tests.ts unit|windows [arguments of node --test]');
  process.exitCode = 2;
}
