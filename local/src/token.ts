/**
 * The deployment's token, kept in the data folder so that it stays the same from one start to the next:
 * what was configured with it goes on working. Only the owner of the folder may read the file.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN_PREFIXES } from '../../api/src/index.ts';

export const TOKEN_FILE = 'token';

/** Reads the token of a data folder, or makes one. Starts at the same time get the same one. */
export async function keptToken(folder: string): Promise<string> {
  const path = join(folder, TOKEN_FILE);
  const kept = await readToken(path);
  if (kept !== undefined && kept !== DAMAGED) return kept;
  const token = TOKEN_PREFIXES.api + randomBytes(32).toString('base64url');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${token}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // The file has its name once it is whole, and the first start keeps it.
    if (kept === DAMAGED) await rename(draft, path);
    else await named(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const first = await readToken(path);
  return first === undefined || first === DAMAGED ? token : first;
}

async function named(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    // Not every file system has links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(draft, path);
  }
}

const DAMAGED = '';

/** The token in a file; undefined where there is none, `DAMAGED` where it could not have been made here. */
async function readToken(path: string): Promise<string | undefined> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    return SHAPE.test(token) ? token : DAMAGED;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${code === 'EISDIR' ? 'it is a folder' : message}.`);
  }
}

const SHAPE = new RegExp(`^${TOKEN_PREFIXES.api}[\\w-]{43}$`);
