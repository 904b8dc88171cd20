/**
 * Finds links that lead out of a folder. A repository written by someone else can contain a link to any file of this
 * machine. The commands `check`, `format` and `ingest` therefore neither read nor write through such a link, whether it
 * is named directly, by a folder or by a shell pattern.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** Names of open files, such as the pipe of a shell's `<(…)`, are links by the system, so they are allowed. */
const devices = '/dev';

/** Returns whether a path is a folder or below it. Both are absolute and have their links resolved. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/**
 * Returns the first link in an operand's path that leads out of the link's folder, or undefined. Links above the
 * working folder and the home folder are part of the machine's setup and are ignored.
 * @throws if a part of the path can't be read, such as a missing file.
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
