/**
 * The local deployment that VS Code runs, found by the lock file in its data folder. The token in it is only sent
 * to a process that proves to know it already: another one may have taken the port.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LocalAddress } from '../../../client/src/deployments/localProcess.ts';

const HEALTH_PATH = '/_local/health';
const ANSWER_MS = 5_000;

/** VS Code and the products that are built from it, by the names of their folders. */
const products = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const servers = ['.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server'];
const inStorage = ['User', 'globalStorage', 'aplomb.aplomb', 'local'];

/** Where the data of the local deployment may be, unless a setting says otherwise. */
export function dataFolders(
  platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string[] {
  const portable = env['VSCODE_PORTABLE'];
  const roots =
    platform === 'win32'
      ? [env['APPDATA'] ?? join(home, 'AppData', 'Roaming')]
      : platform === 'darwin'
        ? [join(home, 'Library', 'Application Support')]
        : [env['XDG_CONFIG_HOME'] ?? join(home, '.config')];
  return [
    ...(portable === undefined ? [] : [join(portable, 'user-data', ...inStorage)]),
    ...roots.flatMap((root) => products.map((product) => join(root, product, ...inStorage))),
    ...servers.map((server) => join(home, server, 'data', ...inStorage)),
    join(home, '.local', 'share', 'code-server', ...inStorage),
  ];
}

export interface FoundLocal extends LocalAddress {
  readonly folder: string;
}

/** The running deployment of the first of these folders that has one. */
export async function findLocal(folders: readonly string[]): Promise<FoundLocal | undefined> {
  for (const folder of folders) {
    const lock = await readLock(folder);
    if (lock !== undefined && (await isServing(lock))) return { ...lock, folder };
  }
  return undefined;
}

async function readLock(folder: string): Promise<LocalAddress | undefined> {
  try {
    const text = await readFile(join(folder, 'deployment.json'), 'utf8');
    const { url, port, token } = JSON.parse(text);
    const isWhole = url === `http://127.0.0.1:${port}` && typeof token === 'string';
    return isWhole ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

async function isServing({ url, token }: LocalAddress): Promise<boolean> {
  const nonce = randomBytes(16).toString('base64url');
  try {
    const answer = await fetch(`${url}${HEALTH_PATH}?nonce=${nonce}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { proof } = (await answer.json()) as { proof?: unknown };
    const expected = createHmac('sha256', token).update(`${HEALTH_PATH} ${nonce}`).digest();
    const given = Buffer.from(String(proof), 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  } catch {
    return false;
  }
}
