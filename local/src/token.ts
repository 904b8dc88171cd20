/** Manages the two tokens in the data folder, in plain text. Later starts reuse them, so clients keep working. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenKind } from '../../api/src/index.ts';
import { syncFolder } from '../../system/src/folderSync.ts';
import { linkFile, replaceFile } from '../../system/src/replace.ts';
import type { OwnTokens } from './access/callers.ts';
import { isSecret, newSecret } from './access/secrets.ts';

export const TOKEN_FILES: { readonly [Kind in TokenKind]: string } = {
  api: 'token',
  personal: 'personal-token',
};

/** Creates missing tokens. Concurrent starts get the same tokens. */
export async function loadTokens(folder: string): Promise<OwnTokens> {
  const [token, personalToken] = await Promise.all([
    loadToken(folder, 'api'),
    loadToken(folder, 'personal'),
  ]);
  return { token, personalToken };
}

/** Replaces both tokens. A running process accepts the old tokens until it restarts. */
export async function replaceTokens(folder: string): Promise<void> {
  for (const kind of ['api', 'personal'] as const) {
    await writeToken(join(folder, TOKEN_FILES[kind]), newSecret(kind), replaceFile);
  }
  await syncFolder(folder);
}

async function loadToken(folder: string, kind: TokenKind): Promise<string> {
  const path = join(folder, TOKEN_FILES[kind]);
  const existing = await readToken(path, kind);
  if (existing !== undefined && existing !== DAMAGED) return existing;
  const token = newSecret(kind);
  // Renaming a complete file prevents partial reads. The first of several starts wins.
  await writeToken(path, token, existing === DAMAGED ? replaceFile : keepFirst);
  await syncFolder(folder);
  const first = await readToken(path, kind);
  return first === undefined || first === DAMAGED ? token : first;
}

/** Writes a token to a file that only the owner may read. */
async function writeToken(
  path: string,
  token: string,
  name: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${token}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await name(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Links the draft at `path`. Keeps an existing file, which another process may have created meanwhile. */
async function keepFirst(draft: string, path: string): Promise<void> {
  await linkFile(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const DAMAGED = '';

async function readToken(path: string, kind: TokenKind): Promise<string | undefined> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    return isSecret(kind, token) ? token : DAMAGED;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${code === 'EISDIR' ? 'it is a folder' : message}.`);
  }
}
