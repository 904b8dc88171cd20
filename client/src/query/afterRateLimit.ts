// Repeats a request once after a rate limit, if the service requires a wait of at most half a minute.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure, Outcome } from '../service/failure.ts';

/** The longest wait in seconds. If the service requires more, the failure is reported instead. */
const LONGEST_WAIT_SECONDS = 30;

export interface Wait {
  /** The reason for the wait. Ends with a full stop. */
  readonly reason: string;
  /** The end of the wait in milliseconds since 1970. */
  readonly until: number;
}

/** Calls `ask`, and again after a rate limit. `onWait` receives the wait, and undefined at its end. */
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
