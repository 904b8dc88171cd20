// Deployment processes to kill: started from their bundle, with many concurrent writers that
// remember acknowledged requests. Their state is observed through files.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  HEADERS_BYTES,
  parseHeaders,
  readEntries,
  versionEntry,
} from '../../local/src/engines/duckdb/database/logFormat.ts';
import { LOG, SECOND_LOG } from '../../local/src/engines/duckdb/database/recovery.ts';
import { ALL_TIMES } from './deployment.ts';
import { copyProgram, PROCESS_BUNDLE } from './processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A line of `checkpoints.ts`, and its replacement with a sixteenth of the limit, for frequent
 * checkpoints.
 */
const LIMIT = { is: 'LOG_BYTES_MAX = 64 * 1048576', lower: 'LOG_BYTES_MAX = 4 * 1048576' };

/** Bundles the process as shipped, and a second time with frequent checkpoints. */
export async function bundles(folder: string): Promise<{ shipped: string; frequent: string }> {
  const paths = { shipped: join(folder, 'local.cjs'), frequent: join(folder, 'frequent.cjs') };
  await copyProgram(paths.shipped);
  const text = readFileSync(join(folder, PROCESS_BUNDLE), 'utf8');
  assert.equal(text.split(LIMIT.is).length, 2);
  await writeFile(paths.frequent, text.replace(LIMIT.is, LIMIT.lower));
  return paths;
}

/** A deployment process on a data folder. */
export class Victim {
  readonly #data: string;
  readonly #child: ChildProcess;
  /** Resolves when requests are served. Rejects if the process ends first. */
  readonly ready: Promise<{ readonly url: string; readonly token: string }>;
  #isReady = false;

  constructor(bundle: string, data: string) {
    this.#data = data;
    this.#child = spawn(process.execPath, [bundle, '--data', data, '--port', '0'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
    });
    this.ready = this.#waitForReady();
    this.ready.then(
      () => {
        this.#isReady = true;
      },
      () => undefined,
    );
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async #waitForReady() {
    let text = '';
    let errors = '';
    this.#child.stderr!.on('data', (chunk) => {
      errors += chunk;
    });
    for await (const chunk of this.#child.stdout!) {
      text += chunk;
      if (text.includes('\n')) break;
    }
    if (!text.includes('\n')) throw new Error(`It did not start: ${errors}`);
    const address = JSON.parse(text.slice(0, text.indexOf('\n')));
    // The process may listen before the database is open.
    while ((await send(address, 'GET', '/v2/datasets')).status === 503) await sleep(5);
    return address;
  }

  /**
   * Returns whether the process has opened the database file. Always true except on Linux, where
   * this can be checked.
   */
  hasOpened(): boolean {
    if (process.platform !== 'linux') return true;
    try {
      const folder = `/proc/${this.#child.pid}/fd`;
      const database = join(realpathSync(this.#data), 'data.duckdb');
      return readdirSync(folder).some((name) => readlinkSync(join(folder, name)) === database);
    } catch {
      // The process has ended or just closed a file.
      return false;
    }
  }

  async kill(): Promise<void> {
    const ended = this.#child.exitCode === null && this.#child.signalCode === null;
    const exit = ended ? once(this.#child, 'exit') : undefined;
    this.#child.kill('SIGKILL');
    await exit;
  }

  async end(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    assert.equal((await exit)[0], 0);
  }
}

export type Address = { readonly url: string; readonly token: string };

export async function send(
  { url, token }: Address,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
}

/** The requests of one writer. */
export interface Traffic {
  readonly dataset: string;
  /** The maximum number of events per request. */
  readonly events: number;
  /** The length of each event's string, in bytes. */
  readonly bytes: number;
}

/** Requests by number, with their event counts. */
export type Requests = Map<number, { readonly events: number; acknowledged: boolean }>;

/** Sends requests one after another until the process has ended. */
export async function write(
  address: Address,
  round: number,
  traffic: Traffic,
  requests: Requests,
  random: () => number,
): Promise<void> {
  const text = Array.from({ length: traffic.bytes / 8 + 1 }, () =>
    random().toString(36).slice(2, 10).padEnd(8, '_'),
  ).join('');
  for (;;) {
    const request = requests.size;
    const events = 1 + Math.floor(random() * traffic.events);
    const sent = { events, acknowledged: false };
    requests.set(request, sent);
    const lines = Array.from({ length: events }, (_, number) => {
      const at = Math.floor(random() * text.length);
      const own = text.slice(at) + text.slice(0, at);
      return `{"round":${round},"request":${request},"number":${number},"text":"${own}"}\n`;
    });
    const path = `/v1/ingest/${traffic.dataset}`;
    const type = 'application/x-ndjson';
    const answer = await send(address, 'POST', path, lines.join(''), type).catch(() => undefined);
    if (answer === undefined) return;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.ingested, events);
    sent.acknowledged = true;
  }
}

/** Returns the rows of a query's first table. */
export async function rows(address: Address, apl: string): Promise<number[][]> {
  const body = JSON.stringify({ apl, ...ALL_TIMES });
  const answer = await send(address, 'POST', '/v1/query/_apl?format=tabular', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const columns = answer.body.tables[0].columns as number[][];
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]!));
}

/** The activity of a killed process, according to its files. */
export interface Left {
  /** In the middle of a checkpoint. */
  readonly inCheckpoint: boolean;
  /** Other transactions committed during that checkpoint. */
  readonly besideCommits: boolean;
}

export async function leftBehind(data: string): Promise<Left> {
  const file = join(data, 'data.duckdb');
  const none = { inCheckpoint: false, besideCommits: false };
  if (!existsSync(file) || !existsSync(file + LOG)) return none;
  const header = parseHeaders(readFileSync(file).subarray(0, HEADERS_BYTES));
  if (header === undefined) return none;
  const log = readFileSync(file + LOG);
  const versions = [0, 1].map((n) => versionEntry(header.identifier, header.iteration - n));
  const version = versions.find((each) => log.subarray(0, each.length).equals(each));
  const { markers, committedEnd } = await readEntries(log, version?.length ?? log.length);
  const marker = markers.at(-1);
  const inCheckpoint = marker !== undefined && committedEnd - marker.end < 64;
  return { inCheckpoint, besideCommits: inCheckpoint && existsSync(file + SECOND_LOG) };
}
