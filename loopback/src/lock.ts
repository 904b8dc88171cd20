/**
 * The lock file in a data folder: which process serves the folder, at which address and with which token, so that
 * every client finds the one process. Only its owner may read the file.
 */
import { join } from 'node:path';
import { readText } from '../../system/src/replace.ts';

export const LOCK_FILE = 'deployment.json';

/** Where the local deployment answers. */
export interface LocalAddress {
  readonly url: string;
  readonly token: string;
}

export interface Lock extends LocalAddress {
  readonly pid: number;
  readonly port: number;
}

/** Reads the lock of a data folder; undefined if there is none or it is incomplete. */
export async function readLock(folder: string): Promise<Lock | undefined> {
  try {
    const { pid, port, url, token } = JSON.parse(await readText(join(folder, LOCK_FILE)));
    const isWhole =
      Number.isInteger(pid) &&
      Number.isInteger(port) &&
      url === `http://127.0.0.1:${port}` &&
      typeof token === 'string';
    return isWhole ? { pid, port, url, token } : undefined;
  } catch {
    return undefined;
  }
}
