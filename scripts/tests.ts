// `npm test`: types, lint, build, then the test files in one queue, of the longest those whose turn it is; with `--all`
// those of all turns. `npm run unit` and `npm run windows` run all files without and with a browser or VS Code. A file
// that fails runs once more, alone: two such files are allowed in a run, since a busy machine can be slower than a test
// waits.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './host/paths.ts';
import { endWithNpm, stopOnSignal } from './host/processes.ts';
import { type Shared, startShared } from './host/shared.ts';
import { isShown, kindOf, testFiles } from './testFiles.ts';
import { changedTestFiles } from './tests/changed.ts';
import { runChecks } from './tests/checks.ts';
import { runQueue, type Task, type Width } from './tests/queue.ts';
import {
  closingLines,
  failureText,
  figureLines,
  fileLine,
  hasFailed,
  reasonOf,
} from './tests/report.ts';
import { type FileResult, killAll, PlainProcess, runAlone } from './tests/testProcess.ts';
import { expectedSeconds, slowestFirst, writeTimes } from './tests/times.ts';
import { turnLine, turnOf } from './tests/turns.ts';

const RERUNS_MAX = 2;

/** VS Code alone uses more than one core, so that it and another file keep two busy. */
const width: Width = { windows: 1, files: 2 };

const limitSeconds = { plain: 300, unit: 600, page: 600, window: 1_200 };
const longLimitSeconds = 3 * 60 * 60;

const usage = `Usage: node scripts/tests.ts [unit|windows] [options] [FILE…]
  --name=PATTERN   run only cases whose names match
  --all            run the longest files of all turns, not of one
  --long           run fuzz and property tests whole, of all turns
  --limit=SECONDS  end a file that takes longer
  --cases=FILE     write the names of the cases that ran, one per line`;

const started = performance.now();
const { values: options, positionals } = parse();
const [set, ...patterns] = ['unit', 'windows'].includes(positionals[0] ?? '')
  ? positionals
  : [undefined, ...positionals];

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        all: { type: 'boolean' },
        long: { type: 'boolean' },
        limit: { type: 'string' },
        cases: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

/** The day as a number: tests that draw cases at random draw others each day. */
const seed = process.env.APLOMB_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');

const env: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: join(repository, '.tsc', 'compile-cache'),
  ...process.env,
  APLOMB_SEED: seed,
  APLOMB_BUILT: '1',
  ...(options.long ? { APLOMB_LONG: '1' } : {}),
};
// In a test of this program it would change what the processes report.
delete env.NODE_TEST_CONTEXT;
const processOptions = { env, ...(options.name ? { namePattern: options.name } : {}) };

let shared: Promise<Shared> | undefined;
const plainProcesses = new Map<number, PlainProcess>();

function plainProcess(lane: number): PlainProcess {
  const existing = plainProcesses.get(lane);
  if (existing !== undefined) return existing;
  const made = new PlainProcess(processOptions);
  plainProcesses.set(lane, made);
  return made;
}

/** A file that runs again needs a new process: its modules are loaded once. */
async function endPlainProcesses(): Promise<void> {
  await Promise.all([...plainProcesses.values()].map((each) => each.end()));
  plainProcesses.clear();
}

async function runFile({ file, kind }: Task, lane: number): Promise<FileResult> {
  const limit = options.limit ?? (options.long ? longLimitSeconds : limitSeconds[kind]);
  const limitMs = Number(limit) * 1_000;
  if (kind === 'plain') return plainProcess(lane).run(file, limitMs);
  if (kind === 'unit') return runAlone(file, limitMs, processOptions);
  shared ??= startShared();
  const { env: added } = await shared;
  return runAlone(file, limitMs, { ...processOptions, env: { ...env, ...added } });
}

/** Runs the tasks, prints a line for each, and gives the results by file. */
async function runAll(tasks: readonly Task[], files: Width): Promise<Map<string, FileResult>> {
  const results = new Map<string, FileResult>();
  await runQueue(tasks, files, async (task, lane) => {
    const result = await runFile(task, lane);
    results.set(task.file, result);
    console.log(fileLine(result));
  });
  return results;
}

/** Runs files that failed once more, unless there are too many, and gives those that passed then. */
async function runAgain(tasks: readonly Task[], results: Map<string, FileResult>) {
  const failed = tasks.filter(({ file }) => hasFailed(results.get(file) as FileResult));
  if (failed.length === 0) return [];
  if (failed.length > RERUNS_MAX) {
    console.log(`\n${failed.length} files failed. Up to ${RERUNS_MAX} run a second time.`);
    return [];
  }
  console.log('\nRunning again, alone:');
  const reasons = failed.map(({ file }) => reasonOf(results.get(file) as FileResult));
  await endPlainProcesses();
  const again = await runAll(failed, { windows: 1, files: 1 });
  const passed: string[] = [];
  for (const [index, { file }] of failed.entries()) {
    const result = again.get(file) as FileResult;
    results.set(file, result);
    if (hasFailed(result)) continue;
    passed.push(file);
    console.log(`Passed only in its second run: ${file}\n  ${reasons[index]}`);
  }
  return passed;
}

const isWhole = set === undefined && patterns.length === 0;
const isChanged = process.env.APLOMB_CHANGED === '1';

/** The turn whose files run, where not those of all turns do. */
const turn = isWhole && !isChanged && !options.all && !options.long ? turnOf(seed) : undefined;

function chosenFiles(): string[] {
  if (patterns.length > 0) return testFiles(patterns as string[]);
  const files = isChanged ? changedTestFiles() : testFiles();
  return files.filter((file) => !turn?.others.has(file));
}

function chosenTasks(): Task[] {
  const seconds = expectedSeconds();
  const files = chosenFiles();
  return files
    .map((file) => {
      const kind = kindOf(file);
      return { file, kind, weight: seconds(file, kind) };
    })
    .filter(({ kind }) => set === undefined || (set === 'windows') === isShown(kind));
}

async function main(): Promise<void> {
  const checks = await runChecks(isWhole && !options.long ? ['types', 'lint', 'build'] : ['build']);
  const tasks = chosenTasks();
  if (tasks.length === 0) throw new Error('No test file was found.');
  console.log(`Seed ${seed}; APLOMB_SEED=${seed} draws the same cases again.`);
  if (turn !== undefined) console.log(turnLine(turn));
  console.log('');
  const results = await runAll(tasks, width);
  const rerun = await runAgain(tasks, results);
  await endPlainProcesses();
  await (await shared)?.stop();

  const all = [...results.values()];
  const failed = all.filter(hasFailed);
  if (failed.length > 0) console.log(`\n${failed.map(failureText).join('\n')}`);
  const milliseconds = performance.now() - started;
  const ofKind = (wanted: boolean) =>
    tasks
      .filter(({ kind }) => isShown(kind) === wanted)
      .map(({ file }) => results.get(file) as FileResult);
  const figures = {
    seconds: milliseconds / 1_000,
    checks,
    units: ofKind(false),
    windows: ofKind(true),
  };
  console.log(`\n${figureLines(figures)}\n`);
  if (rerun.length > 0) console.log(`Second runs: ${rerun.join(', ')}\n`);
  console.log(closingLines(all, milliseconds));
  if (isWhole && !options.long && !isChanged) {
    const files = slowestFirst(all).map(({ file, seconds }) => ({ file, seconds }));
    writeTimes({ seconds: Math.round(milliseconds / 1_000), rerun, files });
  }
  if (options.cases !== undefined) {
    const names = all.flatMap(({ file, cases }) => cases.map((name) => `${file} > ${name}`));
    writeFileSync(options.cases, `${names.sort().join('\n')}\n`);
  }
  if (failed.length > 0) process.exitCode = 1;
}

stopOnSignal(async () => {
  killAll();
  await (await shared)?.stop();
});
endWithNpm();
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  killAll();
}
