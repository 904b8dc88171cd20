/** Plans a request's query with the store's schema, and reads the files that externaldata names. */
import {
  type EdgeDeployment,
  type EdgeQueryRequest,
  isZeroTime,
  MESSAGE_CODES,
  QUERY_DEFAULT_LIMIT,
  stringifyJson,
} from '../../../api/src/index.ts';
import { Access } from '../access/access.ts';
import type { Capabilities } from '../access/capabilities.ts';
import { defined } from '../defined.ts';
import { checkEdge } from '../edges.ts';
import { EngineError } from '../engines/engineError.ts';
import { ApiError } from '../errors.ts';
import { type Address, ExternalError, readExternal } from '../external.ts';
import type { FullLicense } from '../license/license.ts';
import { DEFAULT_RANGE_YEARS } from '../limits.ts';
import { parseCursor, rowsOf, withRows } from '../planner/paging.ts';
import type { ExternalFile, Plan, ReadCursor, TimeRange } from '../planner/plan.ts';
import type { PlanLimits } from '../planner/planSize.ts';
import { planInThread } from '../planThread.ts';
import { datasetsIn, sourceDataOf, sourcesOf } from '../sources.ts';
import type { Datasets } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { clampTime, formatNanos, parseQueryTime } from '../time.ts';
import { type PlanReply, type PlanRequest, planRequest, tooComplex } from './planRequest.ts';
import { type QueryProblem, queryError } from './queryErrors.ts';

export type QueryBody = EdgeQueryRequest;

/** A query request from any of the query endpoints. */
export interface QueryCall {
  readonly store: Store;
  /** The edge deployment whose datasets the query may read. If absent, the query may read all datasets. */
  readonly edge?: EdgeDeployment;
  readonly origin: string;
  /** Whether the query was sent to the general API host, which routes results through the default region. */
  readonly routed?: boolean;
  readonly body: QueryBody;
  /** Arrival time of the request, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
  /** The caller's capabilities. If absent, access isn't restricted. */
  readonly capabilities?: Capabilities;
  readonly explain?: boolean;
}

/** Maximum total length of a query and its variables for planning in the main thread. */
const MAIN_THREAD_PLAN_CHARS_MAX = 20_000;

/** Maximum size of a plan made in the main thread. A worker thread makes larger plans. */
const MAIN_THREAD_PLAN_LIMITS: PlanLimits = { cells: 40_000, weight: 150_000 };

interface PlannedCall {
  readonly plan: Plan;
  readonly explanation?: string;
}

export class OutdatedPlan extends Error {}

type CurrencyCheck = (plan: Plan) => boolean;

/** Maximum number of attempts to plan a query while its datasets keep changing. */
const PLAN_ATTEMPTS_MAX = 3;

/**
 * Plans a query and calls `take` with the plan. The files for externaldata exist until `take` resolves. If `take`
 * throws an OutdatedPlan or the engine rejects the statement, plans the query again, because datasets may have changed.
 * @throws ApiError if the query is rejected.
 */
export async function planCall<T>(
  call: QueryCall,
  take: (planned: PlannedCall, isCurrent: CurrencyCheck) => Promise<T>,
): Promise<T> {
  const { datasets } = call.store;
  for (let attemptsLeft = PLAN_ATTEMPTS_MAX; ; attemptsLeft -= 1) {
    const layouts = datasets.layouts();
    const isCurrent = (plan: Plan) =>
      attemptsLeft === 1 ||
      layouts === datasets.layouts() ||
      plan.datasets.every((name) => layouts.get(name) === datasets.get(name)?.layout);
    let takenPlan: Plan | undefined;
    try {
      return await planOnce(call, (planned) => {
        takenPlan = planned.plan;
        return take(planned, isCurrent);
      });
    } catch (error) {
      const isUnfit = error instanceof EngineError && error.kind === 'statement';
      if (!isUnfit && !(error instanceof OutdatedPlan)) throw error;
      if (takenPlan === undefined) throw error;
      if (isUnfit) await datasets.pendingChanges(takenPlan.datasets);
      if (isCurrent(takenPlan)) throw isUnfit ? ofSource(error, takenPlan, datasets) : error;
    }
  }
}

/** A table that is the source of a dataset may have been dropped or changed. */
function ofSource(error: EngineError, plan: Plan, datasets: Datasets): Error {
  const tables = plan.datasets.flatMap((name) => {
    const source = datasets.get(name)?.document.source;
    return source === undefined ? [] : [JSON.stringify(`${source.database}.${source.table}`)];
  });
  if (tables.length === 0) return error;
  const problem = error.message.trim().replace(/[.]$/, '');
  return new ApiError('source-unreadable', { tables: tables.join(', '), problem });
}

async function planOnce<T>(call: QueryCall, take: (planned: PlannedCall) => Promise<T>) {
  const { request, messages } = requestOf(call, await cursorOf(call));
  const use = ({ plan, ...planned }: PlannedCall) =>
    take({ ...planned, plan: { ...plan, messages: [...messages, ...plan.messages] } });
  const reply = await planReply(request, call);
  if (reply.kind === 'plan') return use(reply);
  const data = await readExternalData(call, reply.addresses);
  const parts = data.map(({ bytes }) => bytes);
  return call.store.spool.withFiles(parts, async (paths) => {
    const files = data.map(({ url, bytes }, i) => [url, describeFile(paths[i]!, bytes)] as const);
    const context = { ...request.context, externalFiles: new Map(files) };
    const planned = await planReply({ ...request, context }, call);
    // If a view changed during the download and now requires other files, reject the query.
    if (planned.kind !== 'plan') throw queryError(call.body.apl, [tooComplex(call.body.apl)]);
    return use(planned);
  });
}

/** Returns a request for the planner, and messages about changes to the client's request. */
function requestOf({ body, now, explain, store }: QueryCall, cursor: ReadCursor | undefined) {
  // No endpoint can create libraries, so any library is missing.
  const [library] = body.libraries ?? [];
  if (library !== undefined) {
    throw new ApiError('library-not-found', { id: JSON.stringify(library) });
  }
  const { range, messages } = withinWindow(rangeOf(body, now), store.license);
  const request: PlanRequest = {
    apl: body.apl,
    ...defined({ variables: body.variables, explain }),
    engine: store.answers.name,
    context: {
      range,
      rangeStated: body.startTime !== undefined,
      now,
      defaultLimit: body.defaultLimit ?? QUERY_DEFAULT_LIMIT,
      paged: true,
      countRows: true,
      ...(cursor && { cursor: { ...cursor, inclusive: body.includeCursor === true } }),
      ...defined({
        cursorField: body.includeCursorField,
        defaultOrder: body.defaultOrder,
        maxBinAutoGroups: body.maxBinAutoGroups,
      }),
    },
  };
  return { request, messages };
}

/** Shortens a time range to the license's maximum, and returns a message if the range changes. */
function withinWindow(range: TimeRange, { maxQueryWindowSeconds }: FullLicense) {
  const start = range.end - BigInt(Math.floor(maxQueryWindowSeconds)) * 1_000_000_000n;
  if (start <= range.start) return { range, messages: [] };
  const msg = `The license allows queries over ${maxQueryWindowSeconds} seconds. The query covers the time from ${formatNanos(start)} only`;
  return { range: { ...range, start }, messages: [{ code: MESSAGE_CODES.window, msg }] };
}

/** Plans a query. Long queries and large plans use a worker thread, so that they don't block other requests. */
async function planReply(
  request: PlanRequest,
  call: QueryCall,
): Promise<Exclude<PlanReply, { kind: 'refused' }>> {
  const { store, signal } = call;
  const { apl, context, variables = {} } = request;
  let reply: PlanReply | undefined;
  if (apl.length + stringifyJson(variables).length <= MAIN_THREAD_PLAN_CHARS_MAX) {
    reply = planRequest(
      { ...request, context: { ...context, limits: MAIN_THREAD_PLAN_LIMITS } },
      sourcesOf(store, call),
    );
  }
  if (reply === undefined || isTooComplex(reply)) {
    reply = await planInThread(request, sourceDataOf(store, call), signal);
  }
  if (reply.kind === 'refused') {
    checkDatasets(apl, call);
    throw refusal(call, reply.problems);
  }
  const lookups = reply.kind === 'plan' ? reply.plan.lookups : undefined;
  const narrowed = lookups && (await store.blockFilters?.narrowed(context.range, lookups, signal));
  if (narrowed === undefined) return reply;
  return planReply({ ...request, context: { ...context, narrowed } }, call);
}

/** Checks a query's datasets. Throws an ApiError if one isn't in the edge deployment of the request. */
function checkDatasets(apl: string, { store, capabilities, edge, origin }: QueryCall): void {
  if (edge === undefined || apl.length > MAIN_THREAD_PLAN_CHARS_MAX) return;
  const sources = sourcesOf(store, defined({ capabilities }));
  for (const name of datasetsIn(apl, sources)) checkEdge(store, name, edge, origin);
}

/** Returns the error for a query's problems. For an unknown dataset, it says that the token may lack access. */
function refusal({ body, store, capabilities }: QueryCall, problems: readonly QueryProblem[]) {
  const error = queryError(body.apl, problems);
  if (capabilities === undefined || new Access(store, capabilities).isFull) return error;
  const unknown = problems.find(({ code }) => code === 'unknown-dataset');
  if (unknown === undefined) return error;
  const name = body.apl.slice(unknown.start, unknown.end);
  return new ApiError('query-forbidden', { name }, error.extra);
}

function isTooComplex(reply: PlanReply): boolean {
  return reply.kind === 'refused' && reply.problems.some(({ code }) => code === 'too-complex');
}

async function readExternalData({ store, body, signal }: QueryCall, addresses: readonly Address[]) {
  try {
    return await readExternal(addresses, store.external, signal);
  } catch (error) {
    throw error instanceof ExternalError ? queryError(body.apl, [error]) : error;
  }
}

function describeFile(path: string, bytes: Uint8Array): ExternalFile {
  const end = bytes.indexOf(0x0a);
  const line = Buffer.from(bytes.subarray(0, end < 0 ? bytes.length : end)).toString('latin1');
  const width = (line.match(/[,;|\t]/g)?.length ?? 0) + 1;
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return { path, width: Math.min(width, EXTERNAL_WIDTH_MAX), isList: first === 0x5b };
}

/** Maximum number of values per line, including undeclared values. */
const EXTERNAL_WIDTH_MAX = 4_096;

/** Returns the request's cursor, with current row numbers. Throws an ApiError if the cursor is invalid. */
async function cursorOf({ body, store }: QueryCall): Promise<ReadCursor | undefined> {
  const { cursor } = body;
  if (cursor === undefined || cursor === '') return undefined;
  const found = parseCursor(cursor);
  if (found === undefined) throw new ApiError('bad-cursor', { cursor: JSON.stringify(cursor) });
  if (found.numbering === undefined) return found;
  const { numbering } = found;
  const now = await store.datasets.currentRows({ numbering, rows: rowsOf(found) });
  return now.numbering === numbering
    ? found
    : { ...withRows(found, now.rows), numbering: now.numbering };
}

/** Returns a request's half-open time range. Throws an ApiError if its start is after its end. */
export function rangeOf(
  { startTime, endTime }: Pick<QueryBody, 'startTime' | 'endTime'>,
  now: bigint,
): TimeRange {
  const end = parseBound(endTime, now, true) ?? now;
  const start =
    parseBound(startTime, now) ??
    yearsBefore(end < now ? clampTime(end) : now, DEFAULT_RANGE_YEARS);
  if (start > end) {
    throw new ApiError('bad-range', { problem: 'startTime is later than endTime' });
  }
  return { start: clampTime(start), end: clampTime(end) };
}

/** Parses a bound that the schema has validated. Go clients send a zero time for an absent end. */
function parseBound(text: string | undefined, now: bigint, isEnd = false): bigint | undefined {
  const isStated = text !== undefined && !(isEnd && isZeroTime(text));
  return isStated ? parseQueryTime(text, now) : undefined;
}

function yearsBefore(time: bigint, years: number): bigint {
  const date = new Date(Number(time / 1_000_000n));
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return BigInt(date.getTime()) * 1_000_000n;
}
