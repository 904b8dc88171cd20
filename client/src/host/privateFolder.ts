/** Folders of the extension's storage, which are their owner's alone: they hold queries, results and tokens' names. */
import { chmod, mkdir } from 'node:fs/promises';

/** Creates a folder with the mode 0700, or gives that to one of an older version. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}
