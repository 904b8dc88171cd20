/**
 * Finds symbolic links that lead out of their folder. A repository from someone else may contain a link to any file on
 * this machine, so `check`, `format` and `ingest` don't read or write through such links.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** The system makes some links in /dev, such as the pipe of a shell's `<(…)`. */
const devices = '/dev';

/** Whether `path` is `folder` or inside it. Both paths must be absolute, with all links resolved. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/**
 * Returns the first symbolic link in an operand's path that points outside its own folder. Ignores links above the
 * working folder and the home folder, because they are part of the machine's setup.
 * @throws Error if a part of the path doesn't exist or can't be read.
 */
export function findEscapingLink(operand: string): string | undefined {
  const path = resolve(operand);
  if (isWithin(devices, path)) return undefined;
  const known = [process.cwd(), homedir()].find((folder) => isWithin(folder, path));
  let folder = known ?? parse(path).root;
  for (const name of relative(folder, path).split(sep)) {
    const at = join(folder, name);
    if (lstatSync(at).isSymbolicLink() && !isWithin(realpathSync(folder), realpathSync(at))) {
      return at;
    }
    folder = at;
  }
  return undefined;
}
