/** Restores a backup: extracts and checks it in a subfolder, then links its files into the data folder. */
import { mkdtemp, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../../system/src/commandLine.ts';
import { syncFolder } from '../../../system/src/folderSync.ts';
import { linkFile } from '../../../system/src/replace.ts';
import { isRunning } from '../../../system/src/running.ts';
import { Engine } from '../engines/duckdb/database/engine.ts';
import { EngineError } from '../engines/engineError.ts';
import { makeDataFolder } from '../folder.ts';
import { concat } from '../http.ts';
import { DATABASE_FILE, defaultMemoryLimit } from '../store/store.ts';
import { ArchiveError, type ArchiveFile, readArchive } from './archive.ts';
import { BACKUP_FORMAT, MANIFEST_FILE, type Manifest, SETTINGS_FILES } from './backup.ts';
import { differenceOf } from './snapshot.ts';
import { countTokens, deleteTokens } from './storedTokens.ts';

/** The message is one or two complete sentences. */
export class RestoreError extends Error {}

/** Name prefix of the subfolders into which backups are extracted. A process ID follows the prefix. */
const RESTORING = 'restoring-';

/** The database is linked last, so a killed restore leaves a folder without a database. */
const FILES = [...SETTINGS_FILES, DATABASE_FILE];

export interface RestoreOptions {
  readonly withoutTokens: boolean;
}

export interface Restored extends Manifest {
  readonly tokens: number;
}

/**
 * Restores the backup `file` into `folder`, and returns its manifest. Calls `progress` with the number of bytes
 * written. If the restore fails, the folder is unchanged.
 * @throws RestoreError, the reason of `signal` when it aborts, or another Error if the folder can't be created.
 */
export async function restoreBackup(
  file: string,
  folder: string,
  options: RestoreOptions,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Restored> {
  const existed = await checkTarget(folder);
  // Open the backup before creating the folder, because its name may be misspelled.
  const backup = await open(file).catch((error: unknown) => {
    throw asRestoreError(file, error);
  });
  await backup.close();
  await makeDataFolder(folder);
  const inside = await mkdtemp(join(folder, `${RESTORING}${process.pid}-`));
  const moved: string[] = [];
  try {
    const { manifest, names } = await extract(file, inside, progress, signal);
    const tokens = await checkDatabase(inside, manifest, options);
    signal.throwIfAborted();
    await syncFolder(inside);
    // Check again, because another process may have used the folder meanwhile.
    await checkTarget(folder);
    for (const name of FILES.filter((each) => names.includes(each))) {
      await linkFile(join(inside, name), join(folder, name)).catch((error) => {
        throw error.code === 'EEXIST' ? notEmpty(folder) : error;
      });
      moved.push(name);
    }
    await syncFolder(folder);
    // The restore has succeeded even if the subfolders can't be removed.
    await removeRestoring(folder, inside).catch(() => undefined);
    return { ...manifest, tokens };
  } catch (error) {
    await rm(inside, { recursive: true, force: true });
    for (const name of moved) await rm(join(folder, name), { force: true });
    if (!existed) await rmdir(folder).catch(() => undefined);
    throw signal.aborted || error instanceof RestoreError ? error : asRestoreError(file, error);
  }
}

/** Removes the subfolders of this restore and of killed restores. */
async function removeRestoring(folder: string, own: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (isRestoring(name) && (path === own || !isRunning(Number(name.split('-')[1])))) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

const isRestoring = (name: string) => /^restoring-\d+-\w+$/.test(name);

function notEmpty(folder: string): RestoreError {
  return new RestoreError(`${folder} is not empty. Restore the backup into a new folder.`);
}

async function checkTarget(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const why = reasonOf(error, { ENOTDIR: 'it is a file' });
    throw new RestoreError(`${folder} cannot be the data folder: ${why}.`);
  });
  // A killed restore leaves its subfolder behind.
  if (names?.some((name) => !isRestoring(name))) throw notEmpty(folder);
  return names !== undefined;
}

async function extract(
  file: string,
  inside: string,
  progress: (bytes: number) => void,
  signal: AbortSignal,
) {
  const names: string[] = [];
  let manifest: Manifest | undefined;
  let written = 0;
  for await (const member of readArchive(file, [MANIFEST_FILE, ...FILES])) {
    if (manifest === undefined) {
      manifest = await readManifest(file, member);
      continue;
    }
    names.push(member.name);
    const target = await open(join(inside, member.name), 'wx', 0o600);
    try {
      for await (const chunk of member.chunks()) {
        signal.throwIfAborted();
        await target.writeFile(chunk);
        written += chunk.length;
        progress(written);
      }
      await target.sync();
    } finally {
      await target.close();
    }
  }
  if (manifest === undefined || !names.includes(DATABASE_FILE))
    throw new ArchiveError('it is not a backup');
  return { manifest, names };
}

async function readManifest(file: string, member: ArchiveFile): Promise<Manifest> {
  if (member.name !== MANIFEST_FILE || member.bytes > MANIFEST_BYTES_MAX) {
    throw new ArchiveError('it is not a backup');
  }
  const json = (await concat(member.chunks())).toString();
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(json);
  } catch {
    throw new ArchiveError('its manifest is damaged');
  }
  const { format, tables, clickhouse } = manifest;
  if (format !== BACKUP_FORMAT && typeof format === 'number') {
    throw new RestoreError(
      `${file} is a backup of format ${format}, and this version reads format ${BACKUP_FORMAT}. Restore it with the version that made it, or a later one.`,
    );
  }
  if (format === undefined || !Array.isArray(tables) || !isDatabase(clickhouse))
    throw new ArchiveError('its manifest is damaged');
  return manifest as Manifest;
}

const isDatabase = (name: unknown) => name === undefined || typeof name === 'string';

const MANIFEST_BYTES_MAX = 256 * 1_048_576;

async function checkDatabase(
  inside: string,
  { tables }: Manifest,
  { withoutTokens }: RestoreOptions,
): Promise<number> {
  const spool = join(inside, 'spool');
  const engine = await Engine.open(
    Promise.resolve({
      file: join(inside, DATABASE_FILE),
      spool,
      temporary: join(inside, 'temporary'),
      memoryLimit: defaultMemoryLimit(),
    }),
  );
  try {
    return await engine.use(async (session) => {
      const difference = await differenceOf(session, tables);
      if (difference !== undefined) throw new ArchiveError(difference);
      const tokens = await countTokens(session);
      if (withoutTokens) await deleteTokens(session);
      return tokens;
    });
  } finally {
    await engine.close();
  }
}

function asRestoreError(file: string, error: unknown): Error {
  let reason: string;
  if (error instanceof ArchiveError) {
    reason = error.message;
  } else if (error instanceof EngineError) {
    const line = error.message.split('\n', 1)[0]!.replace(/\.$/, '');
    reason = `its database does not open (${line})`;
  } else {
    if (!(error instanceof Error) || !('code' in error)) return error as Error;
    reason = `${reasonOf(error)}. Nothing was restored`;
  }
  return new RestoreError(`${file} cannot be restored: ${reason}.`);
}
