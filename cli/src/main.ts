#!/usr/bin/env node
/** Runs a command of `aplomb` and exits with its status. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { closest, printable, printableLines } from '../../language/src/index.ts';
import { outdatedNode } from '../../loopback/src/nodeVersion.ts';
import { supervise } from '../../loopback/src/supervise.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { type Exit, exits, expectedError, UsageError } from './usage.ts';

/** The package folder, derived from the bundle's folder. */
const home = join(__dirname, '..');

const { stdout, stderr, env } = process;
const isTerminal = stdout.isTTY === true;
const io: Io = {
  write: (text) => void stdout.write(printableLines(text)),
  writeExact: (text) => void stdout.write(text),
  note: (message) => void stderr.write(`${printable(message)}\n`),
  error: (message) => void stderr.write(`aplomb: ${printable(message)}\n`),
  isTerminal,
  hasColor: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  version: () => JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version,
  page: (code) => {
    try {
      return readFileSync(join(home, 'docs', 'diagnostics', `${code}.md`), 'utf8');
    } catch {
      return undefined;
    }
  },
};

/** A command. If it returns undefined, it sets the exit status itself. */
type Command = (args: readonly string[], io: Io) => Exit | Promise<Exit> | undefined;

const commands: Readonly<Record<string, Command>> = {
  check,
  format,
  explain,
  // These commands are in separate bundles, because loading HTTP would slow the start of the other commands.
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

/** Commands whose own bundle prints their help. */
const localCommands: ReadonlySet<string> = new Set([
  'serve',
  'backup',
  'restore',
  'export',
  'rotate-tokens',
]);

const localBundle = join(home, 'dist', 'local.cjs');

/**
 * Runs a command in the local deployment's bundle, which sets the exit status itself. Sets `process.argv` as if Node
 * had started the bundle, because the bundle starts itself again for its threads.
 */
function runLocal(name: string, args: readonly string[]): undefined {
  requireNode(name);
  process.argv.splice(1, process.argv.length, localBundle, name, ...args);
  createRequire(localBundle)(localBundle);
}

/** Checks the Node version. HTTP, zstd and the database need a later one than the other commands. */
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
  const wantsHelp = rest.slice(0, end < 0 ? rest.length : end).some(isHelp);
  if (command !== undefined && name !== undefined) {
    if (!wantsHelp || localCommands.has(name)) return command(rest, io);
    io.write(help[name as keyof typeof help]);
    return exits.clean;
  }
  if (name !== undefined && (isHelp(name) || name === 'help')) {
    io.write(help.aplomb);
    return exits.clean;
  }
  if (name === undefined) throw new UsageError(`Specify a command: ${commandList}.`);
  const suggestion = closest(name, Object.keys(commands));
  const hint =
    suggestion === undefined ? `The commands are ${commandList}.` : `Did you mean '${suggestion}'?`;
  throw new UsageError(`Unknown command '${name}'. ${hint}`);
}

const commandList = Object.keys(commands).join(', ');

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h';
}

// A reader such as `head` may close the pipe early. This isn't an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  // Wait only if the result is a promise, because a finished command has to exit immediately.
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
    // Node would print the message unescaped, and it may contain text from a file or a service.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`${printableLines(text)}\n`, () => process.exit(exits.problems));
    return;
  }
  io.error(expected.message);
  if (expected.name === 'UsageError') stderr.write('Run aplomb --help for usage.\n');
  process.exitCode = exits.error;
}
