// `npm run unit` and `npm run windows`: the tests without and with a browser or VS Code, two files at a time.
// Of those with a window, a file with a failure is run once more, alone, since on a busy machine a window now
// and then takes longer than a test waits. Further arguments are passed to Node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './host/paths.ts';
import { testFiles } from './testFiles.ts';

const failedList = join(repository, '.tsc', 'failed-files.txt');

function run(files: readonly string[], given: readonly string[]): number {
  const args = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout'];
  return (
    spawnSync(process.execPath, [...args, ...given, ...files], {
      cwd: repository,
      stdio: 'inherit',
    }).status ?? 1
  );
}

function runWindows(given: readonly string[]): number {
  mkdirSync(dirname(failedList), { recursive: true });
  rmSync(failedList, { force: true });
  const reporter = join(repository, 'scripts', 'failedFiles.ts');
  const status = run(testFiles('windows'), [
    '--test-concurrency=2',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${failedList}`,
    ...given,
  ]);
  if (status === 0) return 0;
  const failed = readFileSync(failedList, 'utf8').split('\n').filter(Boolean);
  // Without a file that failed, the runner itself did.
  if (failed.length === 0) return status;
  process.stdout.write(`\nRunning again, one after the other:\n${failed.join('\n')}\n\n`);
  return run(failed, ['--test-concurrency=1', ...given]);
}

const [set, ...given] = process.argv.slice(2);
if (set === 'unit') process.exitCode = run(testFiles('unit'), ['--test-concurrency=2', ...given]);
else if (set === 'windows') process.exitCode = runWindows(given);
else {
  console.error('Usage: node scripts/tests.ts unit|windows [arguments of node --test]');
  process.exitCode = 2;
}
