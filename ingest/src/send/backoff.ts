// Determines how long and how often a run waits before it resends requests known not to be stored.

export interface Patience {
  /** The first wait if the service states none. Each further wait is twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Maximum attempts per request: before any request was answered, and afterwards. */
  readonly triesAtStart: number;
  readonly tries: number;
  /** The longest wait the service may ask for. A longer one ends the run, which can be resumed. */
  readonly longestAskedMs: number;
  /** Consecutive requests with unknown outcome after which the run ends. */
  readonly doubtsInRow: number;
  /** Consecutive answered batches without any stored event after which the run ends. */
  readonly rejectedInRow: number;
  /** Maximum time for pending requests to be answered after the run was canceled. */
  readonly cancelGraceMs: number;
}

export const patience: Patience = {
  firstMs: 500,
  longestMs: 30_000,
  triesAtStart: 3,
  tries: 8,
  longestAskedMs: 15 * 60_000,
  doubtsInRow: 3,
  rejectedInRow: 3,
  cancelGraceMs: 3_000,
};

/** Returns the milliseconds to wait before attempt `attempt` (from 1): between half of the full wait and all of it. */
export function backoff(attempt: number, { firstMs, longestMs }: Patience): number {
  const full = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return full * (0.5 + Math.random() / 2);
}
