// Records a process's file operations in a folder (with strace) and simulates a power loss at any
// moment: synced data remains, and any part of the other data may.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Returns why processes can't be traced here, or false if they can. */
export function whyNotTraced(): string | false {
  try {
    execFileSync('strace', ['-o', '/dev/null', '-e', 'trace=write', 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'strace is missing or may not trace';
  }
}

const CALLS =
  'openat,close,write,writev,pwrite64,pwritev,fsync,fdatasync,rename,link,unlink,ftruncate';

/** Runs a program under strace, which writes to the file `trace`. */
export function spawnTraced(trace: string, program: string, args: string[]): ChildProcess {
  const options = ['-f', '-qq', '-xx', '-s', '600000', '-e', `trace=${CALLS}`, '-o', trace];
  return spawn('strace', [...options, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A system call. A sync keeps the writes from before its start. */
export type Step =
  | { readonly kind: 'open'; readonly path: string; readonly file: number; readonly empty: boolean }
  | { readonly kind: 'close'; readonly file: number }
  | { readonly kind: 'write'; readonly file: number; readonly at?: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly length: number }
  | { readonly kind: 'sync-begin' | 'sync-end'; readonly file: number; readonly id: number }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string };

/** Reads a trace without its failed calls. */
export function readTrace(trace: string): Step[] {
  const steps: Step[] = [];
  const begun = new Map<string, { readonly text: string; readonly id: number }>();
  let id = 0;
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const unfinished = / <unfinished \.\.\.>$/.exec(text);
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    id += 1;
    if (unfinished !== null) {
      const start = text.slice(0, unfinished.index);
      begun.set(thread, { text: start, id });
      const file = syncedBy(start);
      if (file !== undefined) steps.push({ kind: 'sync-begin', file, id });
      continue;
    }
    const start = resumed === null ? undefined : begun.get(thread);
    begun.delete(thread);
    const whole = start === undefined ? text : start.text + text.slice(resumed![0].length);
    const file = syncedBy(whole);
    if (file !== undefined && start === undefined) steps.push({ kind: 'sync-begin', file, id });
    steps.push(...stepsOf(whole, start?.id ?? id));
  }
  return steps;
}

function syncedBy(call: string): number | undefined {
  const [, file] = /^f(?:data)?sync\((\d+)/.exec(call) ?? [];
  return file === undefined ? undefined : Number(file);
}

function stepsOf(call: string, id: number): Step[] {
  const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+)/s.exec(call) ?? [];
  const value = Number(result);
  if (name === '' || value < 0) return [];
  const file = Number(/^\d+/.exec(args)?.[0]);
  const texts = [...args.matchAll(/"((?:\\x..)*)"/g)].map(([, hex]) => bytesOf(hex!));
  const numbers = args.split(', ').map(Number);
  const [path = '', to = ''] = texts.map((bytes) => bytes.toString());
  switch (name) {
    case 'openat':
      return [{ kind: 'open', path, file: value, empty: args.includes('O_TRUNC') }];
    case 'close':
      return [{ kind: 'close', file }];
    case 'write':
    case 'writev':
      return [{ kind: 'write', file, bytes: Buffer.concat(texts).subarray(0, value) }];
    case 'pwrite64':
    case 'pwritev':
      return [
        {
          kind: 'write',
          file,
          at: numbers.at(-1)!,
          bytes: Buffer.concat(texts).subarray(0, value),
        },
      ];
    case 'ftruncate':
      return [{ kind: 'truncate', file, length: numbers[1]! }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync-end', file, id }];
    case 'rename':
    case 'link':
      return [{ kind: name, path, to }];
    case 'unlink':
      return [{ kind: name, path }];
    default:
      return [];
  }
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/** A change of a file: bytes at an offset, or a new length. */
interface Change {
  readonly at: number;
  readonly bytes?: Buffer;
}

class Inode {
  /** The content that survives any power loss. */
  kept: Buffer = Buffer.alloc(0);
  /** The changes since the last sync. */
  changes: Change[] = [];
  length = 0;
}

type Names = Map<string, Inode>;
type Naming = (names: Names) => void;

/** The outcome of changes that were not synced. */
export type Fate = 'lost' | 'written' | 'torn';

/** The files of one folder, without subfolders. */
export class Disk {
  readonly #folder: string;
  readonly #names: Names = new Map();
  readonly #keptNames: Names = new Map();
  /** The changes of names since the folder was synced. */
  #namings: Naming[] = [];
  readonly #open = new Map<
    number,
    { readonly inode?: Inode; readonly folder?: boolean; at: number }
  >();
  readonly #syncs = new Map<number, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the name of an open file in the folder, or undefined for other files. */
  nameOf(file: number): string | undefined {
    const inode = this.#open.get(file)?.inode;
    return [...this.#names].find(([, each]) => each === inode)?.[0];
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns whether a power loss may leave a different file or no file with this name. */
  isUnsynced(name: string): boolean {
    return this.#keptNames.get(name) !== this.#names.get(name);
  }

  apply(step: Step): void {
    const open = 'file' in step ? this.#open.get(step.file) : undefined;
    switch (step.kind) {
      case 'open':
        this.#opened(step.path, step.file, step.empty);
        break;
      case 'close':
        this.#open.delete(step.file);
        break;
      case 'write':
        if (open?.inode === undefined) break;
        change(open.inode, { at: step.at ?? open.inode.length, bytes: step.bytes });
        break;
      case 'truncate':
        if (open?.inode !== undefined) change(open.inode, { at: step.length });
        break;
      case 'sync-begin':
        this.#syncs.set(
          step.id,
          open?.folder === true ? this.#namings.length : (open?.inode?.changes.length ?? 0),
        );
        break;
      case 'sync-end':
        this.#synced(open, this.#syncs.get(step.id) ?? 0);
        break;
      default:
        this.#named(step);
    }
  }

  #opened(path: string, file: number, empty: boolean): void {
    if (path === this.#folder) this.#open.set(file, { folder: true, at: 0 });
    if (dirname(path) !== this.#folder) return;
    const name = basename(path);
    let inode = this.#names.get(name);
    if (inode === undefined) {
      const made = new Inode();
      inode = made;
      this.#name((names) => names.set(name, made));
    }
    if (empty) change(inode, { at: 0 });
    this.#open.set(file, { inode, at: 0 });
  }

  #named(step: Extract<Step, { kind: 'rename' | 'link' | 'unlink' }>): void {
    if (dirname(step.path) !== this.#folder) return;
    const from = basename(step.path);
    const inode = this.#names.get(from);
    this.#name((names) => {
      if (step.kind !== 'unlink' && inode !== undefined) names.set(basename(step.to), inode);
      if (step.kind !== 'link') names.delete(from);
    });
  }

  #name(naming: Naming): void {
    naming(this.#names);
    this.#namings.push(naming);
  }

  #synced(open: { readonly inode?: Inode; readonly folder?: boolean } | undefined, count: number) {
    if (open?.folder === true) {
      for (const naming of this.#namings.splice(0, count)) naming(this.#keptNames);
    }
    const { inode } = open ?? {};
    if (inode === undefined) return;
    for (const each of inode.changes.splice(0, count)) inode.kept = changed(inode.kept, each);
  }

  /** Writes the state after a power loss now to another folder. */
  leave(folder: string, fate: Fate, below: (limit: number) => number): void {
    mkdirSync(folder);
    const names = new Map(this.#keptNames);
    const known = { lost: 0, written: this.#namings.length, torn: below(this.#namings.length + 1) };
    for (const naming of this.#namings.slice(0, known[fate])) naming(names);
    for (const [name, inode] of names) {
      if (fate === 'torn') writeFileSync(join(folder, name), torn(inode, name, below));
      else if (fate === 'lost') writeFileSync(join(folder, name), inode.kept);
      else writeFileSync(join(folder, name), inode.changes.reduce(changed, inode.kept));
    }
  }
}

function change(inode: Inode, given: Change): void {
  inode.changes.push(given);
  const end = given.at + (given.bytes?.length ?? 0);
  inode.length = given.bytes === undefined ? end : Math.max(inode.length, end);
}

function changed(content: Buffer, { at, bytes }: Change): Buffer {
  if (bytes === undefined) {
    return Buffer.concat([content.subarray(0, at), Buffer.alloc(Math.max(0, at - content.length))]);
  }
  const result = Buffer.alloc(Math.max(content.length, at + bytes.length));
  content.copy(result);
  bytes.copy(result, at);
  return result;
}

/**
 * A disk writes whole pages of a database in any order, and any prefix of the data appended to a
 * log.
 */
const PAGE = 4_096;

function torn(inode: Inode, name: string, below: (limit: number) => number): Buffer {
  if (name.includes('.wal')) {
    let content = inode.kept;
    const count = below(inode.changes.length + 1);
    for (const each of inode.changes.slice(0, count)) content = changed(content, each);
    const next = inode.changes[count];
    if (next?.bytes === undefined) return content;
    return changed(content, {
      at: next.at,
      bytes: next.bytes.subarray(0, below(next.bytes.length)),
    });
  }
  const pages: { readonly at: number; readonly bytes: Buffer }[] = [];
  for (const { at, bytes } of inode.changes) {
    for (let page = 0; page < (bytes?.length ?? 0); page += PAGE) {
      if (below(2) === 0) continue;
      pages.push({ at: at + page, bytes: bytes!.subarray(page, page + PAGE) });
    }
  }
  const ends = pages.map(({ at, bytes }) => at + bytes.length);
  const content = Buffer.alloc(Math.max(inode.kept.length, ...ends));
  inode.kept.copy(content);
  for (const { at, bytes } of pages) bytes.copy(content, at);
  return content;
}
