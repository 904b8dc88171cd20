/** The query endpoints: text to plan to answer, with every refusal in the documented shape. */
import {
  BATCH_CONCURRENCY_DEFAULT,
  type BatchItem,
  MESSAGE_CODES,
  type Message,
  QUERY_DEFAULT_LIMIT,
  RESPONSE_HEADERS,
} from '../../../api/src/index.ts';
import { type Counts, runPlan } from '../answers/answer.ts';
import type { Format } from '../answers/bodies.ts';
import { ApiError } from '../errors.ts';
import { QUERY_CONCURRENCY, QUERY_MS_MAX } from '../limits.ts';
import type { Plan } from '../planner/plan.ts';
import { EngineError, type Session } from '../store/duckdb.ts';
import { Semaphore } from '../store/gate.ts';
import type { Store } from '../store/store.ts';
import { newId } from './documents.ts';
import { eventStream } from './events.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { planCall, type QueryBody, type QueryCall } from './queryCall.ts';

export const queryHandlers: Handlers = {
  queryEdge: (call: Call<'queryEdge'>) => answerOne(call, call.query),
  queryGeneral: (call: Call<'queryGeneral'>) => answerOne(call, call.query),
  queryBatch: ({ store, body, query, now, signal }) => {
    const concurrency = query.maxConcurrency ?? BATCH_CONCURRENCY_DEFAULT;
    const answers = eventStream(body, concurrency, (item) => answerItem(item, store, now, signal));
    return new Reply(200, answers, { 'content-type': 'text/event-stream' });
  },
};

const running = new Semaphore(QUERY_CONCURRENCY);

async function answerOne(
  call: Call<'queryEdge'> | Call<'queryGeneral'>,
  query: {
    readonly format: Format;
    readonly saveAsKind?: string;
    readonly 'streaming-duration'?: string;
  },
): Promise<Reply> {
  // What the service streams, and how, is not public.
  if (query['streaming-duration'] !== undefined) {
    throw new ApiError('option-unsupported', { option: 'streaming-duration' });
  }
  const { store, now, signal, body } = call;
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
  return planCall(call, (plan) => run(call, plan, format, started));
}

function run(
  call: QueryCall,
  plan: Plan,
  format: Format,
  started: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const context = {
    format,
    layoutOf: (name: string) => call.store.datasets.get(name)?.layout,
    started,
    messages: (rows: number, { matched }: Counts) => messagesOf(plan, call.body, rows, matched),
  };
  return new Promise((resolve, reject) => {
    // The connection is held until the last row has gone out.
    const work = async (session: Session, signal: AbortSignal) => {
      const { chunks, end, short } = await runPlan(session, plan, context);
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
    onEngine(call, work).catch(reject);
  });
}

/** Lends a connection to the work of a query, when its turn has come and for as long as a query may run. */
export async function onEngine<T>(
  { store, signal }: QueryCall,
  work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(QUERY_MS_MAX);
  const either = AbortSignal.any([signal, late]);
  try {
    return await running.run(
      () => store.engine.use((session) => work(session, either), either),
      either,
    );
  } catch (error) {
    throw late.aborted ? tooLong() : runError(error);
  }
}

function tooLong(): ApiError {
  return new ApiError('query-time', { seconds: QUERY_MS_MAX / 1_000 });
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

function messagesOf(plan: Plan, body: QueryBody, rows: number, matched: number): Message[] {
  const messages: Message[] = plan.messages.map(({ code, msg }) => ({
    priority: 'warn',
    code,
    count: 1,
    msg,
  }));
  const limit = body.defaultLimit ?? QUERY_DEFAULT_LIMIT;
  // A limit that nothing ran into is not worth a word.
  if (plan.defaultLimitApplied && rows >= limit && rows !== matched) {
    messages.push({
      priority: 'warn',
      code: MESSAGE_CODES.defaultLimit,
      count: 1,
      msg: `A default limit of ${limit} was applied`,
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
  return error;
}

/** The first line of what the engine says, without the paths of its own files. */
function outwardly(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/ (?:in|of) file "[^"]*"/g, '').trim();
}
