/** Explains a query's plan: `POST /_local/plan`, which isn't in the service's API. */
import { EdgeQueryRequest } from '../../../api/src/index.ts';
import { readJson } from '../body.ts';
import { checked } from '../check.ts';
import { ApiError } from '../errors.ts';
import { type HttpRequest, HttpResponse } from '../http.ts';
import { JSON_BODY_BYTES_MAX } from '../limits.ts';
import { commented } from '../planner/explain.ts';
import type { Plan } from '../planner/plan.ts';
import type { Store } from '../store/store.ts';
import { inSlot } from './query.ts';
import { planCall, type QueryCall } from './queryCall.ts';

/**
 * Returns `{ plan }`. With `analyze: true`, also runs the query, and returns `{ engine }` with the engine's measurements
 * for each step. Both are scripts of SQL and comments. Throws an ApiError if the query is rejected.
 */
export async function answerPlan(
  request: HttpRequest,
  store: Store,
  now: bigint,
): Promise<HttpResponse> {
  const sent = await readJson(request, JSON_BODY_BYTES_MAX);
  const body = checked(EdgeQueryRequest, sent, 'the body');
  const { analyze = false, ...query } = body as EdgeQueryRequest & { readonly analyze?: unknown };
  if (typeof analyze !== 'boolean') {
    throw new ApiError('bad-request', { problems: 'analyze is true or false' });
  }
  const { origin } = new URL(request.url);
  const call = { store, origin, body: query, now, signal: request.signal, explain: true };
  return planCall(call, async ({ plan, explanation }) => {
    if (!analyze) return HttpResponse.json({ plan: explanation });
    return HttpResponse.json({ plan: explanation, engine: await engineText(call, plan) });
  });
}

async function engineText(call: QueryCall, plan: Plan): Promise<string> {
  const { answers } = call.store;
  const lines = await inSlot(call, (signal) => answers.explain(plan, signal));
  return `${commented(`${answers.name}: the rows of each step, and the time it took`, lines)}\n`;
}
