// The local deployment beside DuckDB itself, in one run: ingest over HTTP against DuckDB reading the same
// file into a file-backed table of the same columns, and queries over HTTP against the same SQL by hand.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { build } from 'esbuild';
import { type Bench, type Measure, median, timed } from './bench.ts';
import { EVENT_COLUMNS, EVENT_READ_COLUMNS, writeEvents } from './events.ts';

const EVENTS = 1_000_000;
const EVENTS_PER_REQUEST = 10_000;
/** Requests on their way at once, as a client with time to lose sends them. */
const IN_FLIGHT = 3;
const INGEST_RUNS = 3;
const QUERY_RUNS = 31;

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.bench');

export const local: Bench = {
  name: 'local',
  about: `${EVENTS} log events of about 552 bytes, 14 fields, two of them nested; medians`,
  run: async (log) => {
    await mkdir(folder, { recursive: true });
    const file = join(folder, `events-${EVENTS}.ndjson`);
    if (!existsSync(file)) {
      log('writing the events');
      await writeEvents(`${file}.part`, EVENTS);
      await rename(`${file}.part`, file);
    }
    const requests = await requestsOf(file);
    await bundle();
    // Turn about, so that what the machine does besides weighs on both.
    const ours: number[] = [];
    const theirs: number[] = [];
    let deployment: Deployment | undefined;
    for (let run = 0; run < INGEST_RUNS; run += 1) {
      theirs.push(await ingestByHand(file));
      log(`DuckDB read the file in ${theirs.at(-1)!.toFixed(0)} ms`);
      await deployment?.stop();
      deployment = await Deployment.start();
      ours.push(await ingestOverHttp(deployment, requests));
      log(`the deployment took it in over HTTP in ${ours.at(-1)!.toFixed(0)} ms`);
    }
    const measures: Measure[] = [
      {
        measure: 'ingest of NDJSON over HTTP',
        ours: median(ours),
        theirs: median(theirs),
        unit: 'ms',
        ratio: median(ours) / median(theirs),
        bar: 2,
      },
      ...(await countByStatus(deployment!)),
    ];
    await deployment!.stop();
    return measures;
  },
};

/** The file in bodies of `EVENTS_PER_REQUEST` lines, all in memory before the clock starts. */
async function requestsOf(file: string): Promise<Buffer[]> {
  const bodies: Buffer[] = [];
  const handle = await open(file);
  try {
    let lines: string[] = [];
    for await (const line of handle.readLines()) {
      lines.push(line);
      if (lines.length < EVENTS_PER_REQUEST) continue;
      bodies.push(Buffer.from(`${lines.join('\n')}\n`));
      lines = [];
    }
    if (lines.length > 0) bodies.push(Buffer.from(`${lines.join('\n')}\n`));
  } finally {
    await handle.close();
  }
  return bodies;
}

async function bundle(): Promise<void> {
  await build({
    entryPoints: [join(root, 'local/src/main.ts')],
    outfile: join(folder, 'local.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@duckdb/node-bindings-*'],
    logLevel: 'error',
  });
}

const BY_HAND = join(folder, 'by-hand.duckdb');

/** Milliseconds DuckDB takes to read the file into a table and to have it durably in its own file. */
async function ingestByHand(file: string): Promise<number> {
  await rm(BY_HAND, { force: true });
  await rm(`${BY_HAND}.wal`, { force: true });
  const instance = await DuckDBInstance.create(BY_HAND);
  const connection = await instance.connect();
  const columns = EVENT_COLUMNS.map(([name, type]) => `"${name}" ${type}`);
  const values = EVENT_COLUMNS.map(([, , from]) => from);
  await connection.run(`CREATE TABLE events (_sysTime TIMESTAMP_NS, ${columns.join(', ')})`);
  const [ms] = await timed(1, () =>
    connection.run(
      `INSERT INTO events SELECT make_timestamp_ns(epoch_ns(now())), ${values.join(', ')}
       FROM read_json('${file}', format = 'newline_delimited', columns = ${EVENT_READ_COLUMNS})`,
    ),
  );
  connection.closeSync();
  instance.closeSync();
  return ms!;
}

async function ingestOverHttp(deployment: Deployment, bodies: readonly Buffer[]): Promise<number> {
  await deployment.call('/v2/datasets', 'application/json', Buffer.from('{"name":"events"}'));
  const [ms] = await timed(1, async () => {
    let next = 0;
    const send = async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        await deployment.call('/v1/ingest/events', 'application/x-ndjson', body);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  });
  return ms!;
}

async function countByStatus(deployment: Deployment): Promise<Measure[]> {
  const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
  const ask = (apl: string) =>
    deployment.call(
      '/v1/query/_apl?format=tabular',
      'application/json',
      Buffer.from(JSON.stringify({ apl, ...range })),
    );
  const instance = await DuckDBInstance.create(BY_HAND);
  const connection = await instance.connect();
  const sql = `SELECT status, count(*) FROM events
    WHERE _time >= '2026-01-01'::TIMESTAMP_NS AND _time < '2026-02-01'::TIMESTAMP_NS GROUP BY status`;
  const queries = {
    trip: () => ask('print x = 1'),
    ours: () => ask("['events'] | summarize count() by status"),
    theirs: async () => (await connection.run(sql)).getRows(),
  };
  const times = { trip: [] as number[], ours: [] as number[], theirs: [] as number[] };
  for (const query of Object.values(queries)) await timed(5, query);
  for (let run = 0; run < QUERY_RUNS; run += 1) {
    for (const name of ['trip', 'ours', 'theirs'] as const) {
      times[name].push(...(await timed(1, queries[name])));
    }
  }
  connection.closeSync();
  instance.closeSync();
  const [trip, ours, theirs] = [median(times.trip), median(times.ours), median(times.theirs)];
  return [
    {
      measure: 'count by status, less the trip',
      ours: ours - trip,
      theirs,
      unit: 'ms',
      ratio: (ours - trip) / theirs,
      bar: 1.5,
    },
    {
      measure: 'trip of an empty query over HTTP',
      ours: trip,
      theirs: 0,
      unit: 'ms',
      ratio: 0,
      bar: null,
    },
  ];
}

/** A deployment in a process of its own, on an empty folder. */
class Deployment {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #child: ReturnType<typeof spawn>;
  readonly #url: string;
  readonly #token: string;

  private constructor(child: ReturnType<typeof spawn>, address: { url: string; token: string }) {
    this.#child = child;
    this.#url = address.url;
    this.#token = address.token;
  }

  static async start(): Promise<Deployment> {
    const data = join(folder, 'data');
    await rm(data, { recursive: true, force: true });
    const child = spawn(process.execPath, [join(folder, 'local.cjs'), '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
    });
    let text = '';
    for await (const chunk of child.stdout!) {
      text += chunk;
      if (text.includes('\n')) break;
    }
    return new Deployment(child, JSON.parse(text));
  }

  /** Posts, and throws with the answer when it is not a success. */
  call(path: string, type: string, body: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request(
        this.#url + path,
        {
          agent: this.#agent,
          method: 'POST',
          headers: {
            authorization: `Bearer ${this.#token}`,
            'content-type': type,
            'content-length': body.length,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('error', reject).on('end', () => {
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
          });
        },
      );
      asked.on('error', reject).end(body);
    });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
