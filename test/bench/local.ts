/**
 * The local deployment against DuckDB by hand: the same file into the same columns with the same
 * durability, and the same question as SQL in-process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Agent, request } from 'undici';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import { rangeOf, writeEvents } from './events.ts';
import { type Bench, type Measure, measure, median, timed } from './measure.ts';

const events = 1_000_000;
const perRequest = 10_000;
/** Requests in flight: enough to keep both the reader and the engine busy. */
const inFlight = 4;
const runs = 15;

export const local: Bench = {
  name: 'local',
  summary: 'ingest and a count by status, against DuckDB by hand',
  async run(progress) {
    await ensureBuilt();
    const folder = join(root, '.bench');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `events-${events}.ndjson`);
    progress(`writing ${events.toLocaleString('en-US')} events`);
    const bytes = await writeEvents(file, events);
    progress(`${Math.round(bytes / events)} bytes an event`);
    const peer = await Peer.open(join(folder, 'peer'));
    const ours = await Deployment.start(join(folder, 'ours'));
    try {
      progress('DuckDB reads the file');
      const theirIngest = await timed(() => peer.ingest(file));
      progress('the local deployment ingests the file');
      const ourIngest = await timed(() => ours.ingest(file));
      const stored = await ours.count();
      if (stored !== events) throw new Error(`${stored} events are stored, not ${events}`);
      return [
        measure(
          'local',
          `ingest of ${events.toLocaleString('en-US')} events`,
          'ms',
          ourIngest,
          theirIngest,
          2,
        ),
        ...(await countByStatus(ours, peer)),
      ];
    } finally {
      await ours.end();
      peer.close();
      for (const name of ['ours', 'peer'])
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  },
};

async function countByStatus(ours: Deployment, peer: Peer): Promise<Measure[]> {
  const [trips, queries, statements]: [number[], number[], number[]] = [[], [], []];
  for (let run = 0; run < runs + 3; run++) {
    const trip = await timed(() => ours.query('print 1'));
    const query = await timed(() => ours.query("['events'] | summarize count() by status"));
    const statement = await timed(() => peer.countByStatus());
    // The first rounds warm both up.
    if (run < 3) continue;
    trips.push(trip);
    queries.push(query);
    statements.push(statement);
  }
  const own = Math.max(0, median(queries) - median(trips));
  return [measure('local', 'count by status, less the trip', 'ms', own, median(statements), 1.5)];
}

// ── DuckDB by hand ────────────────────────────────────────────────────────────────────────────────

class Peer {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(folder: string): Promise<Peer> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const instance = await DuckDBInstance.create(join(folder, 'peer.duckdb'));
    return new Peer(instance, await instance.connect());
  }

  /** Into typed columns, one for each leaf, committed to a file. */
  async ingest(file: string): Promise<void> {
    await this.#connection.run(`
      CREATE TABLE events ("_sysTime" TIMESTAMP_NS, "_time" TIMESTAMP_NS, level VARCHAR, method VARCHAR,
        uri VARCHAR, status BIGINT, duration DOUBLE, bytes BIGINT, host VARCHAR, client VARCHAR,
        user_agent VARCHAR, trace_id VARCHAR, message VARCHAR, "geo.city" VARCHAR, "geo.country" VARCHAR,
        "kubernetes.pod" VARCHAR, "kubernetes.namespace" VARCHAR, "kubernetes.node" VARCHAR)`);
    await this.#connection.run(`
      INSERT INTO events SELECT now()::TIMESTAMP::TIMESTAMP_NS, "_time"::TIMESTAMP_NS, level, method, uri, status, duration, bytes,
        host, client, user_agent, trace_id, message, geo.city, geo.country, kubernetes.pod,
        kubernetes.namespace, kubernetes.node
      FROM read_json('${file.replaceAll("'", "''")}', format = 'newline_delimited', columns = {
        "_time": 'VARCHAR', level: 'VARCHAR', method: 'VARCHAR', uri: 'VARCHAR', status: 'BIGINT',
        duration: 'DOUBLE', bytes: 'BIGINT', host: 'VARCHAR', client: 'VARCHAR', user_agent: 'VARCHAR',
        trace_id: 'VARCHAR', message: 'VARCHAR', geo: 'STRUCT(city VARCHAR, country VARCHAR)',
        kubernetes: 'STRUCT(pod VARCHAR, namespace VARCHAR, node VARCHAR)' })`);
  }

  async countByStatus(): Promise<void> {
    const { startTime, endTime } = rangeOf(events);
    const reader = await this.#connection.runAndReadAll(`
      SELECT status, count(*) FROM events
      WHERE "_time" >= '${startTime}'::TIMESTAMP_NS AND "_time" < '${endTime}'::TIMESTAMP_NS GROUP BY status`);
    if (reader.currentRowCount === 0) throw new Error('the peer has no events');
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

// ── The local deployment over HTTP ────────────────────────────────────────────────────────────────

class Deployment {
  readonly #process: ChildProcess;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ connections: inFlight });

  private constructor(child: ChildProcess, url: string, token: string) {
    this.#process = child;
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  static async start(folder: string): Promise<Deployment> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const child = spawn(
      process.execPath,
      [join(root, 'dist', 'local.cjs'), '--data', folder, '--port', '0'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const line = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const end = text.indexOf('\n');
        if (end >= 0) resolve(text.slice(0, end));
      });
      child.once('exit', (code) => reject(new Error(`the local deployment ended with ${code}`)));
    });
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const made = new Deployment(child, url, token);
    await made.#post('/v2/datasets', JSON.stringify({ name: 'events' }), 'application/json');
    return made;
  }

  /** Cuts the file at line ends into requests of ten thousand events and keeps a few in flight. */
  async ingest(file: string): Promise<void> {
    const running = new Set<Promise<unknown>>();
    for await (const body of requests(file)) {
      while (running.size >= inFlight) await Promise.race(running);
      const sent: Promise<unknown> = this.#post(
        '/v1/ingest/events',
        body,
        'application/x-ndjson',
      ).finally(() => running.delete(sent));
      running.add(sent);
    }
    await Promise.all(running);
  }

  query(apl: string): Promise<string> {
    const body = JSON.stringify({ apl, ...rangeOf(events) });
    return this.#post('/v1/query/_apl?format=tabular', body, 'application/json');
  }

  async count(): Promise<number> {
    const answer = JSON.parse(await this.query("['events'] | count"));
    return answer.tables[0].columns[0][0];
  }

  async end(): Promise<void> {
    await this.#agent.close();
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
  }

  async #post(path: string, body: string | Buffer, contentType: string): Promise<string> {
    const { statusCode, body: answer } = await request(`${this.#url}${path}`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': contentType },
      body,
      dispatcher: this.#agent,
    });
    const text = await answer.text();
    if (statusCode !== 200)
      throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 500)}`);
    return text;
  }
}

async function* requests(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let lines = 0;
  for await (const chunk of createReadStream(file, {
    highWaterMark: 1 << 20,
  }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      lines += 1;
      if (lines < perRequest) continue;
      parts.push(chunk.subarray(from, at + 1));
      yield Buffer.concat(parts);
      parts = [];
      lines = 0;
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) yield rest;
}
