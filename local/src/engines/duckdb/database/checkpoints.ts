/**
 * Writes all checkpoints: after a pause in writes, after a trim, when the log is long, and on close. DuckDB's automatic
 * checkpoints are off, because the metadata must be copied before each checkpoint (`metadataCopy.ts`). A checkpoint
 * blocks writers, so it waits for a pause in writes if possible.
 */
import { statSync } from 'node:fs';
import { MetadataCopy } from './metadataCopy.ts';
import { LOG } from './recovery.ts';
import type { Session } from './session.ts';

/** The log size above which a checkpoint is written. DuckDB replays a log of this size in little more than a second. */
const LOG_BYTES_MAX = 64 * 1_048_576;

/** The number of commits after which a checkpoint is written. Replaying that many commits takes 1 to 2 s. */
const LOG_COMMITS_MAX = 1_000;

/** Turns off DuckDB's automatic checkpoints, both after commits and on closing a database. */
export const NO_OWN_CHECKPOINTS = [
  "SET wal_autocheckpoint = '1000TB'",
  'SET wal_autocheckpoint_entries = 0',
  'PRAGMA disable_checkpoint_on_shutdown',
];

type WithSession = (work: (session: Session) => Promise<void>) => Promise<void>;

export class Checkpoints {
  readonly #log: string;
  readonly #copy: MetadataCopy;
  readonly #withSession: WithSession;
  #last: Promise<unknown> = Promise.resolve();
  #pending: Promise<void> | undefined;
  #commits = 0;

  constructor(file: string, withSession: WithSession) {
    this.#log = file + LOG;
    this.#copy = new MetadataCopy(file);
    this.#withSession = withSession;
  }

  /** Waits until a pending checkpoint has begun, because it can't begin while a transaction has changes. */
  async ready(): Promise<void> {
    await this.#pending;
  }

  /** Counts a commit. Writes a checkpoint if replaying the log would take more than one or two seconds. */
  async countCommit(): Promise<void> {
    this.#commits += 1;
    const isLong = this.#commits >= LOG_COMMITS_MAX || this.#logBytes() > LOG_BYTES_MAX;
    if (!isLong || this.#pending !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending = promise;
    // If the checkpoint fails, for example due to a concurrent writer, the next commit retries it.
    await this.#withSession((session) => this.write(session, resolve)).catch(() => undefined);
    this.#pending = undefined;
    resolve();
  }

  #logBytes(): number {
    return statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Writes a checkpoint. Calls `onBegin` when the checkpoint starts. Fails if a session has changes. */
  write(session: Session, onBegin?: () => void): Promise<void> {
    const written = this.#last.then(() => this.#write(session, onBegin));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #write(session: Session, onBegin?: () => void): Promise<void> {
    // If the log is empty, DuckDB skips the checkpoint, so the metadata needn't be copied.
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

  /** Closes the metadata copy after the database. `isCheckpointed` is whether the last checkpoint succeeded. */
  close(isCheckpointed: boolean): Promise<void> {
    return this.#copy.close(isCheckpointed);
  }
}

// Lists the metadata blocks with free space. DuckDB never rewrites other metadata blocks.
const CHANGEABLE_BLOCKS =
  'SELECT block_id FROM pragma_metadata_info(current_database()) WHERE len(free_list) > 0';
