// VS Code without a desktop: the server and browser workbench that the npm package code-server carries,
// installed outside the project's own dependencies and started on a loopback port.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { cached } from './cache.ts';
import { npm, run, stopProcess } from './processes.ts';

const version = '4.139.1';
const startLimitMs = 60_000;
const hostEndMs = 60_000;

/** A running VS Code server. */
export interface VscodeServer {
  readonly port: number;
  /** The authority that its `vscode-remote:` addresses carry. */
  readonly authority: string;
  /** Waits until no extension host runs: that of a window ends after the window. Throws after a minute. */
  hostsEnded(): Promise<void>;
  /** Ends the server and its extension hosts. */
  stop(): Promise<void>;
}

/** How a server is to be started. Every folder is an absolute path that exists or can be created. */
export interface VscodeServerOptions {
  readonly userDataDirectory: string;
  readonly extensionsDirectory: string;
  /**
   * Whether the workbench loads an extension under development and reports a suite's exit code. It then
   * shows no notifications, so a person's window and tests of notifications go without it.
   */
  readonly smokeTestDriver?: boolean;
  /** How long an extension host waits for a window that disconnected without notice; hours by default. */
  readonly graceSeconds?: number;
  /** Added to the environment of the server, and so of every extension host. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Installs VS Code's server into the cache unless it is there, and returns the folder of its build.
 * The packages' install scripts are not run: they would compile modules that nothing here needs, and
 * that want headers a plain machine lacks.
 */
export async function installVscode(): Promise<string> {
  const folder = await cached(`code-server-${version}`, async (target) => {
    process.stderr.write(`Installing VS Code for the browser (code-server ${version}).\n`);
    await writeFile(join(target, 'package.json'), '{ "private": true }\n');
    await npmInstall(target, [`code-server@${version}`]);
    await npmInstall(buildFolder(target), ['--omit=dev']);
  });
  return buildFolder(folder);
}

function buildFolder(installed: string): string {
  return join(installed, 'node_modules', 'code-server', 'lib', 'vscode');
}

async function npmInstall(folder: string, args: readonly string[]): Promise<void> {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : [npm, []];
  const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await run(command, [...first, ...flags, ...args], { cwd: folder });
}

/** Starts VS Code's server and resolves when it answers. Throws with its last output if it does not. */
export async function startVscodeServer(options: VscodeServerOptions): Promise<VscodeServer> {
  const build = await installVscode();
  const child = spawn(
    process.execPath,
    [
      join(build, 'out', 'server-main.js'),
      '--host=127.0.0.1',
      '--port=0',
      '--without-connection-token',
      '--accept-server-license-terms',
      ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
      '--telemetry-level=off',
      ...(options.graceSeconds === undefined
        ? []
        : [`--reconnection-grace-time=${options.graceSeconds}`]),
      `--user-data-dir=${options.userDataDirectory}`,
      `--extensions-dir=${options.extensionsDirectory}`,
    ],
    { env: { ...process.env, ...options.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(join(options.userDataDirectory, 'server.log'));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  try {
    const hosts = watchHosts(child);
    const port = await listeningPort(child);
    return {
      port,
      authority: `127.0.0.1:${port}`,
      hostsEnded: () => allEnded(hosts),
      stop: () => stopProcess(child),
    };
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
}

/** Installs a packaged extension into an extensions folder, as a user's `code --install-extension` does. */
export async function installExtension(vsix: string, options: VscodeServerOptions): Promise<void> {
  const build = await installVscode();
  await run(process.execPath, [
    join(build, 'out', 'server-main.js'),
    '--accept-server-license-terms',
    `--user-data-dir=${options.userDataDirectory}`,
    `--extensions-dir=${options.extensionsDirectory}`,
    `--install-extension=${vsix}`,
    '--force',
  ]);
}

/** The processes of extension hosts that run, from what the server logs of them. */
function watchHosts(child: ChildProcess): ReadonlySet<string> {
  const hosts = new Set<string>();
  if (child.stdout === null) return hosts;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, pid, event] = /<(\d+)> (Launched|Extension Host Process exited)/.exec(line) ?? [];
    if (pid === undefined) return;
    if (event === 'Launched') hosts.add(pid);
    else hosts.delete(pid);
  });
  return hosts;
}

async function allEnded(hosts: ReadonlySet<string>): Promise<void> {
  for (const end = Date.now() + hostEndMs; hosts.size > 0; await sleep(50))
    if (Date.now() > end) throw new Error(`The extension host ${[...hosts]} did not end.`);
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => fail('did not start within a minute'), startLimitMs);
    const fail = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`VS Code's server ${what}. Its last output:\n${output.slice(-2000)}`));
    };
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const match = /Extension host agent listening on (\d+)/.exec(output);
      if (!match) return;
      clearTimeout(timer);
      child.stdout?.off('data', read);
      resolve(Number(match[1]));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', (chunk: Buffer) => {
      if (output.length < 1_000_000) output += chunk.toString();
    });
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
}
