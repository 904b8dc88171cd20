/** Reads the queries in the APL and Markdown files of a folder. Bounded, because the folder may be a home folder. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileQueries, type WorkspaceQuery } from '../../../agents/src/index.ts';
import { isWithin } from '../links.ts';

const FOLDERS_MAX = 2_000;
const FILES_MAX = 500;
const FILE_BYTES_MAX = 1_000_000;

const queryFile = /\.(?:apl|md|markdown)$/i;

/** Returns the queries of a folder and its subfolders, except hidden folders, `node_modules` and links that lead out. */
export async function workspaceQueries(
  folder: string,
  signal: AbortSignal,
): Promise<WorkspaceQuery[]> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return [];
  const queries: WorkspaceQuery[] = [];
  const waiting = [root];
  let folders = 0;
  let files = 0;
  for (let current = waiting.shift(); current !== undefined; current = waiting.shift()) {
    folders += 1;
    if (folders > FOLDERS_MAX) break;
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      signal.throwIfAborted();
      const { name } = entry;
      const path = join(current, name);
      if (entry.isDirectory()) {
        if (!name.startsWith('.') && name !== 'node_modules') waiting.push(path);
      } else if (queryFile.test(name) && files < FILES_MAX) {
        files += 1;
        queries.push(...(await queriesIn(path, root)));
      }
    }
  }
  return queries;
}

async function queriesIn(path: string, root: string): Promise<WorkspaceQuery[]> {
  try {
    if (!isWithin(root, await realpath(path))) return [];
    const { size } = await stat(path);
    if (size > FILE_BYTES_MAX) return [];
    return fileQueries(basename(path), await readFile(path, 'utf8'));
  } catch {
    // An unreadable file has no queries.
    return [];
  }
}
