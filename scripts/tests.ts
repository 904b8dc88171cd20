// `npm run unit` and `npm run windows`: the tests without and with a browser or VS Code, two files at a time.
// Files with a failure are listed and run once more, alone, since on a busy machine a process or a window now and then
// takes longer than a test waits. Further arguments are passed to Node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from './host/paths.ts';
import { type TestSet, testFiles } from './testFiles.ts';

const FAILED_FILES_MAX = 10;

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

function runTwice(set: TestSet, given: readonly string[]): number {
  mkdirSync(dirname(failedList), { recursive: true });
  rmSync(failedList, { force: true });
  const reporter = join(repository, 'scripts', 'failedFiles.ts');
  const status = run(testFiles(set), [
    '--test-concurrency=2',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${failedList}`,
    ...given,
  ]);
  if (status === 0) return 0;
  const failed = readFileSync(failedList, 'utf8').split('\n').filter(Boolean);
  // Without a file that failed, the runner itself did. Many that fail are no matter of time.
  if (failed.length === 0 || failed.length > FAILED_FILES_MAX) return status;
  const list = failed.map((file) => relative(repository, file)).join('\n');
  process.stdout.write(`\nRunning again, one after the other:\n${list}\n\n`);
  return run(failed, ['--test-concurrency=1', ...given]);
}

const [set, ...given] = process.argv.slice(2);
if (set === 'unit' || set === 'windows') process.exitCode = runTwice(set, given);
else {
  console.error('Usage: node scripts/tests.ts unit|windows [arguments of node --test]');
  process.exitCode = 2;
}
