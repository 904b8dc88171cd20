/** The query endpoints: text to plan to answer, with every refusal in the documented shape. */
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
import { leftRegionNotices } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { checkQueries } from '../license/allowances.ts';
import type { Plan } from '../planner/plan.ts';
import { datasetsIn, onlyReadable, sourcesOf } from '../sources.ts';
import { EngineError, type Session } from '../store/duckdb.ts';
import { formatNanos } from '../time.ts';
import { newId } from './documents.ts';
import { eventStream } from './events.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { LOCAL_USER_ID } from './identity.ts';
import { OutdatedPlan, planCall, type QueryBody, type QueryCall } from './queryCall.ts';

export const queryHandlers: Handlers = {
  queryEdge: (call: Call<'queryEdge'>) => answerOne(call, call.body),
  queryGeneral: (call: Call<'queryGeneral'>) => answerOne(call, generalMembers(call.body), true),
  queryBatch: (call) => {
    const { body, query } = call;
    const concurrency = query.maxConcurrency ?? BATCH_CONCURRENCY_DEFAULT;
    const answers = eventStream(body, concurrency, (item) => answerItem(item, call));
    return new Reply(200, answers, { 'content-type': 'text/event-stream' });
  },
};

/** The members that a query through the general address has; others are unknown there, and so ignored. */
function generalMembers(body: GeneralQueryRequest): GeneralQueryRequest {
  const known = Object.entries(body).filter(([name]) =>
    Object.hasOwn(GeneralQueryRequest.properties, name),
  );
  return Object.fromEntries(known) as GeneralQueryRequest;
}

/** What every query of a request has in common. */
function contextOf({
  store,
  caller: { capabilities },
  edge,
  origin,
  now,
  signal,
}: Call<'queryEdge'> | Call<'queryGeneral'> | Call<'queryBatch'>) {
  return { store, capabilities, origin, now, signal, ...(edge && { edge }) };
}

/** What `streaming-duration` streams is not public, so the answer is whole with it as without it. */
async function answerOne(
  call: Call<'queryEdge'> | Call<'queryGeneral'>,
  body: QueryBody,
  routed = false,
): Promise<Reply> {
  const { bytes, cost } = await answerQuery(
    { ...contextOf(call), body, routed },
    call.query.format,
  );
  const headers: Record<string, string> = { [RESPONSE_HEADERS.queryCost]: String(cost) };
  const { saveAsKind } = call.query;
  if (isSaved(saveAsKind)) headers[RESPONSE_HEADERS.historyQuery] = await saveAplQuery(call, body);
  return new Reply(200, bytes, headers);
}

/** The cost of a query in GB·ms: the milliseconds it took, in a worker that counts as 1 GB. */
function costSince(started: number): number {
  return Math.max(1, Math.round(performance.now() - started));
}

/** Whether a query is to be kept. */
export function isSaved(kind: string | undefined): kind is string {
  return kind !== undefined && kind !== '' && kind !== 'false';
}

/** Keeps a query of APL that has run, and gives its id. The specification writes `true` for the kind. */
function saveAplQuery(
  call: Call<'queryEdge'> | Call<'queryGeneral'>,
  body: QueryBody,
): Promise<string> {
  const { saveAsKind: kind = '', id: onEdge, dataset_name: named } = call.query as SavedAs;
  const [first = ''] = datasetsIn(body.apl, sourcesOf(call.store));
  return saveQuery(call, {
    kind: kind === 'true' ? 'apl' : kind,
    dataset: onEdge || named || first,
    query: body,
  });
}

/** Keeps a query that has run, for the token that sent it, and gives its id. */
export async function saveQuery(
  { store, caller, now }: Pick<Call<'queryGeneral'>, 'store' | 'caller' | 'now'>,
  saved: Pick<HistoryQuery, 'kind' | 'dataset' | 'query'>,
): Promise<string> {
  const id = newId();
  const query = { id, ...saved, who: LOCAL_USER_ID, created: formatNanos(now) };
  await store.history.add(query, caller.tokenId);
  return id;
}

/** How a query is kept; each address has a parameter of its own for the dataset. */
type SavedAs = QueryParams<'queryEdge'> & QueryParams<'queryGeneral'>;

/** One query of a batch, which answers in the tabular shape. */
async function answerItem(
  { aplRequest }: BatchItem,
  call: Call<'queryBatch'>,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  if (aplRequest === undefined) throw new ApiError('metrics-unsupported');
  return (await answerQuery({ ...contextOf(call), body: aplRequest }, 'tabular')).bytes;
}

/** The answer to a query, and what counts for it in GB·ms. */
export interface QueryAnswer {
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  readonly cost: number;
}

/** Plans and runs; resolves once all is computed and only the rows are still to be read. */
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
    cost = costSince(started);
    usage.countQuery(cost);
  }
  return { bytes, cost };
}

/** Returns what the cursors of an answer are derived from; none if its rows have none. */
function pageContextOf({ store, body }: QueryCall, { paged }: Plan): { cursors?: PageContext } {
  const { cursor = '', includeCursor } = body;
  const wantsCursor = cursor !== '' || includeCursor === true;
  const layout = paged && store.datasets.get(paged.dataset)?.layout;
  if (layout === undefined) return {};
  const { forwards, from } = paged!;
  // Who reads backwards from a cursor comes to no event that is new.
  const follows = wantsCursor && (forwards || from === undefined);
  return {
    cursors: {
      forwards,
      ...(from && { from }),
      ...(follows && { table: layout.table }),
    },
  };
}

function runQuery(
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
  const hasCursor = cursor !== undefined && cursor !== '';
  const context = {
    format,
    ...pageContextOf(call, plan),
    echoed: {
      ...(hasCursor && { cursor }),
      ...(includeCursor !== undefined && { includeCursor }),
    },
    layoutOf,
    datasets,
    started,
    messages: (isCut: boolean) => [
      ...messagesOf(plan, isCut),
      ...(call.routed ? leftRegionNotices(call.store, datasets) : []),
    ],
  };
  return new Promise((resolve, reject) => {
    // The connection is held until the last row has gone out.
    const work = async (session: Session, signal: AbortSignal) => {
      // They are read beside the answer, which takes longer in most cases.
      const timeBounds = call.store.timeBounds.read(tables, plan.range, signal);
      timeBounds.catch(() => undefined);
      const blocks = call.store.blocks.read(tables, plan.range, signal);
      blocks.catch(() => undefined);
      const { chunks, end, isShort } = await runPlan(session, plan, {
        ...context,
        timeBounds,
        blocks,
      });
      // What was stored meanwhile may be among the rows, but not its new fields.
      if (!isCurrent()) throw new OutdatedPlan();
      if (isShort) {
        resolve(await concatChunks(chunks));
        await end();
        return;
      }
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          // A client that does not read on would keep the connection for ever.
          signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        },
      });
      resolve(readable);
      await pump(chunks, writable.getWriter());
      await end();
    };
    withEngine(call, plan, work, started).catch(reject);
  });
}

/**
 * Lends a connection to the work of a plan, when its turn has come and for as long as a query that began
 * then may run.
 */
export async function withEngine<T>(
  { store, signal }: QueryCall,
  { macros }: Plan,
  work: (session: Session, signal: AbortSignal) => Promise<T>,
  startedAt = performance.now(),
): Promise<T> {
  try {
    return await store.queries.run(
      async (stop) => {
        // Others may have used up the month while it waited for its turn.
        checkQueries(store);
        await store.engine.createMacros(macros);
        return store.engine.use((session) => work(session, stop), stop);
      },
      signal,
      startedAt,
    );
  } catch (error) {
    throw runError(error);
  }
}

async function concatChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function pump(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    // The status has gone out already, so all that is left is to break the body off.
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

function messagesOf(plan: Plan, isCut: boolean): Message[] {
  const messages: Message[] = plan.messages.map(({ code, msg }) => ({
    priority: 'warn',
    code,
    count: 1,
    msg,
  }));
  if (isCut) {
    messages.push({
      priority: 'warn',
      code: MESSAGE_CODES.defaultLimit,
      count: 1,
      msg: `A default limit of ${plan.defaultLimit} was applied`,
    });
  }
  return messages;
}

// A value that cannot be computed is the query's affair; a statement that DuckDB does not take is ours.
function runError(error: unknown): unknown {
  if (error instanceof EngineError && (error.kind === 'value' || error.kind === 'input')) {
    return new ApiError('query-failed', { problem: publicMessage(error.message) });
  }
  if (error instanceof EngineError && error.kind === 'memory') return new ApiError('query-memory');
  if (error instanceof EngineError && error.kind === 'depth') return new ApiError('query-too-deep');
  return error;
}

/** The first line of what the engine says, without the paths of its own files. */
function publicMessage(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/ (?:in|of) file "[^"]*"/g, '').trim();
}
