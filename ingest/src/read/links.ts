// Links below a folder that was chosen for ingest. Somebody else may have put them there, to have a private file of
// this machine sent.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

export interface FileLink {
  /** The file at the end of the link: below the folder relative to it, elsewhere absolute. */
  readonly target: string;
  /** Whether the file is outside the folder. */
  readonly leaves: boolean;
}

/**
 * Returns where the path of a file leads if it, or a folder between it and `folder`, is a link. Rejects with the error
 * of the file system.
 */
export async function linkBelow(folder: string, path: string): Promise<FileLink | undefined> {
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (real === join(root, relative(folder, path))) return undefined;
  const below = relative(root, real);
  const leaves = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return { target: leaves ? real : below, leaves };
}
