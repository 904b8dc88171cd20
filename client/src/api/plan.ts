// Asks the local deployment how it would answer a query. The path is the deployment's own and no part of
// the service's API, so the call is made here and not from a row of `api`.
import { REQUEST_HEADERS } from '../../../api/src/index.ts';
import { failed, type Outcome } from './failure.ts';
import { send } from './http.ts';
import type { QueryCall } from './query.ts';
import { refusal, traceOf, unreadable } from './refusal.ts';
import type { Service } from './service.ts';

export interface PlanCall extends QueryCall {
  /** Whether the query is run, and what the engine measured is told. */
  readonly analyze: boolean;
}

/** The text of a query's plan, with what the engine measured behind it if that was asked for. */
export async function planApl(
  { connection }: Service,
  { timeoutMs, signal, ...body }: PlanCall,
): Promise<Outcome<string>> {
  const url = new URL(`${connection.edge}/_local/plan`);
  const token = await connection.token(url.origin);
  const answer = await send({
    method: 'POST',
    url,
    headers: {
      [REQUEST_HEADERS.contentType]: 'application/json',
      ...(token !== undefined && { [REQUEST_HEADERS.authorization]: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    dispatcher: connection.dispatcher,
    signal,
    timeoutMs,
    repeatable: true,
  });
  if (!answer.ok) return answer;
  if (answer.status !== 200) return failed(refusal(answer, url.host, token));
  const text = planIn(answer.text);
  if (text === undefined) return failed(unreadable(answer, url.host, 'it is not a plan'));
  return { ok: true, value: text, ...traceOf(answer) };
}

function planIn(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { plan, engine } = value as { plan?: unknown; engine?: unknown };
  if (typeof plan !== 'string') return undefined;
  return typeof engine === 'string' ? `${plan}\n${engine}` : plan;
}
