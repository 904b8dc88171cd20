/** Creates backups of the database and the settings files in the data folder while they are in use. */
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../defined.ts';
import { ApiError } from '../errors.ts';
import { LICENSE_FILE } from '../license/license.ts';
import { PRICES_FILE } from '../planner/prices.ts';
import { readElsewhere } from '../store/elsewhere.ts';
import { DATABASE_FILE, type Store } from '../store/store.ts';
import { archiveBytes, type Member, writeArchive } from './archive.ts';
import { copyDatabase, type SnapshotProgress, type TableCount } from './snapshot.ts';

export const MANIFEST_FILE = 'manifest.json';

/** Increment this when earlier versions of the program can't read new backups. */
export const BACKUP_FORMAT = 1;

/** The settings files in a backup. The owner's tokens are excluded, so that a backup grants its readers no access. */
export const SETTINGS_FILES = [LICENSE_FILE, PRICES_FILE] as const;

export interface Manifest {
  readonly format: number;
  /** Start time of the backup, in RFC 3339. */
  readonly created: string;
  readonly tables: readonly TableCount[];
  /** ClickHouse's database with the events. Absent if the backup has them. */
  readonly clickhouse?: string;
}

export interface Backup {
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Yields the backup file's bytes. Deletes the temporary file on completion, error or cancellation. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  readonly release: () => Promise<void>;
}

export class Backups {
  readonly #store: Store;
  readonly #folder: string;
  #progress: SnapshotProgress | undefined;
  #count = 0;

  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  get progress(): SnapshotProgress | undefined {
    return this.#progress;
  }

  /** Creates a backup. Throws an ApiError if one is already being created. */
  async create(signal: AbortSignal): Promise<Backup> {
    if (this.#progress !== undefined) throw new ApiError('backup-running');
    const elsewhere = await readElsewhere(this.#store.engine);
    const url = elsewhere?.resources ?? undefined;
    if (url !== undefined) throw new ApiError('backup-elsewhere', { url });
    this.#progress = { rows: 0, totalRows: 0 };
    this.#count += 1;
    const file = join(this.#store.spool.folder, `backup-${this.#count}.duckdb`);
    const release = async () => {
      await Promise.all([file, `${file}.wal`].map((path) => rm(path, { force: true })));
    };
    const created = new Date().toISOString();
    try {
      const tables = await copyDatabase(
        this.#store.engine,
        file,
        (progress) => {
          this.#progress = progress;
        },
        signal,
      );
      const clickhouse = elsewhere?.database;
      const manifest = { format: BACKUP_FORMAT, created, tables, ...defined({ clickhouse }) };
      const members = await this.#members(manifest, file);
      return {
        bytes: archiveBytes(members),
        manifest,
        release,
        async *chunks() {
          try {
            yield* writeArchive(members);
          } finally {
            await release();
          }
        },
      };
    } catch (error) {
      await release();
      throw error;
    } finally {
      this.#progress = undefined;
    }
  }

  async #members(manifest: Manifest, file: string): Promise<Member[]> {
    const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const members: Member[] = [{ name: MANIFEST_FILE, bytes: json.length, content: json }];
    for (const name of SETTINGS_FILES) {
      const content = await readFile(join(this.#folder, name)).catch(undefinedIfMissing);
      if (content !== undefined) members.push({ name, bytes: content.length, content });
    }
    const { size } = await stat(file);
    return [...members, { name: DATABASE_FILE, bytes: size, content: file }];
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
