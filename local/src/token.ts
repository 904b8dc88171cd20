/**
 * The deployment's token, kept in the data folder so that it stays the same from one start to the next:
 * what was configured with it goes on working. Only the owner of the folder may read the file.
 */
import { randomBytes } from 'node:crypto';
import { chmod, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN_PREFIXES } from '../../api/src/index.ts';

export const TOKEN_FILE = 'token';

/** Reads the token of a data folder, or makes one. */
export async function keptToken(folder: string): Promise<string> {
  const path = join(folder, TOKEN_FILE);
  const kept = await readToken(path);
  if (kept !== undefined) return kept;
  const token = TOKEN_PREFIXES.api + randomBytes(32).toString('base64url');
  const file = await open(path, 'w', 0o600);
  try {
    // The mode counts only for a new file; one that was damaged keeps its own.
    await chmod(path, 0o600);
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return token;
}

/** The token in a file; undefined where there is none, or none that could have been made here. */
async function readToken(path: string): Promise<string | undefined> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    return SHAPE.test(token) ? token : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const SHAPE = new RegExp(`^${TOKEN_PREFIXES.api}[\\w-]{43}$`);
