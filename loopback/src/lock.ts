/**
 * Reads the lock file of a data folder: the process that serves the folder, its address and its token. Every client
 * finds the same process through it. Only the owner may read the file.
 */
import { join } from 'node:path';
import { readText } from '../../system/src/replace.ts';

export const LOCK_FILE = 'deployment.json';

/** The address and token of the local deployment. */
export interface LocalAddress {
  readonly url: string;
  readonly token: string;
}

export interface Lock extends LocalAddress {
  readonly pid: number;
  readonly port: number;
}

/** Reads a data folder's lock; undefined if there is none or it is incomplete. */
export async function readLock(folder: string): Promise<Lock | undefined> {
  try {
    const { pid, port, url, token } = JSON.parse(await readText(join(folder, LOCK_FILE)));
    const isComplete =
      Number.isInteger(pid) &&
      Number.isInteger(port) &&
      url === `http://127.0.0.1:${port}` &&
      typeof token === 'string';
    return isComplete ? { pid, port, url, token } : undefined;
  } catch {
    return undefined;
  }
}
