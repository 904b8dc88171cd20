/** Starts a stopped local deployment on the data that VS Code or `aplomb serve` left, as VS Code does on first use. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalProcess } from '../../../client/src/deployments/localProcess.ts';
import { dataFolders } from '../ingest/findLocal.ts';

/** The database in each data folder. */
const DATABASE_FILE = 'data.duckdb';

/**
 * Starts the process with the given data folder, or else the VS Code data folder that was used last. It ends by itself
 * after the last connection. Returns false if there is no data. Throws an Error if the process doesn't start.
 */
export async function startLocal(data: string | undefined): Promise<boolean> {
  const folder = await lastUsed(data === undefined ? dataFolders() : [data]);
  if (folder === undefined) return false;
  await startLocalProcess({
    program: join(__dirname, 'local.cjs'),
    dataDirectory: folder,
    memoryLimit: '',
    allowExternal: [],
    logFile: join(folder, 'local.log'),
    compiledFolder: join(folder, 'compiled'),
  });
  return true;
}

/** Returns the folder whose database changed last; undefined if none has one. */
async function lastUsed(folders: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const file = await stat(join(folder, DATABASE_FILE)).catch(() => undefined);
      return file === undefined ? [] : [{ folder, changed: file.mtimeMs }];
    }),
  );
  return found.flat().toSorted((a, b) => b.changed - a.changed)[0]?.folder;
}
