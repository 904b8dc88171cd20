// Finds links below a folder chosen for ingest. Someone else may have added them to have a private local file sent.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

export interface FileLink {
  /** The link's final target: relative to the folder if below it, otherwise absolute. */
  readonly target: string;
  /** Whether the file is outside the folder. */
  readonly isOutside: boolean;
}

/**
 * Returns the target of a file's path if it, or a folder between it and `folder`, is a link. Rejects with a file system
 * error.
 */
export async function resolveLink(folder: string, path: string): Promise<FileLink | undefined> {
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (real === join(root, relative(folder, path))) return undefined;
  const below = relative(root, real);
  const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return { target: isOutside ? real : below, isOutside };
}
