// How long and how often a run waits before it sends again what is known not to be stored.

export interface Patience {
  /** The first wait where the service does not say how long; each further one is twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Tries of a request of which nothing was answered yet, and of one after that. */
  readonly triesAtStart: number;
  readonly tries: number;
  /** A service that asks to wait longer ends the run, which can be resumed. */
  readonly longestAskedMs: number;
  /** Requests in a row of which it is unknown whether they are stored, after which the run ends. */
  readonly doubtsInRow: number;
  /** Batches in a row that were answered without one stored event, after which the run ends. */
  readonly rejectedInRow: number;
  /** How long requests under way may take to be answered after the run was cancelled. */
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

/** Milliseconds to wait before try `attempt` (from 1), between half of the full wait and all of it. */
export function backoff(attempt: number, { firstMs, longestMs }: Patience): number {
  const full = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return full * (0.5 + Math.random() / 2);
}
