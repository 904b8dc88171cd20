// Runs the Windows build of Node under Wine. Node cannot open Wine's pipes, so output goes to files.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process of Windows. */
export class WineProcess {
  readonly process: ChildProcess;
  readonly #outFile: string;
  readonly #errFile: string;
  /** The exit status; 128 after a signal. */
  readonly exited: Promise<number>;

  constructor(process: ChildProcess, outFile: string, errFile: string) {
    this.process = process;
    this.#outFile = outFile;
    this.#errFile = errFile;
    this.exited = once(process, 'exit').then(([code]) => code ?? 128);
  }

  get out(): string {
    return readFileSync(this.#outFile, 'utf8');
  }

  get err(): string {
    return readFileSync(this.#errFile, 'utf8');
  }

  /** Waits for the exit status; ends the process and gives undefined when that takes longer. */
  async statusWithin(ms: number): Promise<number | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ms);
    });
    const status = await Promise.race([this.exited, late]);
    clearTimeout(timer);
    if (status === undefined) await this.kill();
    return status;
  }

  /** Ends the process as a crash would. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }
}

export class Wine {
  readonly #node: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #started = 0;

  /** Uses the program `node`; the registry, output and temporary files are in `folder`, which exists. */
  constructor(node: string, folder: string, preload: string) {
    this.#node = node;
    this.#folder = folder;
    this.#env = {
      PATH: process.env['PATH'],
      HOME: folder,
      WINEPREFIX: join(folder, 'prefix'),
      WINEARCH: 'win64',
      WINEDEBUG: '-all',
      NODE_OPTIONS: `--require ${windowsPath(preload)} --experimental-strip-types --disable-warning=ExperimentalWarning`,
    };
  }

  /** Throws a sentence if Wine isn't installed. */
  static check(): string {
    try {
      return execFileSync('wine', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    } catch {
      throw new Error(
        'Wine is not installed. On Debian: apt-get install --no-install-recommends wine wine64',
      );
    }
  }

  /** Makes the registry, of Windows 10. */
  prepare(): void {
    if (existsSync(join(this.#folder, 'prefix', 'system.reg'))) return;
    for (const args of [
      ['wineboot', '-i'],
      ['winecfg', '-v', 'win10'],
    ])
      execFileSync('wine', args, { env: this.#env, stdio: 'ignore' });
  }

  /** Starts Node. Paths in `args` are of this system where they begin with its root. */
  start(args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): WineProcess {
    const name = join(this.#folder, `${++this.#started}`);
    const [outFile, errFile] = [`${name}.out`, `${name}.err`];
    const [out, err] = [openSync(outFile, 'w'), openSync(errFile, 'w')];
    const child = spawn('wine', [this.#node, ...args.map(windowsPath)], {
      cwd,
      env: { ...this.#env, ...more },
      stdio: ['ignore', out, err],
    });
    closeSync(out);
    closeSync(err);
    return new WineProcess(child, outFile, errFile);
  }

  /** Ends all processes of Windows. */
  end(): void {
    try {
      execFileSync('wineserver', ['-k'], { env: this.#env, stdio: 'ignore' });
    } catch {
      // None runs.
    }
  }
}

/** Wine has this system's root as its drive Z. */
export const windowsPath = (path: string): string =>
  path.startsWith('/') ? `Z:${path.replaceAll('/', '\\')}` : path;
