// `npm run windows`: runs the tests that show a browser or VS Code, one file after another. What fails is run
// once more and reported as such: on a busy machine a window now and then takes longer than anybody waits.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './host/paths.ts';

/** Which tests have passed; the test runner writes and reads it. */
const state = join(repository, '.tsc', 'windows.json');

const args = [
  '--test',
  '--test-concurrency=1',
  '--test-reporter=spec',
  `--test-rerun-failures=${state}`,
  'test/client/results/*.test.ts',
  'test/host/*.test.ts',
];

const run = (): number =>
  spawnSync(process.execPath, args, { cwd: repository, stdio: 'inherit' }).status ?? 1;

rmSync(state, { force: true });
let status = run();
if (status !== 0) {
  process.stdout.write('\nRunning the tests that failed once more.\n\n');
  status = run();
}
rmSync(state, { force: true });
process.exitCode = status;
