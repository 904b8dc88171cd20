// Requests a query plan from a process of Aplomb. The path isn't part of the service's API, so `api` lacks it.
import { REQUEST_HEADERS, stringifyJson } from '../../../api/src/plain.ts';
import type { Asking, Question } from './ask.ts';
import { failed, type Outcome } from './failure.ts';
import { send } from './http.ts';
import { objectOf, refusal, traceOf, unreadable } from './refusal.ts';

interface PlanQuestion extends Question {
  /** Whether to also run the query and add measurements to the plan. */
  readonly analyze: boolean;
}

/** Returns the plan as text, followed by the measurements if they were requested. */
export async function askForPlan(
  question: PlanQuestion,
  { service: { connection }, timeoutMs, signal }: Asking,
): Promise<Outcome<string>> {
  const url = new URL(`${connection.general}/_local/plan`);
  const token = await connection.token(url.origin);
  const answer = await send({
    method: 'POST',
    url,
    headers: {
      [REQUEST_HEADERS.contentType]: 'application/json',
      ...(token !== undefined && { [REQUEST_HEADERS.authorization]: `Bearer ${token}` }),
    },
    body: stringifyJson(question),
    dispatcher: connection.dispatcher,
    signal,
    timeoutMs,
    repeatable: true,
  });
  if (!answer.ok) return answer;
  if (answer.status !== 200) return failed(refusal(answer, url.host, token));
  const { plan, engine } = objectOf(answer.text) ?? {};
  if (typeof plan !== 'string') return failed(unreadable(answer, url.host, 'it is not a plan'));
  const value = typeof engine === 'string' ? `${plan}\n${engine}` : plan;
  return { ok: true, value, ...traceOf(answer) };
}
