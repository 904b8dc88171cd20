// Keeps a run's journal on disk, so that the run can be resumed after an early end, even if the process was killed.
// Answered requests aren't sent again, and unanswered ones are in doubt. Each run has one file, readable only by its
// owner. A partial last line is removed. Records survive the end of the process, but not always a power failure,
// because they aren't flushed.
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sizeOf } from './ranges.ts';
import type { JournalRecord, RunHeader } from './records.ts';
import { RunLock } from './runLock.ts';
import { RunState } from './runState.ts';

export const JOURNAL_SUFFIX = '.run.ndjson';

/** An unusable journal. The message says why and what to do. */
export class JournalProblem extends Error {}

export class Journal {
  readonly path: string;
  readonly header: RunHeader;
  /** The state after the last record at opening. The run applies the records it writes. */
  readonly state: RunState;
  readonly #handle: FileHandle;
  readonly #lock: RunLock;
  #length: number;
  /** The pending writes. They run one at a time, so that a crash can only truncate the last record. */
  #written: Promise<unknown> = Promise.resolve();

  private constructor(
    path: string,
    header: RunHeader,
    state: RunState,
    file: { readonly handle: FileHandle; readonly lock: RunLock; readonly length: number },
  ) {
    this.path = path;
    this.header = header;
    this.state = state;
    this.#handle = file.handle;
    this.#lock = file.lock;
    this.#length = file.length;
  }

  /** Creates the journal of a new run. Rejects with a write error. */
  static async create(folder: string, header: RunHeader): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = journalPath(folder, header.id);
    const lock = await RunLock.take(path);
    if (!lock) throw new JournalProblem('The run is already in progress.');
    const handle = await open(path, 'wx', 0o600);
    const journal = new Journal(path, header, new RunState(), { handle, lock, length: 0 });
    await journal.#write(header);
    return journal;
  }

  /**
   * Opens the journal of a run that ended early. Unanswered requests are settled as in doubt. Rejects with a
   * JournalProblem or a read error.
   */
  static async open(path: string): Promise<Journal> {
    const lock = await RunLock.take(path);
    if (!lock) {
      throw new JournalProblem('The run is already in progress, here or in another window.');
    }
    try {
      const { header, state, length } = await readJournal(path);
      const handle = await open(path, 'r+');
      await handle.truncate(length);
      const journal = new Journal(path, header, state, { handle, lock, length });
      for (const record of doubtOf(state)) {
        state.apply(record);
        await journal.write(record);
      }
      return journal;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Writes a record. Rejects with a JournalProblem; the run must then stop. */
  async write(record: JournalRecord): Promise<void> {
    try {
      await this.#write(record);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new JournalProblem(`Cannot record the progress of the run: ${why}.`);
    }
  }

  /** Releases the run, so that another process can resume it. */
  async close(): Promise<void> {
    await this.#written;
    await this.#handle.close();
    await this.#lock.release();
  }

  #write(value: unknown): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    const written = this.#written.then(async () => {
      await this.#handle.write(bytes, 0, bytes.length, this.#length);
      this.#length += bytes.length;
    });
    this.#written = written.catch(() => {});
    return written;
  }
}

export function newRunId(now = new Date()): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

export function journalPath(folder: string, id: string): string {
  return join(folder, `${id}${JOURNAL_SUFFIX}`);
}

/** Reads a journal without opening it for a run. `length` is the end of the last complete record. */
export async function readJournal(
  path: string,
): Promise<{ readonly header: RunHeader; readonly state: RunState; readonly length: number }> {
  const bytes = await readFile(path);
  const length = bytes.lastIndexOf(0x0a) + 1;
  const [first, ...lines] = bytes.subarray(0, length).toString().split('\n').slice(0, -1);
  try {
    const header = JSON.parse(first ?? '') as RunHeader;
    if (header.version !== 2) throw new Error('another version');
    const state = new RunState();
    for (const line of lines) state.apply(JSON.parse(line) as JournalRecord);
    return { header, state, length };
  } catch {
    throw new JournalProblem(
      'The record of the run is damaged or of another version of the extension, so it cannot be resumed. Delete the run and check in the dataset which events arrived.',
    );
  }
}

/** Settles requests whose process ended before they were answered. */
function doubtOf(state: RunState): JournalRecord[] {
  return [...state.unanswered.values()].map(({ request, batch, ranges, firstLine, lastLine }) => ({
    type: 'settled',
    request,
    batch,
    ranges,
    stored: 0,
    failed: 0,
    skipped: 0,
    doubt: { firstLine, lastLine, events: sizeOf(ranges) },
    messages: [],
    bytes: 0,
    durationMs: state.durationMs,
    failures: [],
    reasons: [],
    failedFile: state.failedFile,
  }));
}
