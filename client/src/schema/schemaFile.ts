// A deployment's schema on disk, so that completion works before anything was fetched. The file has a first line with
// a checksum, an index in JSON, and a line of JSON per dataset that is parsed on demand. Windows share the file under
// a lock. It contains no token.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { parsedJson } from '../../../api/src/plain.ts';
import { isMembers } from '../../../resources/src/value.ts';
import { removeFile, writeAtomically } from '../../../system/src/replace.ts';
import { withLock } from '../host/fileLock.ts';
import {
  anyNumber,
  anyText,
  boolean,
  type Checked,
  integer,
  list,
  members,
  oneOf,
} from '../webview/checks.ts';
import { type FieldEvidence, joinEvidence, sourceNames } from './mergeFields.ts';

const FORMAT = 'aplomb-schema 1';
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NEWLINE = Buffer.from('\n');
/** The number of datasets to process between two pauses. */
const AT_ONCE = 20;

/** The maximum sizes in bytes of one file and of all files together. The oldest data is dropped first. */
const limits = { file: 16 * 1024 * 1024, folder: 64 * 1024 * 1024 };

/** Identifies a deployment. The file's name is a hash of it, so that the name doesn't reveal the deployment. */
export interface SchemaPlace {
  readonly name: string;
  readonly general: string;
  readonly edge: string;
  readonly organization?: string | undefined;
  /** A hosted deployment's token, which determines the organization and permissions. */
  readonly token?: string | undefined;
}

const unlimited = Number.POSITIVE_INFINITY;
const safeInteger = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const isDataset = members(
  { name: anyText, kind: oneOf('dataset', 'view') },
  { description: anyText, query: anyText },
);
const isList = members({ at: anyNumber, datasets: list(isDataset, unlimited) });
export type KeptList = Checked<typeof isList>;

export interface KeptSchema {
  readonly list?: KeptList;
  readonly names: readonly string[];
  /** Returns a dataset's fields; undefined if its line is invalid. */
  evidence(dataset: string): FieldEvidence | undefined;
}

export interface SchemaToKeep {
  readonly list?: KeptList | undefined;
  readonly evidence: ReadonlyMap<string, FieldEvidence>;
  readonly gone: ReadonlySet<string>;
}

/** `at` is the time of the last change in milliseconds since 1970. */
const isEntry = members({ name: anyText, at: safeInteger, bytes: safeInteger, crc: safeInteger });
const isIndex = members({ key: anyText, entries: list(isEntry, unlimited) }, { list: isList });
type Index = Checked<typeof isIndex>;

const isField = members(
  { name: anyText, type: anyText },
  { unit: anyText, description: anyText, hidden: boolean, seenAt: anyNumber },
);
const isStatement = members({ at: anyNumber, fields: list(isField, unlimited) });

export class SchemaFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #key: string;
  readonly #limits: typeof limits;

  constructor(folder: string, place: SchemaPlace, most: typeof limits = limits) {
    const { name, general, edge, organization = null, token = null } = place;
    const identity = JSON.stringify([FORMAT, name, general, edge, organization, token]);
    this.#key = createHash('sha256').update(identity).digest('hex');
    this.#folder = folder;
    this.#path = join(folder, `${this.#key.slice(0, 32)}.schema`);
    this.#limits = most;
  }

  /** Reads the file; undefined if it is missing, damaged or of another deployment. */
  async read(): Promise<KeptSchema | undefined> {
    const read = await this.#read();
    if (read === undefined) return undefined;
    const { index, lines } = read;
    return {
      ...(index.list && { list: index.list }),
      names: index.entries.map(({ name }) => name),
      evidence: (dataset) => evidenceIn(lines.get(dataset)),
    };
  }

  /** Adds data to the file. Rejects if the folder isn't writable. */
  async write(added: SchemaToKeep): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    await withLock(`${this.#path}.lock`, async (isHeld) => {
      const bytes = await this.#joined(added);
      const check = async () => {
        if (!(await isHeld())) throw new Error('The schema on disk was changed by another window.');
      };
      await writeAtomically(this.#path, bytes, { mode: FILE_MODE, check });
    });
    await this.#prune();
  }

  async #read(): Promise<{ index: Index; lines: Map<string, Line> } | undefined> {
    let bytes: Buffer;
    try {
      // Ignore a file that another program has enlarged.
      if ((await stat(this.#path)).size > 2 * this.#limits.file) return undefined;
      bytes = await readFile(this.#path);
    } catch {
      return undefined;
    }
    const index = parseIndex(bytes);
    if (index === undefined || index.value.key !== this.#key) return undefined;
    const lines = new Map<string, Line>();
    let offset = index.end;
    for (const entry of index.value.entries) {
      lines.set(entry.name, { entry, bytes: bytes.subarray(offset, offset + entry.bytes) });
      offset += entry.bytes + NEWLINE.length;
    }
    return offset === bytes.length ? { index: index.value, lines } : undefined;
  }

  async #joined({ list: ownList, evidence, gone }: SchemaToKeep): Promise<Buffer> {
    const known = await this.#read();
    const list = newer(ownList, known?.index.list);
    const listed = new Set(list?.datasets.map(({ name }) => name));
    const lines: Line[] = [];
    for (const name of new Set([...(known?.lines.keys() ?? []), ...evidence.keys()])) {
      const kept = known?.lines.get(name);
      const own = evidence.get(name);
      const line =
        own === undefined ? kept : lineOf(name, joinEvidence(evidenceIn(kept) ?? {}, own));
      // Drop a dataset that isn't listed, because it was deleted, unless it was seen later.
      const isGone = list !== undefined && !listed.has(name) && (line?.entry.at ?? 0) < list.at;
      if (line && !isGone && !(gone.has(name) && own === undefined)) lines.push(line);
      if (lines.length % AT_ONCE === 0) await breathe();
    }
    const kept = withinLimit(lines, this.#limits.file);
    const index: Index = {
      key: this.#key,
      ...(list && {
        list: { at: list.at, datasets: list.datasets.filter(({ name }) => !gone.has(name)) },
      }),
      entries: kept.map(({ entry }) => entry),
    };
    const text = Buffer.from(JSON.stringify(index));
    const first = Buffer.from(`${FORMAT} ${text.length} ${crc32(text)}\n`);
    return Buffer.concat([first, text, NEWLINE, ...kept.flatMap(({ bytes }) => [bytes, NEWLINE])]);
  }

  /** Removes the oldest files until the folder is within its size limit. */
  async #prune(): Promise<void> {
    const files = [];
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith('.schema')) continue;
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, bytes: found.size, at: found.mtimeMs });
    }
    files.sort((one, other) => other.at - one.at);
    let bytes = 0;
    for (const file of files) {
      bytes += file.bytes;
      if (bytes > this.#limits.folder) await removeFile(file.path);
    }
  }
}

interface Line {
  readonly entry: Checked<typeof isEntry>;
  readonly bytes: Buffer;
}

function lineOf(name: string, evidence: FieldEvidence): Line {
  const bytes = Buffer.from(JSON.stringify(evidence));
  const at = Math.max(0, ...sourceNames.map((source) => evidence[source]?.at ?? 0));
  return { entry: { name, at, bytes: bytes.length, crc: crc32(bytes) }, bytes };
}

/** Returns the newest lines that fit, in their order. */
function withinLimit(lines: readonly Line[], most: number): Line[] {
  let bytes = 0;
  const fitting = new Set<Line>();
  for (const line of lines.toSorted((one, other) => other.entry.at - one.entry.at)) {
    bytes += line.bytes.length + 200;
    if (bytes > most) break;
    fitting.add(line);
  }
  return lines.filter((line) => fitting.has(line));
}

function newer(one: KeptList | undefined, other: KeptList | undefined): KeptList | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.at >= other.at ? one : other;
}

function parseIndex(bytes: Buffer): { value: Index; end: number } | undefined {
  const lineEnd = bytes.indexOf(NEWLINE);
  const first = bytes.toString('latin1', 0, Math.max(0, Math.min(lineEnd, 100)));
  const [, format, length, crc] = /^(.+) (\d+) (\d+)$/.exec(first) ?? [];
  if (format !== FORMAT) return undefined;
  const end = lineEnd + 1 + Number(length);
  const text = bytes.subarray(lineEnd + 1, end);
  if (crc32(text) !== Number(crc)) return undefined;
  const index = parsedJson(text.toString(), JSON.parse);
  return isIndex(index) ? { value: index, end: end + NEWLINE.length } : undefined;
}

function evidenceIn(line: Line | undefined): FieldEvidence | undefined {
  if (line === undefined || crc32(line.bytes) !== line.entry.crc) return undefined;
  const evidence = parsedJson(line.bytes.toString(), JSON.parse);
  if (!isMembers(evidence)) return undefined;
  const known = sourceNames.flatMap((source) => {
    const statement = evidence[source];
    return isStatement(statement) ? [[source, statement] as const] : [];
  });
  return Object.fromEntries(known);
}
