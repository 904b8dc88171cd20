/**
 * Starts `aplomb mcp` on a local deployment with sample data, and speaks to it as clients do: with the SDK's client, and
 * with one that was written from the protocol's specification.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SampleReader } from '../../ingest/src/samples/sampleReader.ts';
import type { SampleKind } from '../../ingest/src/samples/settings.ts';
import { bundle } from '../cli/run.ts';
import { call, Processes, type Running } from '../local/processes.ts';

/** A local deployment with events of the last hour. */
export class SampleDeployment {
  readonly processes: Processes;
  readonly running: Running;
  readonly data: string;

  private constructor(processes: Processes, running: Running) {
    this.processes = processes;
    this.running = running;
    this.data = join(processes.folder, 'data');
  }

  static async start(kinds: readonly SampleKind[] = ['http-logs']): Promise<SampleDeployment> {
    const processes = await Processes.create();
    const deployment = new SampleDeployment(processes, await processes.start('data'));
    for (const kind of kinds) await deployment.#fill(kind);
    return deployment;
  }

  async #fill(kind: SampleKind): Promise<void> {
    await this.post('/v2/datasets', { name: kind });
    const settings = { kind, seed: 7, events: 2_000, spanMs: 3_000_000, endMs: Date.now() };
    for await (const { body } of new SampleReader(settings).batches()) {
      await this.send(kind, Buffer.from(body).toString('utf8'));
    }
  }

  /** Stores newline-delimited events. */
  async send(dataset: string, lines: string): Promise<void> {
    const path = `/v1/ingest/${dataset}`;
    const { status } = await call(this.running, 'POST', path, lines, 'application/x-ndjson');
    assert.equal(status, 200);
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  async post(path: string, body: object): Promise<any> {
    const answer = await call(this.running, 'POST', path, JSON.stringify(body));
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  dispose(): Promise<void> {
    PlainClient.killAll();
    return this.processes.dispose();
  }
}

export interface Reply {
  readonly id?: number | string;
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client written from the specification: one JSON-RPC message per line. */
export class PlainClient {
  static readonly #children = new Set<ChildProcess>();
  readonly child: ChildProcess;
  /** The replies without an identifier. */
  readonly unclaimed: Reply[] = [];
  errors = '';
  #next = 1;
  readonly #waiting = new Map<number | string, (reply: Reply) => void>();
  readonly #exited: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.child = child;
    PlainClient.#children.add(child);
    child.once('close', () => PlainClient.#children.delete(child));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const reply = JSON.parse(line) as Reply & { readonly jsonrpc: string };
      assert.equal(reply.jsonrpc, '2.0');
      const resolve = reply.id === undefined ? undefined : this.#waiting.get(reply.id);
      if (resolve === undefined) this.unclaimed.push(reply);
      else resolve(reply);
    });
    child.stderr!.on('data', (text) => {
      this.errors += text;
    });
    child.stdin!.on('error', () => undefined);
    this.#exited = new Promise((resolve) => child.once('close', resolve));
  }

  static async start(args: readonly string[], env: object = {}, cwd?: string) {
    const client = new PlainClient(
      spawn(process.execPath, [bundle, 'mcp', ...args], {
        env: { ...process.env, NO_PROXY: '127.0.0.1', APLOMB_TOKEN: undefined, ...env },
        stdio: 'pipe',
        ...(cwd !== undefined && { cwd }),
      }),
    );
    await client.initialize();
    return client;
  }

  async initialize(): Promise<void> {
    const { result } = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'plain', version: '1' },
    });
    assert.equal(result.serverInfo.name, 'aplomb');
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Kills the processes of clients that a failed test left open. */
  static killAll(): void {
    for (const child of PlainClient.#children) child.kill('SIGKILL');
  }

  /** Sends a request, and returns its reply and a way to cancel it. */
  begin(method: string, params: object = {}): { id: number; reply: Promise<Reply> } {
    const id = this.#next;
    this.#next += 1;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve)).finally(() =>
      this.#waiting.delete(id),
    );
    this.write({ jsonrpc: '2.0', id, method, params });
    return { id, reply };
  }

  request(method: string, params: object = {}): Promise<Reply> {
    return this.begin(method, params).reply;
  }

  /** Calls a tool, and returns its text. */
  async call(name: string, input: object = {}): Promise<{ text: string; isError: boolean }> {
    const { result, error } = await this.request('tools/call', { name, arguments: input });
    assert.equal(error, undefined, JSON.stringify(error));
    assert.deepEqual(
      result.content.map(({ type }: { type: string }) => type),
      ['text'],
    );
    return { text: result.content[0].text, isError: result.isError === true };
  }

  write(message: unknown): void {
    this.writeLine(JSON.stringify(message));
  }

  writeLine(line: string): void {
    this.child.stdin!.write(`${line}\n`);
  }

  /** Ends standard input, as a client that exits does. Returns the exit status. */
  end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.#exited;
  }
}
