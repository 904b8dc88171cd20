// Determines how long and how often a run waits before it resends requests known not to be stored.

export interface RetryLimits {
  /** The first wait if the service states none. Each further wait is twice as long. */
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  /** Maximum attempts per request: before any request was answered, and afterwards. */
  readonly maxAttemptsAtStart: number;
  readonly maxAttempts: number;
  /** The longest wait the service may ask for. A longer one ends the run, which can be resumed. */
  readonly maxRetryAfterMs: number;
  /** Consecutive requests with unknown outcome after which the run ends. */
  readonly maxConsecutiveDoubts: number;
  /** Consecutive answered batches without any stored event after which the run ends. */
  readonly maxConsecutiveRejections: number;
  /** Maximum time for each pending request to be answered after the run was canceled. */
  readonly cancelGraceMs: number;
}

export const retryLimits: RetryLimits = {
  initialDelayMs: 500,
  maxDelayMs: 30_000,
  maxAttemptsAtStart: 3,
  maxAttempts: 8,
  maxRetryAfterMs: 15 * 60_000,
  maxConsecutiveDoubts: 3,
  maxConsecutiveRejections: 3,
  cancelGraceMs: 1_000,
};

/** Returns the milliseconds to wait before attempt `attempt` (from 1): between half of the full wait and all of it. */
export function backoff(attempt: number, { initialDelayMs, maxDelayMs }: RetryLimits): number {
  const full = Math.min(initialDelayMs * 2 ** (attempt - 1), maxDelayMs);
  return full * (0.5 + Math.random() / 2);
}
