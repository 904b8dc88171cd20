/**
 * Processes of their own over the data that was read: from start to first answer, and the memory they have
 * when they rest after it and at most through the six. The peer is Node with DuckDB's package and nothing else.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { root } from '../../house/sources.ts';
import { type Measure, measure, median } from '../measure.ts';
import { Deployment, firstLine, startEnvironment } from './deployment.ts';
import type { Range } from './events.ts';
import { within } from './peer.ts';
import { questions } from './queries.ts';

const rounds = 5;
/** How long a process is left alone before it counts as idle. */
const restMs = 1_000;

/** Opens a database, says so, and answers each line of SQL by the number of its rows. */
const program = `
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
void (async () => {
  const connection = await (await DuckDBInstance.create(process.argv[2])).connect();
  console.log('open');
  for await (const line of createInterface(process.stdin)) {
    console.log((await connection.runAndReadAll(line)).getRows().length);
  }
  process.exit();
})();
`;

class PeerProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(script: string, file: string): Promise<PeerProcess> {
    const child = spawn(process.execPath, [script, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: startEnvironment(),
    });
    await firstLine(child);
    return new PeerProcess(child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async rows(sql: string): Promise<void> {
    const answer = firstLine(this.#child);
    this.#child.stdin!.write(`${sql}\n`);
    await answer;
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin!.end();
    await ended;
  }
}

/** What is told of a process; memory in bytes, undefined where the system does not tell it. */
interface Life {
  readonly firstAnswer: number;
  readonly idle: number | undefined;
  readonly peak: number | undefined;
}

interface Started {
  readonly pid: number;
  readonly ask: (question: number) => Promise<unknown>;
  readonly end: () => Promise<void>;
}

async function live(start: () => Promise<Started>): Promise<Life> {
  const from = performance.now();
  const { pid, ask, end } = await start();
  await ask(0);
  const firstAnswer = performance.now() - from;
  await pause(restMs);
  const idle = memoryOf(pid, 'VmRSS');
  for (let question = 1; question < questions.length; question++) await ask(question);
  const peak = memoryOf(pid, 'VmHWM');
  await end();
  return { firstAnswer, idle, peak };
}

/** Bytes that the kernel tells of a process; undefined where it tells nothing. */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const line = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  );
  return line === null ? undefined : Number(line[1]) * 1024;
}

/** Measures over `data`, our folder, and `file`, their database; both must be closed. */
export async function processMeasures(
  data: string,
  file: string,
  range: Range,
): Promise<Measure[]> {
  const script = join(root, '.bench', 'peer.cjs');
  await build({
    stdin: { contents: program, resolveDir: root },
    outfile: script,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    bundle: true,
    external: ['@duckdb/node-bindings-*'],
  });
  const ours: Life[] = [];
  const theirs: Life[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(
      await live(async () => {
        const deployment = await Deployment.start(data);
        return {
          pid: deployment.pid,
          ask: (question) => deployment.query(questions[question]!.apl, range),
          end: () => deployment.end(),
        };
      }),
    );
    theirs.push(
      await live(async () => {
        const peer = await PeerProcess.start(script, file);
        return {
          pid: peer.pid,
          ask: (question) => peer.rows(questions[question]!.sql('events', within(range))),
          end: () => peer.end(),
        };
      }),
    );
  }
  return [
    ...compared('start to first answer', 'ms', 'firstAnswer', 1, 2),
    ...compared('idle memory after it', 'MiB', 'idle', 2 ** 20, 2),
    ...compared('peak memory through the six', 'MiB', 'peak', 2 ** 20, 2),
  ];

  function compared(
    name: string,
    unit: string,
    key: keyof Life,
    scale: number,
    bar: number,
  ): Measure[] {
    const of = (lives: readonly Life[]) =>
      lives.flatMap((life) => (life[key] === undefined ? [] : [life[key] / scale]));
    const [mine, their] = [of(ours), of(theirs)];
    if (mine.length === 0 || their.length === 0) return [];
    return [measure('local', name, unit, median(mine), median(their), bar)];
  }
}
