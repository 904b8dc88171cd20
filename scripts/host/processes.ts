// Starting and ending other programs, so that nothing started here outlives its caller.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 5_000;
const parentCheckMs = 500;

/** Runs a program to its end. Returns its standard output; throws with its output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const child = spawnProgram(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let all = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    all += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    all += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) {
    throw new Error(
      `${command} ${args.join(' ')} ended with ${code ?? signal}:\n${all.slice(-4000)}`,
    );
  }
  return out;
}

/** Starts a program. Windows starts command scripts, such as `code.cmd`, only by its shell, which takes one line. */
export function spawnProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  if (!command.endsWith('.cmd')) return spawn(command, args, options);
  return spawn(commandLine(command, args), { ...options, shell: true });
}

/** Quotes a program and its arguments for the shell of Windows. Paths there cannot contain a double quote. */
export const commandLine = (command: string, args: readonly string[]): string =>
  [command, ...args].map((each) => `"${each}"`).join(' ');

/** The name that starts npm. */
export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Asks a program to end, and ends it by force if it has not done so within five seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const outcome = await Promise.race([ended, sleep(graceMs, 'late' as const, { ref: false })]);
  if (outcome !== 'late') return;
  child.kill('SIGKILL');
  await ended;
}

/**
 * Calls `stop` once when the program is interrupted or asked to end, then exits with the signal's own
 * code. A second interrupt ends at once, for the case that stopping hangs.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (code: number) => () => {
    if (stopping) process.exit(code);
    stopping = true;
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(code);
      },
    );
  };
  process.on('SIGINT', end(130));
  process.on('SIGTERM', end(143));
}

/**
 * Ends this program when npm, which started it, is asked to end: npm passes a signal on to the shell
 * between them, and the shell ends without passing it on.
 */
export function endWithNpm(): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const check = () => process.ppid === parent || process.kill(process.pid, 'SIGTERM');
  setInterval(check, parentCheckMs).unref();
}
