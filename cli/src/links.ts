/**
 * Finds links that lead out of a folder. A repository that somebody else wrote can contain a link to any file of this
 * machine, so commands neither read nor write through such a link, whether a folder or a pattern of the shell names it.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** Names of open files, such as that of a pipe from the shell's `<(…)`, are links of the system. */
const devices = '/dev';

/** Returns whether a path is a folder or below it. Both are absolute and have their links resolved. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/**
 * Returns the first link of an operand that leads out of the folder in which the link is, or undefined. Links above
 * the working folder and the home folder belong to the machine and are not considered.
 * @throws if a part of the path cannot be read, such as a missing file.
 */
export function leavingLink(operand: string): string | undefined {
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
