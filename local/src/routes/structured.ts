/** Answers structured queries by translating them to APL. */
import { goDurationNanos } from '../../../api/src/index.ts';
import { defined } from '../defined.ts';
import { ApiError } from '../errors.ts';
import { sourcesOf } from '../sources.ts';
import { Fields } from '../structured/fields.ts';
import { translate } from '../structured/translate.ts';
import { findDataset } from './datasets.ts';
import type { Call, Handlers, Reply } from './handler.ts';
import { answerQuery, isSaved, replyWith } from './query.ts';
import { type QueryBody, type QueryCall, rangeOf } from './queryCall.ts';

type StructuredCall = Call<'queryStructured'> | Call<'queryStructuredV1'>;

export const structuredHandlers = {
  queryStructured: answerStructured,
  queryStructuredV1: answerStructured,
} satisfies Handlers;

async function answerStructured(call: StructuredCall): Promise<Reply> {
  const { store, params, query, caller, origin, now, signal } = call;
  const wait = parseWait(query['streaming-duration']);
  const { saveAsKind } = query;
  if (saveAsKind === 'apl') {
    throw new ApiError('bad-request', {
      problems: 'saveAsKind of a structured query must be analytics or stream, got "apl"',
    });
  }
  const body = bodyOf(call, wait !== undefined);
  if (wait !== undefined) await waitForEvents(call, Number(wait / 1_000_000n));
  const context = { store, capabilities: caller.capabilities, origin, now, signal };
  const answer = await answerAs({ ...context, body, routed: true });
  if (!isSaved(saveAsKind)) return replyWith(answer, call);
  return replyWith(answer, call, { kind: saveAsKind, dataset: params.dataset_id, query: body });
}

/** Answers a translated query. Removes offsets from errors, because the client hasn't seen the APL. */
async function answerAs(call: QueryCall) {
  try {
    return await answerQuery(call, 'structured');
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'query-malformed') throw error;
    throw new ApiError('query-malformed', { problem: error.message });
  }
}

function bodyOf({ store, params, body, caller }: StructuredCall, isStream: boolean): QueryBody {
  const { startTime, endTime, cursor, includeCursor, queryOptions } = body;
  const dataset = findDataset(store, params.dataset_id);
  const fields = new Fields(dataset, sourcesOf(store, { capabilities: caller.capabilities }));
  return {
    apl: translate(params.dataset_id, body, fields, isStream),
    ...defined({ startTime, endTime, cursor: cursor || undefined, includeCursor, queryOptions }),
  };
}

/** Parses a duration to nanoseconds, at most `WAIT_MAX`. */
function parseWait(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '') return undefined;
  const nanos = goDurationNanos(text);
  if (nanos !== undefined) return nanos > WAIT_MAX ? WAIT_MAX : nanos;
  throw new ApiError('bad-request', {
    problems: `streaming-duration must be a duration such as 5s, got ${JSON.stringify(text)}`,
  });
}

/** Maximum wait, in nanoseconds. Clients and proxies may give up on requests that are silent for longer. */
const WAIT_MAX = 30_000_000_000n;
const POLL_MS = 100;

/** Waits until the time range contains events or is over, or `ms` have passed. */
async function waitForEvents({ store, params, body, now, signal }: StructuredCall, ms: number) {
  const range = rangeOf(body, now);
  const deadline = performance.now() + ms;
  const hasEvents = () =>
    store.datasets.read(params.dataset_id, async ({ layout }) => {
      const bounds = await store.timeBounds.read([layout.table], range, signal);
      return bounds !== undefined;
    });
  for (;;) {
    // The result is undefined if the dataset was deleted.
    if ((await hasEvents()) !== false) return;
    if (BigInt(Date.now()) * 1_000_000n >= range.end || performance.now() >= deadline) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
