// The local deployment that the extension started for a profile: where its page is, and its end. It is a separate
// process and would go on for half a minute after the last window, with files of the profile open.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profile } from './profile.ts';

const endLimitMs = 10_000;

interface Lock {
  readonly pid?: number;
  readonly url?: string;
  readonly token?: string;
}

async function readLock(profile: Profile): Promise<Lock> {
  const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
  const text = await readFile(join(storage, 'local', 'deployment.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}

/** A link to its landing page, which works once; undefined when none runs. */
export async function landingPageLink(profile: Profile): Promise<string | undefined> {
  const { url, token } = await readLock(profile);
  if (url === undefined) return undefined;
  const response = await fetch(`${url}/_local/page-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { code } = (await response.json()) as { readonly code: string };
  return `${url}/#code=${code}`;
}

/** Ends it and waits until it has ended. Does nothing when none runs. */
export async function stopLocalDeployment(profile: Profile): Promise<void> {
  const { pid } = await readLock(profile);
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
