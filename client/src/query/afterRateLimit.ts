// Asks once more after a rate limit: where the service says to wait for at most half a minute, the client waits.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure, Outcome } from '../service/failure.ts';

/** A wait of longer is left to the person. */
const LONGEST_WAIT_SECONDS = 30;

/** A wait, shown while it lasts. */
export interface Wait {
  /** Why; ends with a full stop. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Asks, and once more if the rate limit is exceeded; `onWait` gets the wait, and undefined at its end. */
export async function askAfterRateLimit<T>(
  ask: () => Promise<Outcome<T> | undefined>,
  signal: AbortSignal,
  onWait: (wait: Wait | undefined) => void,
): Promise<Outcome<T> | undefined> {
  const first = await ask();
  const seconds = first === undefined || first.ok ? undefined : secondsToWait(first.failure);
  if (first === undefined || first.ok || seconds === undefined || signal.aborted) return first;
  onWait({ reason: first.failure.message, until: Date.now() + seconds * 1_000 });
  await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  onWait(undefined);
  return signal.aborted ? undefined : ask();
}

function secondsToWait({ status, retryAfterSeconds }: Failure): number | undefined {
  if (status !== 429 || retryAfterSeconds === undefined) return undefined;
  return retryAfterSeconds <= LONGEST_WAIT_SECONDS ? retryAfterSeconds : undefined;
}
