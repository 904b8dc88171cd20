// Runs the bundled local deployment as a separate process, for tests that kill, stop and measure
// it.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readLock } from '../../loopback/src/lock.ts';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { distDirectory, repository } from '../../scripts/host/paths.ts';
import { isRunning } from '../../system/src/running.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };

export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly personalToken: string;
}

/** The bundle of the process, which `local.cjs` starts. */
export const PROCESS_BUNDLE = 'localProcess.cjs';

/** The bundles that a process loads if ClickHouse stores the events. */
const CLICKHOUSE_BUNDLES = ['localClickHouse.cjs', 'localTranslator.cjs'];

/** Copies the bundled program. Bundles start in a fraction of the sources' time. */
export async function copyProgram(outfile: string): Promise<void> {
  await ensureBuilt();
  await copyFile(join(distDirectory, 'local.cjs'), outfile);
  for (const bundle of [PROCESS_BUNDLE, ...CLICKHOUSE_BUNDLES])
    await copyFile(join(distDirectory, bundle), join(dirname(outfile), bundle));
}

/** Bundles the landing page as shipped (dist/ only has a larger form) to the program's folder. */
export async function buildLandingPage(folder: string): Promise<void> {
  await build({
    entryPoints: [join(repository, 'local/page/main.ts')],
    outfile: join(folder, 'view', 'landing.js'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
    logLevel: 'error',
  });
}

/** Further arguments of every deployment. They let a file run the tests of another file on another engine. */
export const furtherArguments: string[] = [];

export class Processes {
  /** A temporary folder with the program and data folders. */
  readonly folder: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Processes> {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-process-'));
    await copyProgram(join(folder, 'local.cjs'));
    return new Processes(folder);
  }

  /** Kills running processes and removes the folder. */
  async dispose(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    // Processes that replaced another one.
    for (const name of await readdir(this.folder)) {
      const lock = await readLock(join(this.folder, name));
      if (lock !== undefined && isRunning(lock.pid)) process.kill(lock.pid, 'SIGKILL');
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  launch(...args: string[]): ChildProcess {
    return this.launchWith({}, ...args);
  }

  /** Launches the program with further variables of the environment. */
  launchWith(variables: Readonly<Record<string, string>>, ...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [join(this.folder, 'local.cjs'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...env, ...variables },
    });
    return this.#keep(child);
  }

  /**
   * Launches the deployment like `aplomb serve`: as the child of a process that survives restarts.
   */
  #supervise(...args: string[]): ChildProcess {
    const supervised = join(import.meta.dirname, 'supervised.ts');
    const child = spawn(process.execPath, [supervised, join(this.folder, 'local.cjs'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
    });
    return this.#keep(child);
  }

  #keep(child: ChildProcess): ChildProcess {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Starts a deployment on the folder `data` and waits until it is ready. */
  start(data: string, ...args: string[]): Promise<Running> {
    return this.#ready(this.launch(...this.#arguments(data, args)));
  }

  /** Starts a deployment below a process that survives restarts. That process is the child. */
  serve(data: string, ...args: string[]): Promise<Running> {
    return this.#ready(this.#supervise(...this.#arguments(data, args)));
  }

  /** Starts a deployment with the tokens and resources of the deployment `primary`, which is reached at `at`. */
  async startSecondary(
    { token, personalToken, url }: Running,
    data: string,
    {
      at = url,
      variables = {},
    }: { at?: string; variables?: Readonly<Record<string, string>> } = {},
    ...args: string[]
  ): Promise<Running> {
    const all = this.#arguments(data, ['--resources', at, ...args]);
    const child = this.launchWith({ APLOMB_RESOURCES_TOKEN: token, ...variables }, ...all);
    const line = await firstLine(child);
    assert.deepEqual(Object.keys(JSON.parse(line)), ['url', 'resources']);
    return { child, token, personalToken, ...JSON.parse(line) };
  }

  #arguments(data: string, args: readonly string[]): string[] {
    return ['--data', join(this.folder, data), '--port', '0', ...furtherArguments, ...args];
  }

  async #ready(child: ChildProcess): Promise<Running> {
    const line = await firstLine(child);
    assert.match(
      line,
      /^\{"url":"http:\/\/127\.0\.0\.1:\d+","token":"xaat-[\w-]{43}","personalToken":"xapt-[\w-]{43}"\}\n$/,
    );
    return { child, ...JSON.parse(line) };
  }
}

/** Returns the first line that the process prints, which must be all of its output by then. */
async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  for await (const chunk of child.stdout!) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  assert.match(text, /^[^\n]+\n$/, errors);
  return text;
}

/** Stops a process like a terminal does. Returns its exit code. */
export async function stop({ child }: Running): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

export async function call(
  { url, token }: { readonly url: string; readonly token: string },
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return { status: response.status, body: (await response.json()) as any };
}

export function query(running: Running, apl: string) {
  return call(running, 'POST', '/v1/query/_apl?format=tabular', JSON.stringify({ apl }));
}

export async function count(running: Running, dataset: string): Promise<number> {
  const { status, body } = await query(running, `['${dataset}'] | count`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.tables[0].columns[0][0];
}

/** Creates a dataset and stores 1,000 events in it. */
export async function fill(running: Running, dataset: string): Promise<void> {
  await call(running, 'POST', '/v2/datasets', JSON.stringify({ name: dataset }));
  const lines = Array.from({ length: 1_000 }, (_, i) => `{"i":${i},"s":"x${i}"}`).join('\n');
  const path = `/v1/ingest/${dataset}`;
  const { body } = await call(running, 'POST', path, lines, 'application/x-ndjson');
  assert.equal(body.ingested, 1_000);
}
