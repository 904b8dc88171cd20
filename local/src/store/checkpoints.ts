/**
 * Writes all checkpoints of the database: when nothing was written for a while, when the log is long, and at the end.
 * DuckDB writes none by itself, since the metadata is copied before each (`metadataCopy.ts`). Writers wait for a
 * checkpoint, and it rewrites the last, unfilled row group, so they are put off.
 */
import { statSync } from 'node:fs';
import type { Session } from './duckdb.ts';
import { MetadataCopy } from './metadataCopy.ts';
import { LOG } from './recovery.ts';

/** DuckDB replays about 50 MB of a log in a second. */
const LOG_BYTES_MAX = 64 * 1_048_576;

/** A transaction takes a millisecond or two to replay, however small. */
const LOG_COMMITS_MAX = 1_000;

/** Settings without which DuckDB writes checkpoints by itself: after commits, and when it closes a database. */
export const NO_OWN_CHECKPOINTS = [
  "SET wal_autocheckpoint = '1000TB'",
  'SET wal_autocheckpoint_entries = 0',
  'PRAGMA disable_checkpoint_on_shutdown',
];

/** Runs `work` with a session of its own. */
type Lend = (work: (session: Session) => Promise<void>) => Promise<void>;

export class Checkpoints {
  readonly #log: string;
  readonly #copy: MetadataCopy;
  readonly #lend: Lend;
  #last: Promise<unknown> = Promise.resolve();
  #begin: Promise<void> | undefined;
  #commits = 0;

  constructor(file: string, lend: Lend) {
    this.#log = file + LOG;
    this.#copy = new MetadataCopy(file);
    this.#lend = lend;
  }

  /** Waits for a checkpoint that follows a commit to begin. It cannot begin while a transaction has changes. */
  async begun(): Promise<void> {
    await this.#begin;
  }

  /** Notes a commit, and writes a checkpoint when replaying the log would take more than a second or two. */
  async noteCommit(): Promise<void> {
    this.#commits += 1;
    const isLong = this.#commits >= LOG_COMMITS_MAX || this.#logBytes() > LOG_BYTES_MAX;
    if (!isLong || this.#begin !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begin = promise;
    // One that fails, for example beside a writer, comes again with the next commit.
    await this.#lend((session) => this.write(session, resolve)).catch(() => undefined);
    this.#begin = undefined;
    resolve();
  }

  #logBytes(): number {
    return statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Writes a checkpoint after any that is being written, and calls `onBegin` once DuckDB begins it. Throws an
   * EngineError while other sessions have changes.
   */
  write(session: Session, onBegin?: () => void): Promise<void> {
    const written = this.#last.then(() => this.#write(session, onBegin));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #write(session: Session, onBegin?: () => void): Promise<void> {
    // DuckDB would do nothing.
    if (this.#logBytes() === 0) return;
    await this.#copy.save(async () => {
      const rows = await session.rows<[bigint]>(CHANGEABLE_BLOCKS);
      return rows.map(([index]) => Number(index));
    });
    const written = session.run('CHECKPOINT');
    onBegin?.();
    await written;
    this.#commits = 0;
  }

  /** Releases the files once DuckDB has closed the database; `isWhole` is whether the last checkpoint succeeded. */
  close(isWhole: boolean): Promise<void> {
    return this.#copy.close(isWhole);
  }
}

// A block without an unused part is not written again.
const CHANGEABLE_BLOCKS =
  'SELECT block_id FROM pragma_metadata_info(current_database()) WHERE len(free_list) > 0';
