// Runs a query: in a slot, with a time limit, and with a time range in every case.
import type { QueryAnswer, Result } from './context.ts';
import { ROWS_MAX, RUN_TIMEOUT_MS } from './limits.ts';
import type { AgentSession } from './session.ts';

export interface Run {
  readonly apl: string;
  readonly from: string;
  readonly to: string;
  readonly datasets: readonly string[];
}

/** Runs a query. `deadline` is the time in milliseconds at which a call of several runs has to end. */
export async function ask(
  session: AgentSession,
  { apl, from, to, datasets }: Run,
  signal: AbortSignal,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Result<QueryAnswer>> {
  return session.slots.use(signal, async () => {
    const timeoutMs = Math.min(RUN_TIMEOUT_MS, deadline - Date.now());
    if (timeoutMs <= 0) {
      return { ok: false, message: `The time limit of ${RUN_TIMEOUT_MS / 1_000} s has ended.` };
    }
    return session.context.ask(
      { apl, startTime: from, endTime: to, defaultLimit: ROWS_MAX, datasets, timeoutMs },
      signal,
    );
  });
}
