/** Writes a temporary file, syncs it to disk, and renames it, so the final name never refers to a partial file. */
import { access, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../../system/src/commandLine.ts';
import { syncFolder } from '../../../system/src/folderSync.ts';
import { linkFile } from '../../../system/src/replace.ts';

/** Writes the chunks to a file that only its owner may access. If writing fails, no file remains. */
export async function writeOutput(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const path = resolve(name);
  const draft = `${path}.${process.pid}.partial`;
  await checkOutput(name);
  try {
    const file = await open(draft, 'wx', 0o600).catch(rejectUnwritable(name));
    try {
      for await (const chunk of chunks) await file.writeFile(chunk).catch(rejectUnwritable(name));
      await file.sync().catch(rejectUnwritable(name));
    } finally {
      await file.close();
    }
    await linkFile(draft, path).catch(rejectUnwritable(name));
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Checks that the file doesn't exist yet, and throws an error otherwise. Call this before any expensive work. */
export async function checkOutput(name: string): Promise<void> {
  const exists = await access(resolve(name)).then(
    () => true,
    () => false,
  );
  if (exists) throw existsError(name);
}

const existsError = (name: string) =>
  new Error(`${name} exists already. Choose another name, or remove the file.`);

const rejectUnwritable = (name: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') throw existsError(name);
  const reason = reasonOf(error, { ENOENT: 'its folder does not exist' });
  throw new Error(`${name} cannot be written: ${reason}.`);
};
