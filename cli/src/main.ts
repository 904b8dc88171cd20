#!/usr/bin/env node
/** The process of the command `aplomb`: runs a command and exits with its status. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closest } from '../../language/src/index.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { type Exit, exits, expectedError, UsageError } from './usage.ts';

/** The package, from the folder of the bundle. */
const home = join(__dirname, '..');

const { stdout, stderr, env } = process;
const io: Io = {
  write: (text) => void stdout.write(text),
  note: (message) => void stderr.write(`${message}\n`),
  complain: (message) => void stderr.write(`aplomb: ${message}\n`),
  colour: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  version: () => JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version,
  page: (code) => {
    try {
      return readFileSync(join(home, 'docs', 'diagnostics', `${code}.md`), 'utf8');
    } catch {
      return undefined;
    }
  },
};

type Command = (args: readonly string[], io: Io) => Exit | Promise<Exit>;

const commands: Readonly<Record<string, Command>> = {
  check,
  format,
  explain,
  // A bundle of its own: HTTP would make the others start more slowly.
  ingest: async (args) => {
    requireNode(22, 19);
    return (await import('./ingest/main.ts')).ingest(args, io);
  },
};

/** The HTTP library and zstd need a later version than the other commands. */
function requireNode(major: number, minor: number): void {
  const { node } = process.versions;
  const [ownMajor = 0, ownMinor = 0] = node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  throw new UsageError(`aplomb ingest requires Node ${major}.${minor} or later. This is ${node}.`);
}

function run(args: readonly string[]): Exit | Promise<Exit> {
  const [name, ...rest] = args;
  if (name === '--version') {
    io.write(`${io.version()}\n`);
    return exits.clean;
  }
  const command = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  const end = rest.indexOf('--');
  const asksHelp = rest.slice(0, end < 0 ? rest.length : end).some(isHelp);
  if (command !== undefined && name !== undefined) {
    if (!asksHelp) return command(rest, io);
    io.write(help[name as keyof typeof help]);
    return exits.clean;
  }
  if (name !== undefined && (isHelp(name) || name === 'help')) {
    io.write(help.aplomb);
    return exits.clean;
  }
  if (name === undefined)
    throw new UsageError('Specify a command: check, format, explain or ingest.');
  const meant = closest(name, Object.keys(commands));
  const hint =
    meant === undefined
      ? 'The commands are check, format, explain and ingest.'
      : `Did you mean '${meant}'?`;
  throw new UsageError(`Unknown command '${name}'. ${hint}`);
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h';
}

// A reader such as head closes the pipe early, which is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  // Awaited only where there is something to wait for: a command that is done has to exit at once.
  const exit = run(process.argv.slice(2));
  if (exit instanceof Promise) exit.then(end, fail);
  else end(exit);
} catch (error) {
  fail(error);
}

function end(exit: Exit): void {
  process.exitCode = exit;
}

function fail(error: unknown): void {
  const expected = expectedError(error);
  if (expected === undefined) throw error;
  io.complain(expected.message);
  if (expected.name === 'UsageError') stderr.write('Run aplomb --help for usage.\n');
  process.exitCode = exits.trouble;
}
