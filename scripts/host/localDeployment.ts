// The local deployment that the extension started for a profile: where its page is, and its end. It is a separate
// process and would go on for half a minute after the last window, with files of the profile open.
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestProven } from '../../loopback/src/connect.ts';
import { type Lock, readLock } from '../../loopback/src/lock.ts';
import type { Profile } from './profile.ts';

const endLimitMs = 10_000;

/** Returns the data folder of a profile's local deployment. */
export function localDataDirectory({ userDataDirectory }: Profile): string {
  return join(userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb', 'local');
}

function lockOf(profile: Profile): Promise<Lock | undefined> {
  return readLock(localDataDirectory(profile));
}

/** A link to its landing page, which works once; undefined when none runs. */
export async function landingPageLink(profile: Profile): Promise<string | undefined> {
  const lock = await lockOf(profile);
  if (lock === undefined) return undefined;
  const response = await requestProven(lock, 'POST', '/_local/page-code');
  const { code } = (await json(response)) as { readonly code: string };
  return `${lock.url}/#code=${code}`;
}

/** Ends it and waits until it has ended. Does nothing when none runs. */
export async function stopLocalDeployment(profile: Profile): Promise<void> {
  const lock = await lockOf(profile);
  if (lock === undefined) return;
  const { pid } = lock;
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
