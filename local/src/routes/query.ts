/** The query endpoints: text to plan to answer, with every refusal in the documented shape. */
import {
  BATCH_CONCURRENCY_DEFAULT,
  type BatchItem,
  type EdgeQueryRequest,
  type GeneralQueryRequest,
  MESSAGE_CODES,
  type Message,
  QUERY_DEFAULT_LIMIT,
  RESPONSE_HEADERS,
} from '../../../api/src/index.ts';
import { analyzeQuery, type BoundQuery, type ScalarType } from '../../../language/src/index.ts';
import { type Counts, type Format, runPlan } from '../answers/answer.ts';
import { ApiError } from '../errors.ts';
import { addressesOf, ExternalError, readExternal } from '../external.ts';
import { DEFAULT_RANGE_YEARS, QUERY_CONCURRENCY, QUERY_MS_MAX } from '../limits.ts';
import { PlanError } from '../planner/errors.ts';
import { planQuery } from '../planner/index.ts';
import { parseCursor } from '../planner/paging.ts';
import type { ExternalFile, Plan, TimeRange } from '../planner/plan.ts';
import { type Sources, sourcesOf } from '../sources.ts';
import { EngineError } from '../store/duckdb.ts';
import { Semaphore } from '../store/gate.ts';
import type { Store } from '../store/store.ts';
import { parseQueryTime } from '../time.ts';
import { newId } from './documents.ts';
import { eventStream } from './events.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { type QueryProblem, queryError } from './queryErrors.ts';

type QueryBody = GeneralQueryRequest & EdgeQueryRequest;

/** What running a query needs, whichever address it came through. */
interface QueryCall {
  readonly store: Store;
  readonly body: QueryBody;
  readonly format: Format;
  readonly now: bigint;
  readonly signal: AbortSignal;
}

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
  const stream = await answer({ store, body, format: query.format, now, signal });
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
  return answer({ store, body: aplRequest, format: 'tabular', now, signal });
}

/** Plans and runs; gives the answer's bytes once all is computed and only the rows are still to be read. */
async function answer(call: QueryCall): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const started = performance.now();
  const query = analyzeCall(call);
  const addresses = addressesOf(query.bound, query.sources.viewOf);
  if (addresses.length === 0) return run(call, planCall(call, query), started);
  const data = await readExternal(addresses, call.signal).catch((error: unknown) => {
    throw error instanceof ExternalError ? queryError(call.body.apl, [error]) : error;
  });
  const parts = data.map(({ bytes }) => bytes);
  return new Promise((resolve, reject) => {
    // The files are there until the statement has read them, which is before the answer begins.
    const work = async (paths: readonly string[]): Promise<void> => {
      const files = data.map(({ url, bytes }, i) => [url, describe(paths[i]!, bytes)] as const);
      resolve(await run(call, planCall(call, query, new Map(files)), started));
    };
    call.store.spool.lend(parts, work).catch(reject);
  });
}

function describe(path: string, bytes: Uint8Array): ExternalFile {
  const end = bytes.indexOf(0x0a);
  const line = Buffer.from(bytes.subarray(0, end < 0 ? bytes.length : end)).toString('latin1');
  const width = (line.match(/[,;|\t]/g)?.length ?? 0) + 1;
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return { path, width: Math.min(width, EXTERNAL_WIDTH_MAX), isList: first === 0x5b };
}

/** Values of a line that are read at most, declared or not. */
const EXTERNAL_WIDTH_MAX = 4_096;

function run(
  call: QueryCall,
  plan: Plan,
  started: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const context = {
    format: call.format,
    layoutOf: (name: string) => call.store.datasets.get(name)?.layout,
    started,
    messages: (rows: number, { matched }: Counts) => messagesOf(plan, call.body, rows, matched),
  };
  const late = AbortSignal.timeout(QUERY_MS_MAX);
  const signal = AbortSignal.any([call.signal, late]);
  return new Promise((resolve, reject) => {
    // The connection is held until the last row has gone out.
    const work = () =>
      call.store.engine.use(async (session) => {
        const { chunks, short } = await runPlan(session, plan, context);
        if (short) {
          resolve(await joined(chunks));
          return;
        }
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        resolve(readable);
        await pump(chunks, writable.getWriter());
      }, signal);
    running
      .run(work, signal)
      .catch((error: unknown) => reject(late.aborted ? tooLong() : runError(error)));
  });
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

interface AnalyzedCall {
  readonly bound: BoundQuery;
  readonly sources: Sources;
}

function analyzeCall({ store, body }: QueryCall): AnalyzedCall {
  const text = body.apl;
  // Libraries are lists of lets that the service keeps elsewhere; there are none here.
  if ((body.libraries ?? []).length > 0) {
    throw new ApiError('option-unsupported', { option: 'libraries' });
  }
  const sources = sourcesOf(store);
  const { bound, problems, silenced } = analyzeQuery(text, sources.schema, {
    variables: variableTypes(body.variables),
  });
  // A comment silences what an author is told of, not what cannot run.
  const errors = [...problems, ...silenced].filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw queryError(text, errors);
  return { bound, sources };
}

function planCall(
  { body, now }: QueryCall,
  { bound, sources }: AnalyzedCall,
  externalFiles?: ReadonlyMap<string, ExternalFile>,
): Plan {
  try {
    return planQuery(bound, {
      ...sources,
      ...(externalFiles === undefined ? {} : { externalFiles }),
      range: rangeOf(body, now),
      rangeStated: body.startTime !== undefined,
      now,
      defaultLimit: body.defaultLimit ?? QUERY_DEFAULT_LIMIT,
      paged: true,
      ...cursorOf(body),
      ...(body.includeCursorField === undefined ? {} : { cursorField: body.includeCursorField }),
      ...(body.defaultOrder === undefined ? {} : { defaultOrder: body.defaultOrder }),
      ...(body.maxBinAutoGroups === undefined ? {} : { maxBinAutoGroups: body.maxBinAutoGroups }),
      ...(body.variables === undefined ? {} : { variables: body.variables }),
    });
  } catch (error) {
    if (error instanceof PlanError) throw queryError(body.apl, [error satisfies QueryProblem]);
    throw error;
  }
}

function cursorOf({ cursor, includeCursor }: QueryBody) {
  if (cursor === undefined || cursor === '') return {};
  const found = parseCursor(cursor);
  if (found === undefined) throw new ApiError('bad-cursor', { cursor: JSON.stringify(cursor) });
  return { cursor: { ...found, inclusive: includeCursor === true } };
}

function variableTypes(variables: QueryBody['variables'] = {}): Record<string, ScalarType> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, variableType(value)]),
  );
}

function variableType(value: unknown): ScalarType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isSafeInteger(value) ? 'long' : 'real';
    default:
      return 'dynamic';
  }
}

function rangeOf({ startTime, endTime }: QueryBody, now: bigint): TimeRange {
  const end = boundOf('endTime', endTime, now) ?? now;
  const start = boundOf('startTime', startTime, now) ?? yearsBefore(end, DEFAULT_RANGE_YEARS);
  if (start > end) {
    throw new ApiError('bad-range', { problem: 'startTime is later than endTime' });
  }
  return { start, end };
}

function boundOf(name: string, text: string | undefined, now: bigint): bigint | undefined {
  if (text === undefined) return undefined;
  const bound = parseQueryTime(text, now);
  if (bound === undefined) {
    throw new ApiError('bad-range', {
      problem: `${name} ${JSON.stringify(text)} is out of range; times go from 1677 to 2262`,
    });
  }
  return bound;
}

function yearsBefore(time: bigint, years: number): bigint {
  const date = new Date(Number(time / 1_000_000n));
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return BigInt(date.getTime()) * 1_000_000n;
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
