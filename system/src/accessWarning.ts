// Checks who can read a folder on Windows, where file modes don't protect it.
import { homedir } from 'node:os';
import { win32 } from 'node:path';

/**
 * Returns a warning if other users of the machine may read a folder and its token. On Windows, folders outside the
 * user's profile inherit the drive's access rights. Returns undefined on other systems.
 */
export function accessWarning(
  folder: string,
  home: string = homedir(),
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return undefined;
  const below = win32.relative(home, folder);
  if (below !== '..' && !below.startsWith('..\\') && !win32.isAbsolute(below)) return undefined;
  return `${folder} is outside your profile. Other users of this machine may be able to read its data and tokens. Restrict the access to the folder, or use one in ${home}.`;
}
