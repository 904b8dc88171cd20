/** The query endpoints: text to plan to answer, with every refusal in the documented shape. */
import {
  BATCH_CONCURRENCY_DEFAULT,
  type BatchItem,
  GeneralQueryRequest,
  MESSAGE_CODES,
  type Message,
  RESPONSE_HEADERS,
} from '../../../api/src/index.ts';
import { runPlan } from '../answers/answer.ts';
import type { Format } from '../answers/bodies.ts';
import { ApiError } from '../errors.ts';
import type { Plan } from '../planner/plan.ts';
import { EngineError, type Session } from '../store/duckdb.ts';
import type { Store } from '../store/store.ts';
import { newId } from './documents.ts';
import { eventStream } from './events.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { planCall, type QueryBody, type QueryCall } from './queryCall.ts';

export const queryHandlers: Handlers = {
  queryEdge: (call: Call<'queryEdge'>) => answerOne(call, call.body),
  queryGeneral: (call: Call<'queryGeneral'>) => answerOne(call, generalMembers(call.body)),
  queryBatch: ({ store, body, query, now, signal }) => {
    const concurrency = query.maxConcurrency ?? BATCH_CONCURRENCY_DEFAULT;
    const answers = eventStream(body, concurrency, (item) => answerItem(item, store, now, signal));
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

/** What `streaming-duration` streams is not public, so the answer is whole with it as without it. */
async function answerOne(
  { store, now, signal, query }: Call<'queryEdge'> | Call<'queryGeneral'>,
  body: QueryBody,
): Promise<Reply> {
  const stream = await answer({ store, body, now, signal }, query.format);
  const kept = query.saveAsKind ? { [RESPONSE_HEADERS.historyQuery]: newId() } : {};
  return new Reply(200, stream, kept);
}

/** One query of a batch, which answers in the tabular shape. */
async function answerItem(
  { aplRequest }: BatchItem,
  store: Store,
  now: bigint,
  signal: AbortSignal,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  if (aplRequest === undefined) throw new ApiError('metrics-unsupported');
  return answer({ store, body: aplRequest, now, signal }, 'tabular');
}

/** Plans and runs; gives the answer's bytes once all is computed and only the rows are still to be read. */
function answer(call: QueryCall, format: Format): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const started = performance.now();
  return call.store.queries.queryWithRoom(
    () => planCall(call, ({ plan }) => run(call, plan, format, started)),
    started,
  );
}

function run(
  call: QueryCall,
  plan: Plan,
  format: Format,
  started: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const layoutOf = (name: string) => call.store.datasets.get(name)?.layout;
  const tables = plan.datasets.flatMap((name) => layoutOf(name)?.table ?? []);
  const context = {
    format,
    layoutOf,
    started,
    messages: (isCut: boolean) => messagesOf(plan, isCut),
  };
  return new Promise((resolve, reject) => {
    // The connection is held until the last row has gone out.
    const work = async (session: Session, signal: AbortSignal) => {
      // They are read beside the answer, which takes longer in most cases.
      const timeBounds = call.store.timeBounds.read(tables, plan.range, signal);
      timeBounds.catch(() => undefined);
      const { chunks, end, short } = await runPlan(session, plan, { ...context, timeBounds });
      if (short) {
        resolve(await joined(chunks));
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
    onEngine(call, plan, work, started).catch(reject);
  });
}

/**
 * Lends a connection to the work of a plan, when its turn has come and for as long as a query that began
 * then may run.
 */
export async function onEngine<T>(
  { store, signal }: QueryCall,
  { macros }: Plan,
  work: (session: Session, signal: AbortSignal) => Promise<T>,
  began = performance.now(),
): Promise<T> {
  try {
    return await store.queries.run(
      async (stop) => {
        await store.engine.makeMacros(macros);
        return store.engine.use((session) => work(session, stop), stop);
      },
      signal,
      began,
    );
  } catch (error) {
    throw runError(error);
  }
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
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
    return new ApiError('query-failed', { problem: outwardly(error.message) });
  }
  if (error instanceof EngineError && error.kind === 'memory') return new ApiError('query-memory');
  if (error instanceof EngineError && error.kind === 'depth') return new ApiError('query-too-deep');
  return error;
}

/** The first line of what the engine says, without the paths of its own files. */
function outwardly(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/ (?:in|of) file "[^"]*"/g, '').trim();
}
