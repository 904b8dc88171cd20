// A process that runs test files, and what it reports of each: one file, or plain files one after another.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../host/paths.ts';
import { type Counts, endOfFile, type Failure, noCounts, type WorkerMessage } from './messages.ts';
import { killTree } from './processTree.ts';

const OUTPUT_MAX = 20_000;
const END_LIMIT_MS = 5_000;

export interface FileResult {
  readonly file: string;
  readonly seconds: number;
  readonly counts: Counts;
  readonly cases: readonly string[];
  readonly failures: readonly Failure[];
  /** What the file printed, and the diagnostics of its tests. */
  readonly output: string;
}

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Only cases whose names match run. */
  readonly namePattern?: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly closed: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
}

const running = new Set<ChildProcess>();

/** Ends all processes of test files, and what they started. */
export function killAll(): void {
  for (const child of running) if (child.pid !== undefined) killTree(child.pid);
}

/** Starts a process that runs `file`, with the test runner's reports sent to this process. */
function start(file: string, { env, namePattern }: ProcessOptions): Started {
  const reporter = pathToFileURL(join(import.meta.dirname, 'reporter.ts')).href;
  const execArgv = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout'];
  if (namePattern !== undefined)
    for (const pattern of [namePattern, `^${endOfFile}$`])
      execArgv.push(`--test-name-pattern=${pattern}`);
  const child = fork(file, { cwd: repository, env, execArgv, silent: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  // Its last messages may come after its output has ended.
  const disconnected = once(child, 'disconnect');
  const closed = once(child, 'close').then(async ([code, signal]) => {
    await disconnected;
    return [code, signal] as const;
  });
  return { child, closed };
}

/** Collects what a child reports of one file, from the call on. */
class Collector {
  readonly #cases: string[] = [];
  readonly #failures: Failure[] = [];
  readonly #started = performance.now();
  readonly #child: ChildProcess;
  #counts: Counts | undefined;
  #output = '';
  /** Resolves when the file has reported its end. */
  readonly done: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    let end = () => {};
    this.done = new Promise((resolve) => {
      end = resolve;
    });
    child.on('message', (message: WorkerMessage) => {
      if (message.type === 'case') this.#cases.push(message.name);
      else if (message.type === 'failure') this.#failures.push(message.failure);
      else if (message.type === 'diagnostic') this.print(`${message.message}\n`);
      else {
        this.#counts = message.counts;
        end();
      }
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.print(chunk.toString()));
  }

  get isDone(): boolean {
    return this.#counts !== undefined;
  }

  get hasFailures(): boolean {
    return this.#failures.length > 0;
  }

  print(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_MAX);
  }

  /** Adds a failure of the file itself. */
  fail(name: string, error: string): void {
    this.#failures.push({ name, error });
  }

  result(file: string): FileResult {
    // What is printed later is read and dropped, or the child would not close.
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.removeAllListeners('data').resume();
    this.#child.removeAllListeners('message');
    const counts = { ...(this.#counts ?? noCounts) };
    // A file that fails without a failed case counts as one, as in Node's own runner.
    if (this.#failures.length > 0 && counts.fail + counts.cancelled === 0) {
      counts.tests += 1;
      counts.fail += 1;
    }
    return {
      file,
      seconds: Math.round(performance.now() - this.#started) / 1_000,
      counts,
      cases: this.#cases,
      failures: this.#failures,
      output: this.#output,
    };
  }
}

/** Whether `ended` came within the limit; otherwise the process is killed with all that it started. */
async function endsWithin(
  limitMs: number,
  child: ChildProcess,
  ended: Promise<unknown>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((late) => {
    timer = setTimeout(late, limitMs, 'late');
  });
  const outcome = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (outcome !== 'late') return true;
  if (child.pid !== undefined) killTree(child.pid);
  return false;
}

const tooLong = (limitMs: number) => `The file did not end within ${limitMs / 1_000} s.`;

/** Runs a file in a process of its own. */
export async function runAlone(
  file: string,
  limitMs: number,
  options: ProcessOptions,
): Promise<FileResult> {
  const { child, closed } = start(resolve(repository, file), options);
  const collector = new Collector(child);
  const inTime = await endsWithin(limitMs, child, closed);
  const [code, signal] = await closed;
  if (!inTime) collector.fail(file, tooLong(limitMs));
  else if (!collector.isDone || (code !== 0 && !collector.hasFailures))
    collector.fail(file, `The process ended with ${signal ?? `code ${code}`}.`);
  return collector.result(file);
}

/** Runs plain files one after another in one process, which is replaced after a file that did not end. */
export class PlainProcess {
  readonly #options: ProcessOptions;
  #started: Started | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async run(file: string, limitMs: number): Promise<FileResult> {
    this.#started ??= start(join(import.meta.dirname, 'plainWorker.ts'), this.#options);
    const { child, closed } = this.#started;
    const collector = new Collector(child);
    child.send({ file: resolve(repository, file) });
    const done = Promise.race([collector.done, closed.then(() => 'ended')]);
    const inTime = await endsWithin(limitMs, child, done);
    if (!inTime) collector.fail(file, tooLong(limitMs));
    else if ((await done) === 'ended') collector.fail(file, 'The file ended its process.');
    if (!child.connected || !inTime) this.#started = undefined;
    return collector.result(file);
  }

  /** Lets the process end by itself, which writes its compile cache, or kills it. */
  async end(): Promise<void> {
    if (this.#started === undefined) return;
    const { child, closed } = this.#started;
    child.disconnect();
    await endsWithin(END_LIMIT_MS, child, closed);
  }
}
