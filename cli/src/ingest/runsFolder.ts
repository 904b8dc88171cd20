/** Locates the folder for run journals and for files that contain failed events. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export function runsFolder(
  platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'aplomb', 'runs');
  }
  const state = env['XDG_STATE_HOME'];
  const root = state !== undefined && state !== '' ? state : join(home, '.local', 'state');
  return join(root, 'aplomb', 'runs');
}
