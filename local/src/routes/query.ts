/** The two query endpoints: text to plan to answer, with every refusal in the documented shape. */
import {
  type EdgeQueryRequest,
  type GeneralQueryRequest,
  MESSAGE_CODES,
  type Message,
  QUERY_DEFAULT_LIMIT,
} from '../../../api/src/index.ts';
import { analyzeQuery, type ScalarType } from '../../../language/src/index.ts';
import { ApiError } from '../errors.ts';
import { DEFAULT_RANGE_YEARS, QUERY_CONCURRENCY } from '../limits.ts';
import { PlanError } from '../planner/errors.ts';
import { planQuery } from '../planner/index.ts';
import type { Plan, TimeRange } from '../planner/plan.ts';
import { type Counts, runPlan } from '../results.ts';
import { sourcesOf } from '../sources.ts';
import { EngineError } from '../store/duckdb.ts';
import { Semaphore } from '../store/gate.ts';
import type { Store } from '../store/store.ts';
import { parseQueryTime } from '../time.ts';
import { type Call, type Handlers, Reply } from './handler.ts';
import { type QueryProblem, queryError } from './queryErrors.ts';

type QueryBody = GeneralQueryRequest & EdgeQueryRequest;

/** What a query call has at either address. */
interface QueryCall {
  readonly store: Store;
  readonly body: QueryBody;
  readonly query: Readonly<Record<string, unknown>>;
  readonly now: bigint;
  readonly signal: AbortSignal;
}

export const queryHandlers: Handlers = {
  queryEdge: (call: Call<'queryEdge'>) => answerQuery(call as QueryCall),
  queryGeneral: (call: Call<'queryGeneral'>) => answerQuery(call as QueryCall),
};

const running = new Semaphore(QUERY_CONCURRENCY);

async function answerQuery(call: QueryCall): Promise<Reply> {
  const started = performance.now();
  refuseUnsupported(call);
  const plan = planCall(call);
  const context = {
    layoutOf: (name: string) => call.store.datasets.get(name)?.layout,
    started,
    messages: (rows: number, { matched }: Counts) => messagesOf(plan, call.body, rows, matched),
  };
  // The answer starts once all is computed; the connection is held until the last row has gone out.
  return new Promise((resolve, reject) => {
    const work = () =>
      call.store.engine.use(async (session) => {
        const { chunks, short } = await runPlan(session, plan, context);
        if (short) {
          resolve(new Reply(200, await joined(chunks)));
          return;
        }
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        resolve(new Reply(200, readable));
        await pump(chunks, writable.getWriter());
      }, call.signal);
    running.run(work, call.signal).catch((error: unknown) => reject(runError(error)));
  });
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

const UNSUPPORTED_PARAMETERS = ['saveAsKind', 'streaming-duration'] as const;
const UNSUPPORTED_MEMBERS = ['cursor', 'includeCursorField', 'libraries'] as const;

function refuseUnsupported({ query, body }: QueryCall): void {
  const format = String(query['format']);
  if (format !== 'tabular') throw new ApiError('format-unsupported', { format });
  for (const name of UNSUPPORTED_PARAMETERS) {
    if (query[name] !== undefined) throw new ApiError('option-unsupported', { option: name });
  }
  for (const name of UNSUPPORTED_MEMBERS) {
    const value = body[name];
    const empty = value === undefined || value === false || value === '';
    if (!empty && !(Array.isArray(value) && value.length === 0)) {
      throw new ApiError('option-unsupported', { option: name });
    }
  }
}

function planCall({ store, body, now }: QueryCall): Plan {
  const text = body.apl;
  const sources = sourcesOf(store);
  const { bound, problems, silenced } = analyzeQuery(text, sources.schema, {
    variables: variableTypes(body.variables),
  });
  // A comment silences what an author is told of, not what cannot run.
  const errors = [...problems, ...silenced].filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw queryError(text, errors);
  try {
    return planQuery(bound, {
      ...sources,
      range: rangeOf(body, now),
      rangeStated: body.startTime !== undefined,
      now,
      defaultLimit: body.defaultLimit ?? QUERY_DEFAULT_LIMIT,
      ...(body.defaultOrder === undefined ? {} : { defaultOrder: body.defaultOrder }),
      ...(body.maxBinAutoGroups === undefined ? {} : { maxBinAutoGroups: body.maxBinAutoGroups }),
      ...(body.variables === undefined ? {} : { variables: body.variables }),
    });
  } catch (error) {
    if (error instanceof PlanError) throw queryError(text, [error satisfies QueryProblem]);
    throw error;
  }
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
    return new ApiError('query-failed', { problem: error.message.split('\n')[0]! });
  }
  return error;
}
