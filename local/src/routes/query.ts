/** Handles the query endpoints. Errors have the documented format. */
import {
  BATCH_CONCURRENCY_DEFAULT,
  type BatchItem,
  GeneralQueryRequest,
  type HistoryQuery,
  MESSAGE_CODES,
  type Message,
  type QueryParams,
  RESPONSE_HEADERS,
} from '../../../api/src/index.ts';
import { type PageContext, runPlan } from '../answers/answer.ts';
import type { Format } from '../answers/bodies.ts';
import { defined } from '../defined.ts';
import { leftRegionNotices } from '../edges.ts';
import type { AnswerReader } from '../engines/answers.ts';
import { EngineError } from '../engines/engineError.ts';
import { ApiError } from '../errors.ts';
import { concat } from '../http.ts';
import { checkQueries } from '../license/allowances.ts';
import type { Plan, Tally } from '../planner/plan.ts';
import { datasetsIn, onlyReadable, sourcesOf } from '../sources.ts';
import { formatNanos } from '../time.ts';
import { newId } from './documents.ts';
import { eventStream } from './events.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';
import { OutdatedPlan, planCall, type QueryBody, type QueryCall } from './queryCall.ts';

export const queryHandlers = {
  queryEdge: (call: Call<'queryEdge'>) => answerOne(call, call.body),
  queryGeneral: (call: Call<'queryGeneral'>) => answerOne(call, generalMembers(call.body), true),
  queryBatch: (call) => {
    const { body, query } = call;
    const concurrency = query.maxConcurrency ?? BATCH_CONCURRENCY_DEFAULT;
    const answers = eventStream(body, concurrency, (item) => answerItem(item, call));
    return new Reply(200, answers, { 'content-type': 'text/event-stream' });
  },
} satisfies Handlers;

function generalMembers(body: GeneralQueryRequest): GeneralQueryRequest {
  const known = Object.entries(body).filter(([name]) =>
    Object.hasOwn(GeneralQueryRequest.properties, name),
  );
  return Object.fromEntries(known) as GeneralQueryRequest;
}

function contextOf(call: Call<'queryEdge'> | Call<'queryGeneral'> | Call<'queryBatch'>) {
  const { store, caller, edge, origin, now, signal } = call;
  return { store, capabilities: caller.capabilities, origin, now, signal, ...(edge && { edge }) };
}

/** Answers a query. Ignores `streaming-duration`, because the service's streaming format is not public. */
async function answerOne(
  call: Call<'queryEdge'> | Call<'queryGeneral'>,
  body: QueryBody,
  routed = false,
): Promise<Reply> {
  const answer = await answerQuery({ ...contextOf(call), body, routed }, call.query.format);
  const { saveAsKind, id: onEdge, dataset_name: named } = call.query as SavedAs;
  if (!isSaved(saveAsKind)) return replyWith(answer, call);
  // In the spec, `true` means the kind `apl`.
  const kind = saveAsKind === 'true' ? 'apl' : saveAsKind;
  const [first = ''] = datasetsIn(body.apl, sourcesOf(call.store));
  return replyWith(answer, call, { kind, query: body, dataset: onEdge || named || first });
}

export function isSaved(saveAsKind: string | undefined): saveAsKind is string {
  return saveAsKind !== undefined && saveAsKind !== '' && saveAsKind !== 'false';
}

type SaveRequest = Pick<HistoryQuery, 'kind' | 'dataset' | 'query'>;

/** Returns the response to a query. If `request` is given, stores it in the history with the sender's token. */
export async function replyWith(
  { bytes, cost }: QueryAnswer,
  { store, caller, now }: Pick<Call<'queryGeneral'>, 'store' | 'caller' | 'now'>,
  request?: SaveRequest,
): Promise<Reply> {
  const headers = { [RESPONSE_HEADERS.queryCost]: String(cost) };
  if (request === undefined) return new Reply(200, bytes, headers);
  const saved = {
    id: newId(),
    ...request,
    who: LOCAL_USER_ID,
    created: formatNanos(now),
  };
  await store.history.add(saved, caller.tokenId);
  return new Reply(200, bytes, { ...headers, [RESPONSE_HEADERS.historyQuery]: saved.id });
}

/** The parameters of a kept query. The dataset is in `id` or, on the general API host, in `dataset_name`. */
type SavedAs = QueryParams<'queryEdge'> & QueryParams<'queryGeneral'>;

async function answerItem({ aplRequest }: BatchItem, call: Call<'queryBatch'>) {
  if (aplRequest === undefined) throw new ApiError('metrics-unsupported');
  return (await answerQuery({ ...contextOf(call), body: aplRequest }, 'tabular')).bytes;
}

/** The result of a query. `cost` is in GB·ms. */
interface QueryAnswer {
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  readonly cost: number;
}

/** Runs a query. Resolves when the result is computed and its rows can be read. */
export async function answerQuery(call: QueryCall, format: Format): Promise<QueryAnswer> {
  const started = performance.now();
  const { queries, usage } = call.store;
  let cost = 0;
  let bytes: QueryAnswer['bytes'];
  try {
    bytes = await queries.queryWithMemory(
      () =>
        planCall(call, ({ plan }, isCurrent) =>
          runQuery(call, plan, format, started, () => isCurrent(plan)),
        ),
      started,
    );
  } finally {
    // Every query counts as 1 GB, so its cost in GB·ms is its running time in milliseconds.
    cost = Math.max(1, Math.round(performance.now() - started));
    usage.countQuery(cost);
  }
  return { bytes, cost };
}

async function pageContextOf(
  { store, body }: QueryCall,
  { paged, narrowed }: Plan,
): Promise<{ cursors?: PageContext }> {
  const { cursor = '', includeCursor } = body;
  const wantsCursor = cursor !== '' || includeCursor === true;
  const layout = paged && store.datasets.get(paged.dataset)?.layout;
  if (layout === undefined) return {};
  const { forwards, from } = paged!;
  // A client that paged back from a cursor can't continue with new events.
  const follows = wantsCursor && (forwards || from === undefined);
  return {
    cursors: {
      forwards,
      ...(from && { from }),
      ...(follows && {
        lastRowSql: narrowed ? `${narrowed.lastRow}` : await store.answers.lastRowSql(layout),
      }),
    },
  };
}

/** Returns whether the number of examined rows can't be derived from the rows of the result. */
function countsSeparately({ counts, main }: Plan): boolean {
  if (counts === undefined) return false;
  return counts.matched !== undefined || !main.hasRowCount;
}

async function runQuery(
  call: QueryCall,
  plan: Plan,
  format: Format,
  started: number,
  isCurrent: () => boolean,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const layoutOf = (name: string) => call.store.datasets.get(name)?.layout;
  const datasets = onlyReadable(plan.datasets, call.store, call);
  const tables = plan.datasets.flatMap((name) => layoutOf(name)?.table ?? []);
  const { cursor, includeCursor } = call.body;
  const context = {
    format,
    ...(await pageContextOf(call, plan)),
    echoed: defined({ cursor: cursor || undefined, includeCursor }),
    layoutOf,
    datasets,
    started,
    messages: (isCut: boolean) => [
      ...messagesOf(plan, isCut),
      ...(call.routed ? leftRegionNotices(call.store, datasets) : []),
    ],
  };
  return new Promise((resolve, reject) => {
    // The connection stays in use until the last row is sent.
    const work = async (reader: AnswerReader, signal: AbortSignal) => {
      // Read these concurrently with the query, which usually takes longer.
      const timeBounds = call.store.timeBounds.read(tables, plan.range, signal);
      timeBounds.catch(() => undefined);
      const examinedRange = (tables.length === 1 && plan.narrowed?.range) || plan.range;
      const blocks = call.store.blocks.read(tables, examinedRange, signal);
      blocks.catch(() => undefined);
      const countRows = (tally: Tally) => call.store.rowCounts.read(tally, signal);
      const examined = countsSeparately(plan) ? countRows(plan.counts!.examined) : undefined;
      examined?.catch(() => undefined);
      const { chunks, end, isShort } = await runPlan(reader, plan, {
        ...context,
        timeBounds,
        blocks,
        countRows,
        examined,
      });
      // New events may have fields that the plan lacks.
      if (!isCurrent()) throw new OutdatedPlan();
      if (isShort) {
        resolve(await concat(chunks));
        await end();
        return;
      }
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          // Without an abort, the query would keep its engine connection after a disconnect.
          signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        },
      });
      resolve(readable);
      await pump(chunks, writable.getWriter());
      await end();
    };
    inSlot(
      call,
      (stop) => call.store.answers.use(plan, (reader) => work(reader, stop), stop),
      started,
    ).catch(reject);
  });
}

/** Runs `work` when a query slot is free. The time limit counts from `startedAt`. */
export async function inSlot<T>(
  { store, signal }: QueryCall,
  work: (signal: AbortSignal) => Promise<T>,
  startedAt = performance.now(),
): Promise<T> {
  try {
    return await store.queries.run(
      async (stop) => {
        // Other queries may have reached the monthly limit in the meantime.
        checkQueries(store);
        return work(stop);
      },
      signal,
      startedAt,
    );
  } catch (error) {
    throw runError(error);
  }
}

async function pump(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    // The status has already been sent, so only an aborted body can report the error.
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

function messagesOf(plan: Plan, isCut: boolean): Message[] {
  const msg = `A default limit of ${plan.defaultLimit} was applied`;
  const cut = isCut ? [{ code: MESSAGE_CODES.defaultLimit, msg }] : [];
  return [...plan.messages, ...cut].map(({ code, msg }) => ({
    priority: 'warn',
    code,
    count: 1,
    msg,
  }));
}

// Converts an engine error. A failed computation is a query error. A rejected statement is an internal error.
function runError(error: unknown): unknown {
  switch (error instanceof EngineError && error.kind) {
    case 'value':
    case 'input':
      return new ApiError('query-failed', { problem: publicMessage((error as Error).message) });
    case 'memory':
      return new ApiError('query-memory');
    case 'depth':
      return new ApiError('query-too-deep');
    default:
      return error;
  }
}

/** Returns the first line of an engine's message, without the paths of the deployment's files. */
function publicMessage(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/ (?:in|of) file "[^"]*"/g, '').trim();
}
