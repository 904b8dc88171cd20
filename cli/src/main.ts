#!/usr/bin/env node
/** The process of the command `aplomb`: runs a command and exits with its status. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { closest, printable, printableLines } from '../../language/src/index.ts';
import { outdatedNode } from '../../loopback/src/neededNode.ts';
import { supervise } from '../../loopback/src/supervise.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { type Exit, exits, expectedError, UsageError } from './usage.ts';

/** The package, from the folder of the bundle. */
const home = join(__dirname, '..');

const { stdout, stderr, env } = process;
const isTerminal = stdout.isTTY === true;
const io: Io = {
  write: (text) => void stdout.write(printableLines(text)),
  writeExact: (text) => void stdout.write(text),
  note: (message) => void stderr.write(`${printable(message)}\n`),
  complain: (message) => void stderr.write(`aplomb: ${printable(message)}\n`),
  isTerminal,
  colour: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  version: () => JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version,
  page: (code) => {
    try {
      return readFileSync(join(home, 'docs', 'diagnostics', `${code}.md`), 'utf8');
    } catch {
      return undefined;
    }
  },
};

/** Without an exit status, the command sets it itself. */
type Command = (args: readonly string[], io: Io) => Exit | Promise<Exit> | undefined;

const commands: Readonly<Record<string, Command>> = {
  check,
  format,
  explain,
  // Bundles of their own: HTTP would make the others start more slowly.
  ingest: async (args) => {
    requireNode('ingest');
    return (await import('./ingest/main.ts')).ingest(args, io);
  },
  pull: async (args) => {
    requireNode('pull');
    return (await import('./resources/main.ts')).pull(args, io);
  },
  push: async (args) => {
    requireNode('push');
    return (await import('./resources/main.ts')).push(args, io);
  },
  serve: (args) => {
    requireNode('serve');
    supervise(localBundle, ['serve', ...args]);
    return undefined;
  },
  backup: (args) => runLocal('backup', args),
  restore: (args) => runLocal('restore', args),
  export: (args) => runLocal('export', args),
  'rotate-tokens': (args) => runLocal('rotate-tokens', args),
};

/** Commands whose help is printed by the bundle that runs them. */
const local: ReadonlySet<string> = new Set([
  'serve',
  'backup',
  'restore',
  'export',
  'rotate-tokens',
]);

const localBundle = join(home, 'dist', 'local.cjs');

/**
 * Becomes the local deployment's program, which sets the exit status itself: as if Node had been started with its
 * bundle, since it starts that again for its threads.
 */
function runLocal(name: string, args: readonly string[]): undefined {
  requireNode(name);
  process.argv.splice(1, process.argv.length, localBundle, name, ...args);
  createRequire(localBundle)(localBundle);
}

/** HTTP, zstd and the database need a later version than the other commands. */
function requireNode(command: string): void {
  const outdated = outdatedNode(`aplomb ${command}`);
  if (outdated !== undefined) throw new UsageError(outdated);
}

function run(args: readonly string[]): ReturnType<Command> {
  const [name, ...rest] = args;
  if (name === '--version') {
    io.write(`${io.version()}\n`);
    return exits.clean;
  }
  const command = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  const end = rest.indexOf('--');
  const asksHelp = rest.slice(0, end < 0 ? rest.length : end).some(isHelp);
  if (command !== undefined && name !== undefined) {
    if (!asksHelp || local.has(name)) return command(rest, io);
    io.write(help[name as keyof typeof help]);
    return exits.clean;
  }
  if (name !== undefined && (isHelp(name) || name === 'help')) {
    io.write(help.aplomb);
    return exits.clean;
  }
  if (name === undefined) throw new UsageError(`Specify a command: ${listed}.`);
  const meant = closest(name, Object.keys(commands));
  const hint = meant === undefined ? `The commands are ${listed}.` : `Did you mean '${meant}'?`;
  throw new UsageError(`Unknown command '${name}'. ${hint}`);
}

const listed = Object.keys(commands).join(', ');

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
  else if (exit !== undefined) end(exit);
} catch (error) {
  fail(error);
}

function end(exit: Exit): void {
  process.exitCode = exit;
}

function fail(error: unknown): void {
  const expected = expectedError(error);
  if (expected === undefined) {
    // Node would print the message as it is, which can be that of a file or a service.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`${printableLines(text)}\n`, () => process.exit(exits.problems));
    return;
  }
  io.complain(expected.message);
  if (expected.name === 'UsageError') stderr.write('Run aplomb --help for usage.\n');
  process.exitCode = exits.trouble;
}
