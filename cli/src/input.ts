/** Finds the files that the command line names, and reads them as text. */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { naturalOrder } from '../../api/src/naturalOrder.ts';
import { FileError, reasonOf, UsageError } from '../../system/src/commandLine.ts';
import { findEscapingLink, isWithin } from './links.ts';
import { expandPattern } from './patterns.ts';

export interface Input {
  readonly name: string;
  readonly text: string;
  readonly hasBom: boolean;
}

export const standardInput = '-';
const standardInputName = '<stdin>';

/** Maximum file size in bytes. Analyzing larger files needs too much memory. */
const maxBytes = 16 * 1024 * 1024;

const apl = /\.apl$/i;

interface FindCallbacks {
  /** Called if an operand can't be read or has no matching files. */
  readonly onError: (message: string) => void;
  /** Called for each ignored link to a file outside the searched folder. */
  readonly onNote: (message: string) => void;
}

/**
 * Returns the paths of all files that the operands name, without duplicates and in natural order. Searches folders for
 * `.apl` files, but not hidden folders or `node_modules`. Ignores symbolic links to files outside the link's folder or
 * the searched folder.
 * @throws UsageError if there are no operands.
 */
export function findFiles(operands: readonly string[], callbacks: FindCallbacks): string[] {
  if (operands.length === 0)
    throw new UsageError('Specify files or folders, or - for standard input.');
  const found = new Map<string, string>();
  const add = (path: string) => {
    const key = path === standardInput ? path : resolve(path);
    if (!found.has(key)) found.set(key, path);
  };
  for (const operand of expandOperands(operands, callbacks)) {
    try {
      rejectEscapingLink(operand);
      if (operand === standardInput || !statSync(operand).isDirectory()) {
        add(operand);
        continue;
      }
    } catch (error) {
      callbacks.onError(messageOf(operand, error));
      continue;
    }
    const below = filesBelow(operand, callbacks);
    if (below.length === 0) callbacks.onError(`No .apl files found in ${operand}.`);
    for (const path of below) add(path);
  }
  return [...found.values()].sort(naturalOrder);
}

function expandOperands(operands: readonly string[], { onError }: FindCallbacks): string[] {
  return operands.flatMap((operand) => {
    try {
      return expandPattern(operand);
    } catch (error) {
      onError((error as FileError).message);
      return [];
    }
  });
}

/** Rejects an operand with a FileError if it doesn't exist, or if a symbolic link in it leads out of its own folder. */
export function rejectEscapingLink(operand: string): void {
  if (operand === standardInput) return;
  let link: string | undefined;
  try {
    link = findEscapingLink(operand);
  } catch (error) {
    throw new FileError(messageOf(operand, error));
  }
  if (link === undefined) return;
  const what = link === resolve(operand) ? 'it' : relative('', link);
  throw new FileError(
    `Cannot read ${operand}: ${what} is a link that leads out of its folder. Specify the file itself.`,
  );
}

function messageOf(path: string, error: unknown): string {
  return error instanceof FileError ? error.message : `Cannot read ${path}: ${reasonOf(error)}.`;
}

function filesBelow(folder: string, { onError, onNote }: FindCallbacks): string[] {
  const found: string[] = [];
  const root = realpathSync(folder);
  const waiting = [folder];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    try {
      for (const entry of readdirSync(current, { withFileTypes: true })) {
        const { name } = entry;
        const path = join(current, name);
        // A link to a folder might be circular.
        if (entry.isDirectory()) {
          if (!name.startsWith('.') && name !== 'node_modules') waiting.push(path);
        } else if (apl.test(name) && isFile(path)) {
          if (isWithin(root, realpathSync(path))) found.push(path);
          else onNote(`Ignored ${path}: it is a link to a file outside ${folder}.`);
        }
      }
    } catch (error) {
      onError(messageOf(current, error));
    }
  }
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Reads a file or standard input. Throws a FileError if it can't be read, is too large or isn't UTF-8. */
export function readInput(path: string): Input {
  const name = path === standardInput ? standardInputName : path;
  const bytes = readBytes(path, name);
  const text = decode(bytes, name);
  const hasBom = text.startsWith('\ufeff');
  return { name, text: hasBom ? text.slice(1) : text, hasBom };
}

function readBytes(path: string, name: string): Buffer {
  let file: number | undefined;
  try {
    file = path === standardInput ? 0 : openSync(path, 'r');
    if (fstatSync(file).isDirectory()) throw new FileError(`Cannot read ${name}: it is a folder.`);
    return readAll(file, name);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Cannot read ${name}: ${reasonOf(error)}.`);
  } finally {
    if (file !== undefined && file !== 0) closeSync(file);
  }
}

/** Reads a file to its end, because pipes and devices report no size. */
function readAll(file: number, name: string): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(65_536);
    const count = readSome(file, piece);
    if (count === 0) return Buffer.concat(pieces, length);
    length += count;
    if (length > maxBytes)
      throw new FileError(`Cannot read ${name}: it is larger than ${maxBytes / 1024 / 1024} MB.`);
    pieces.push(piece.subarray(0, count));
  }
}

function readSome(file: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(file, into);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      // Reading fails with EAGAIN if a terminal or pipe has no data yet.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function decode(bytes: Buffer, name: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new FileError(
      `Cannot read ${name}: line ${firstInvalidLine(bytes, decoder)} is not valid UTF-8.`,
    );
  }
}

/** Returns the number of the first invalid line. In UTF-8, byte 10 is always a line feed, so splits before decoding. */
function firstInvalidLine(bytes: Buffer, decoder: TextDecoder): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}
