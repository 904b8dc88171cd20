/** Finds the local deployment that VS Code started, by the lock file in its data folder. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LocalPlace } from '../../../client/src/deployments/localHold.ts';
import { connectProven } from '../../../loopback/src/connect.ts';
import { readLock } from '../../../loopback/src/lock.ts';

/** Names of the configuration folders of VS Code and of products based on it. */
const products = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const servers = ['.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server'];
const storagePath = ['User', 'globalStorage', 'aplomb.aplomb', 'local'];

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
    ...(portable === undefined ? [] : [join(portable, 'user-data', ...storagePath)]),
    ...roots.flatMap((root) => products.map((product) => join(root, product, ...storagePath))),
    ...servers.map((server) => join(home, server, 'data', ...storagePath)),
    join(home, '.local', 'share', 'code-server', ...storagePath),
  ];
}

export async function findLocal(folders: readonly string[]): Promise<LocalPlace | undefined> {
  for (const folder of folders) {
    const lock = await readLock(folder);
    const proven = lock && (await connectProven(lock).catch(() => undefined));
    proven?.socket.destroy();
    if (lock !== undefined && proven !== undefined) return { ...lock, folder };
  }
  return undefined;
}
