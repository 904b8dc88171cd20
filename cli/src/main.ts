#!/usr/bin/env node
/** Runs an `aplomb` command and exits with its status. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { closest, printable, printableLines } from '../../language/src/index.ts';
import { outdatedNode } from '../../loopback/src/nodeVersion.ts';
import { supervise } from '../../loopback/src/supervise.ts';
import {
  type Exit,
  exits,
  isHelp,
  UsageError,
  usageLines,
  wantsHelp,
} from '../../system/src/commandLine.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';

/** The package's folder. */
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

/** Returns the exit status, or undefined if the command sets the status itself. */
type Command = (args: readonly string[], io: Io) => Exit | Promise<Exit> | undefined;

const localBundle = join(home, 'dist', 'local.cjs');

/**
 * Runs a command in the local deployment's bundle. The bundle starts itself again for its threads, so `process.argv`
 * must name it.
 */
function localCommand(name: string): Command {
  return (args) => {
    process.argv.splice(1, process.argv.length, localBundle, name, ...args);
    createRequire(localBundle)(localBundle);
    return undefined;
  };
}

const basicCommands: Readonly<Record<string, Command>> = { check, format, explain };

/** Commands that use HTTP, zstd or the database, which require a newer Node version. */
const otherCommands: Readonly<Record<string, Command>> = {
  // Separate bundles, so that the basic commands don't load HTTP at startup.
  ingest: async (args) => (await import('./ingest/main.ts')).ingest(args, io),
  pull: async (args) => (await import('./resources/main.ts')).pull(args, io),
  push: async (args) => (await import('./resources/main.ts')).push(args, io),
  mcp: async (args) => (await import('./mcp/main.ts')).mcp(args, io),
  serve: (args) => {
    supervise(localBundle, ['serve', ...args]);
    return undefined;
  },
  backup: localCommand('backup'),
  restore: localCommand('restore'),
  export: localCommand('export'),
  'rotate-tokens': localCommand('rotate-tokens'),
};

const commands = new Map(Object.entries({ ...basicCommands, ...otherCommands }));
const commandList = [...commands.keys()].join(', ');

function run([name, ...args]: readonly string[]): ReturnType<Command> {
  if (name === undefined) throw new UsageError(`Specify a command: ${commandList}.`);
  if (name === '--version') return print(`${io.version()}\n`);
  if (isHelp(name) || name === 'help') return print(help.aplomb);
  const command = commands.get(name);
  if (command === undefined) {
    const otherwise = `The commands are ${commandList}.`;
    const misspelling = { word: name, known: [...commands.keys()], otherwise };
    throw new UsageError(`Unknown command '${name}'.`, misspelling);
  }
  // Commands that aren't in `help` print their own help.
  if (wantsHelp(args) && Object.hasOwn(help, name)) return print(help[name as keyof typeof help]);
  const outdated = Object.hasOwn(otherCommands, name) && outdatedNode(`aplomb ${name}`);
  if (outdated) throw new UsageError(outdated);
  return command(args, io);
}

function print(text: string): Exit {
  io.write(text);
  return exits.clean;
}

// EPIPE means that a reader such as `head` has closed the pipe.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  // A command that has already finished must exit immediately.
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
  // Each bundle has its own copy of the error classes, so `instanceof` doesn't work.
  const name = error instanceof Error ? error.name : '';
  if (name === 'UsageError') {
    const [command = ''] = process.argv.slice(2);
    const [problem, usage] = usageLines(
      error as UsageError,
      closest,
      commands.has(command) ? command : undefined,
    );
    io.error(problem);
    io.note(usage);
  } else if (name === 'FileError') {
    io.error((error as Error).message);
  } else {
    // Node would print control characters in the message unescaped.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`${printableLines(text)}\n`, () => process.exit(exits.problems));
    return;
  }
  process.exitCode = exits.error;
}
