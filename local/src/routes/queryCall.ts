/**
 * From the body of a query request to a plan: the text bound to what the store has, the files fetched that
 * its externaldata reads, the options turned into the planner's. Every refusal has the documented shape.
 */
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
import { checkEdge } from '../edges.ts';
import { ApiError } from '../errors.ts';
import { type Address, ExternalError, readExternal } from '../external.ts';
import type { FullLicense } from '../license/license.ts';
import { DEFAULT_RANGE_YEARS } from '../limits.ts';
import { parseCursor, rowsOf, withRows } from '../planner/paging.ts';
import type { ExternalFile, Plan, ReadCursor, TimeRange } from '../planner/plan.ts';
import type { PlanLimits } from '../planner/planSize.ts';
import { planInThread } from '../planThread.ts';
import { datasetsIn, sourceDataOf, sourcesOf } from '../sources.ts';
import { EngineError } from '../store/duckdb.ts';
import type { Store } from '../store/store.ts';
import { clampTime, formatNanos, parseQueryTime } from '../time.ts';
import { type PlanReply, type PlanRequest, planRequest, tooComplex } from './planRequest.ts';
import { type QueryProblem, queryError } from './queryErrors.ts';

export type QueryBody = EdgeQueryRequest;

/** What a query needs, whichever address it came through. */
export interface QueryCall {
  readonly store: Store;
  /** The edge deployment that is asked, whose datasets alone are read; absent where all may be. */
  readonly edge?: EdgeDeployment;
  /** The address of the local deployment. */
  readonly origin: string;
  /** Whether the result is routed through the general address. */
  readonly routed?: boolean;
  readonly body: QueryBody;
  /** When the request came, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
  /** What the sender may read; everything if absent. */
  readonly capabilities?: Capabilities;
  /** Whether the plan is to be explained. */
  readonly explain?: boolean;
}

/** Characters of a query and its variables that are planned at once at most: longer ones take long however plain they are. */
const MAIN_THREAD_PLAN_CHARS_MAX = 20_000;

/** How large a plan may become at once; what is larger is planned anew in a thread, with the planner's own limits. */
const MAIN_THREAD_PLAN_LIMITS: PlanLimits = { cells: 40_000, weight: 150_000 };

/** A plan, and how it was made where the call asks for that. */
export interface PlannedCall {
  readonly plan: Plan;
  readonly explanation?: string;
}

/** Thrown by those who run a plan, where its datasets have changed since it was made. */
export class OutdatedPlan extends Error {}

/** Whether the datasets of a plan are as they were when it was made, as far as that matters. */
type CurrencyCheck = (plan: Plan) => boolean;

/** How often a query is planned while its datasets change; its last plan counts as current. */
const PLAN_ATTEMPTS_MAX = 3;

/**
 * Plans the query of a request and gives the plan to `take`. The files that externaldata reads are there
 * until `take` is done. Datasets may change before the plan is run: it is made again where `take` throws an
 * OutdatedPlan, or an error of a statement that no longer fits.
 * @throws ApiError for a query that is refused.
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
      if (isCurrent(takenPlan)) throw error;
    }
  }
}

async function planOnce<T>(
  call: QueryCall,
  take: (planned: PlannedCall) => Promise<T>,
): Promise<T> {
  const { request, messages } = requestOf(call, await cursorOf(call));
  const use = (planned: PlannedCall) => take(withMessages(planned, messages));
  const reply = await planReply(request, call);
  if (reply.kind === 'plan') return use(reply);
  const data = await readExternalData(call, reply.addresses);
  const parts = data.map(({ bytes }) => bytes);
  return call.store.spool.withFiles(parts, async (paths) => {
    const files = data.map(({ url, bytes }, i) => [url, describeFile(paths[i]!, bytes)] as const);
    const context = { ...request.context, externalFiles: new Map(files) };
    const planned = await planReply({ ...request, context }, call);
    // Views may have changed meanwhile, so that other data is asked for.
    if (planned.kind !== 'plan') throw queryError(call.body.apl, [tooComplex(call.body.apl)]);
    return use(planned);
  });
}

type PlanMessages = Plan['messages'];

function withMessages(planned: PlannedCall, messages: PlanMessages): PlannedCall {
  if (messages.length === 0) return planned;
  const { plan } = planned;
  return { ...planned, plan: { ...plan, messages: [...messages, ...plan.messages] } };
}

interface RequestWithMessages {
  readonly request: PlanRequest;
  /** What the answer says about what was made of the request. */
  readonly messages: PlanMessages;
}

/** The query of a call with its options. Throws an ApiError for options that cannot be taken. */
function requestOf(
  { body, now, explain, store }: QueryCall,
  cursor: ReadCursor | undefined,
): RequestWithMessages {
  // No endpoint makes libraries, so there are none to include.
  const [library] = body.libraries ?? [];
  if (library !== undefined) {
    throw new ApiError('library-not-found', { id: JSON.stringify(library) });
  }
  const { range, messages } = withinWindow(rangeOf(body, now), store.license);
  const request: PlanRequest = {
    apl: body.apl,
    ...(body.variables === undefined ? {} : { variables: body.variables }),
    ...(explain === undefined ? {} : { explain }),
    context: {
      range,
      rangeStated: body.startTime !== undefined,
      now,
      defaultLimit: body.defaultLimit ?? QUERY_DEFAULT_LIMIT,
      paged: true,
      countRows: true,
      ...(cursor && { cursor: { ...cursor, inclusive: body.includeCursor === true } }),
      ...(body.includeCursorField === undefined ? {} : { cursorField: body.includeCursorField }),
      ...(body.defaultOrder === undefined ? {} : { defaultOrder: body.defaultOrder }),
      ...(body.maxBinAutoGroups === undefined ? {} : { maxBinAutoGroups: body.maxBinAutoGroups }),
    },
  };
  return { request, messages };
}

/** The end of a range, as long as the license lets a query look back, and a message where that is not all of it. */
function withinWindow(range: TimeRange, { maxQueryWindowSeconds }: FullLicense) {
  const start = range.end - BigInt(Math.floor(maxQueryWindowSeconds)) * 1_000_000_000n;
  if (start <= range.start) return { range, messages: [] };
  const msg = `The license allows queries over ${maxQueryWindowSeconds} seconds. The query covers the time from ${formatNanos(start)} only`;
  return { range: { ...range, start }, messages: [{ code: MESSAGE_CODES.window, msg }] };
}

type Planned = Exclude<PlanReply, { readonly kind: 'refused' }>;

/** Plans short queries at once, and in a thread those that would hold up other requests. */
async function planReply(request: PlanRequest, call: QueryCall): Promise<Planned> {
  const { store, signal } = call;
  const { apl, context } = request;
  let reply: PlanReply | undefined;
  if (apl.length + variablesLength(request) <= MAIN_THREAD_PLAN_CHARS_MAX) {
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
  return reply;
}

/** Throws an ApiError for a query of another edge deployment's dataset, which is unknown in the one that is asked. */
function checkDatasets(apl: string, { store, capabilities, edge, origin }: QueryCall): void {
  if (edge === undefined || apl.length > MAIN_THREAD_PLAN_CHARS_MAX) return;
  const sources = sourcesOf(store, capabilities === undefined ? {} : { capabilities });
  for (const name of datasetsIn(apl, sources)) checkEdge(store, name, edge, origin);
}

/** A dataset that a token may not read is for it as one that does not exist, and the answer says both. */
function refusal({ body, store, capabilities }: QueryCall, problems: readonly QueryProblem[]) {
  const error = queryError(body.apl, problems);
  if (capabilities === undefined || new Access(store, capabilities).isFull) return error;
  const unknown = problems.find(({ code }) => code === 'unknown-dataset');
  if (unknown === undefined) return error;
  const name = body.apl.slice(unknown.start, unknown.end);
  return new ApiError('query-forbidden', { name }, error.extra);
}

function variablesLength({ variables }: PlanRequest): number {
  return variables === undefined ? 0 : stringifyJson(variables).length;
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

/** Values of a line that are read at most, declared or not. */
const EXTERNAL_WIDTH_MAX = 4_096;

/** The cursor of a request, in the rows as they are numbered now. Throws an ApiError for text that is none. */
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

/** The range of a query, half-open. Throws an ApiError for one that ends before it begins. */
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

/** The request was checked, so its strings are times. No range ends at the time that clients in Go send for none. */
function parseBound(text: string | undefined, now: bigint, isEnd = false): bigint | undefined {
  const isStated = text !== undefined && !(isEnd && isZeroTime(text));
  return isStated ? parseQueryTime(text, now) : undefined;
}

function yearsBefore(time: bigint, years: number): bigint {
  const date = new Date(Number(time / 1_000_000n));
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return BigInt(date.getTime()) * 1_000_000n;
}
