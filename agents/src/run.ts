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

export async function ask(
  session: AgentSession,
  { apl, from, to, datasets }: Run,
  signal: AbortSignal,
): Promise<Result<QueryAnswer>> {
  return session.slots.use(signal, () =>
    session.context.ask(
      {
        apl,
        startTime: from,
        endTime: to,
        defaultLimit: ROWS_MAX,
        datasets,
        timeoutMs: RUN_TIMEOUT_MS,
      },
      signal,
    ),
  );
}
