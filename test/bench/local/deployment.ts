/** The local deployment as a process of its own, asked over HTTP as the extension asks it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { root } from '../../house/sources.ts';
import type { Range } from './events.ts';

/** A little less than ten thousand events of the benchmark, the most that a request may have. */
const bodyBytes = 4_350_000;
/** Requests in flight: those that are being stored, those that come next, and those on their way. */
const inFlight = 110;

/** As the extension starts the process: Node keeps the compiled program. */
export function startEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(root, '.bench', 'compiled') };
}

export class Deployment {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ connections: inFlight });

  private constructor(child: ChildProcess, folder: string, url: string, token: string) {
    this.#process = child;
    this.#folder = folder;
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /** Starts the process over a folder of data, with more options; ready when it says where it listens. */
  static async start(folder: string, more: readonly string[] = []): Promise<Deployment> {
    const child = spawn(
      process.execPath,
      [join(root, 'dist', 'local.cjs'), '--data', folder, '--port', '0', ...more],
      { stdio: ['pipe', 'pipe', 'ignore'], env: startEnvironment() },
    );
    const line = await firstLine(child);
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    return new Deployment(child, folder, url, token);
  }

  get pid(): number {
    return this.#process.pid!;
  }

  async makeDataset(name = 'events'): Promise<void> {
    await this.#post('/v2/datasets', JSON.stringify({ name }), 'application/json');
  }

  /** Cuts the file at line ends into requests of nearly ten thousand events and keeps many in flight. */
  async ingest(file: string, dataset = 'events'): Promise<void> {
    const running = new Set<Promise<unknown>>();
    for await (const { bytes, done } of requests(file)) {
      while (running.size >= inFlight) await Promise.race(running);
      const sent: Promise<unknown> = this.#post(
        `/v1/ingest/${dataset}`,
        bytes,
        'application/x-ndjson',
      ).finally(() => {
        done();
        running.delete(sent);
      });
      running.add(sent);
    }
    await Promise.all(running);
  }

  /** Waits until what was written lies in the database file, which happens once nothing more is. */
  async settled(): Promise<void> {
    while (existsSync(join(this.#folder, 'data.duckdb.wal'))) await pause(250);
  }

  /** The answer's bytes. */
  query(apl: string, range: Range): Promise<Buffer> {
    const body = JSON.stringify({ apl, ...range });
    return this.#post('/v1/query/_apl?format=tabular', body, 'application/json');
  }

  /** Sends one request of NDJSON. */
  async ingestLines(dataset: string, lines: string): Promise<void> {
    await this.#post(`/v1/ingest/${dataset}`, lines, 'application/x-ndjson');
  }

  get(path: string): Promise<Buffer> {
    return this.#answer('GET', path);
  }

  /** A query of no text, which is refused before it is read: what the way there and back takes. */
  async emptyQuery(): Promise<void> {
    await this.#request('POST', '/v1/query/_apl?format=tabular', '', 'application/json');
  }

  async end(): Promise<void> {
    await this.#agent.close();
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
  }

  #post(path: string, body: string | Buffer, contentType: string): Promise<Buffer> {
    return this.#answer('POST', path, body, contentType);
  }

  async #answer(...[method, path, body, contentType]: RequestParts): Promise<Buffer> {
    const { status, bytes } = await this.#request(method, path, body, contentType);
    if (status !== 200)
      throw new Error(`${path} answered ${status}: ${bytes.subarray(0, 500).toString()}`);
    return bytes;
  }

  async #request(...[method, path, body, contentType]: RequestParts) {
    const { statusCode: status, body: answer } = await request(`${this.#url}${path}`, {
      method,
      headers: { ...this.#headers, ...(contentType && { 'content-type': contentType }) },
      ...(body !== undefined && { body }),
      dispatcher: this.#agent,
      bodyTimeout: 0,
      headersTimeout: 0,
    });
    return { status, bytes: Buffer.from(await answer.arrayBuffer()) };
  }
}

type RequestParts = [
  method: 'GET' | 'POST',
  path: string,
  body?: string | Buffer,
  contentType?: string,
];

/** The first line that a process says; an error when it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      child.stdout!.off('data', read);
      resolve(text.slice(0, end));
    };
    child.stdout!.on('data', read);
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}: ${text}`)));
  });
}

/** A body of whole lines, and what gives its memory back once it is sent. */
interface Body {
  readonly bytes: Buffer;
  readonly done: () => void;
}

/**
 * The file in bodies of whole lines, each read into memory that an earlier one has left: the client works
 * beside what is measured, so it should cost little.
 */
async function* requests(file: string): AsyncGenerator<Body> {
  const free: Buffer[] = [];
  const handle = await open(file);
  try {
    for (let from = 0; ; ) {
      const buffer = free.pop() ?? Buffer.allocUnsafeSlow(bodyBytes);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
      if (bytesRead === 0) return;
      const end = buffer.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
      from += end;
      yield { bytes: buffer.subarray(0, end), done: () => free.push(buffer) };
    }
  } finally {
    await handle.close();
  }
}

const NEWLINE = 0x0a;
