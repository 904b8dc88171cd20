// Private folders in the extension's storage, for queries, results and token names.
import { chmod, mkdir } from 'node:fs/promises';

/** Creates a folder with the mode 0700, or sets the mode of an existing one. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}
