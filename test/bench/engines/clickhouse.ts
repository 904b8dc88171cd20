/**
 * ClickHouse in a process of its own, so that its memory is its own and a crash or a hang ends only that process. The
 * package is installed apart from all others: it is larger than the rest of them together.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { root } from '../../house/sources.ts';

const installed = join(root, 'test', 'engines', 'node_modules', 'chdb', 'package.json');

/** How long a statement may take, in milliseconds. The process is killed after that. */
const STATEMENT_MS_MAX = 120_000;
/** How long the process may take to end by itself. */
const END_MS_MAX = 15_000;

/** A statement's answer, as the process sends it. */
export interface Reply {
  /** Time from the statement to its last byte, in milliseconds, measured next to the engine. */
  readonly ms: number;
  readonly text: string;
  /** Set instead of an answer. */
  readonly error?: string;
}

export function assertInstalled(): void {
  if (existsSync(installed)) return;
  throw new Error('ClickHouse is not installed. Run `npm run engines:install`, then repeat.');
}

export class ClickHouse {
  readonly #child: ChildProcess;
  readonly #replies: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child;
    this.#replies = lines[Symbol.asyncIterator]();
  }

  /** Opens the database in a folder, which is created if it is missing. */
  static async start(folder: string): Promise<ClickHouse> {
    assertInstalled();
    const script = join(import.meta.dirname, 'clickhouseProcess.ts');
    const child = spawn(process.execPath, [script, installed, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const clickhouse = new ClickHouse(child, createInterface(child.stdout));
    await clickhouse.#reply('the start');
    return clickhouse;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Runs a statement and gives its time, without the way to the process and back. */
  async run(sql: string, limit = STATEMENT_MS_MAX): Promise<number> {
    return (await this.#ask(sql, limit)).ms;
  }

  /** The rows of a statement as objects by column name. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const { text } = await this.#ask(sql, STATEMENT_MS_MAX);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin!.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS_MAX);
    await ended;
    clearTimeout(timer);
  }

  #ask(sql: string, limit: number): Promise<Reply> {
    this.#child.stdin!.write(`${JSON.stringify(sql)}\n`);
    return this.#reply(sql, limit);
  }

  async #reply(what: string, limit = STATEMENT_MS_MAX): Promise<Reply> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), limit);
    const { value, done } = await this.#replies.next();
    clearTimeout(timer);
    if (done) throw new Error(`ClickHouse crashed, or took more than ${limit} ms: ${what}`);
    const reply = JSON.parse(value) as Reply;
    if (reply.error !== undefined) throw new Error(`ClickHouse: ${reply.error}\n${what}`);
    return reply;
  }
}
