// Ends the local deployment that the extension started for a profile. It is a separate process and
// would go on for half a minute after the last window, with files of the profile open.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profile } from './profile.ts';

const endLimitMs = 10_000;

/** Ends it and waits until it has ended. Does nothing when none runs. */
export async function stopLocalDeployment(profile: Profile): Promise<void> {
  const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
  const lock = await readFile(join(storage, 'local', 'deployment.json'), 'utf8').catch(() => '{}');
  const { pid } = JSON.parse(lock) as { pid?: number };
  if (!pid) return;
  const deadline = Date.now() + endLimitMs;
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; ; signal = 0) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (Date.now() > deadline)
      throw new Error(`The local deployment (process ${pid}) did not end.`);
    await sleep(50);
  }
}
