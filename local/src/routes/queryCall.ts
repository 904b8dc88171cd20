/**
 * From the body of a query request to a plan: the text bound to what the store has, the files fetched that
 * its externaldata reads, the options turned into the planner's. Every refusal has the documented shape.
 */
import {
  type EdgeQueryRequest,
  type GeneralQueryRequest,
  QUERY_DEFAULT_LIMIT,
} from '../../../api/src/index.ts';
import {
  analyzeQuery,
  type BindOptions,
  type BoundQuery,
  bindQuery,
  type Problem,
  parseQuery,
  type ScalarType,
  type Schema,
} from '../../../language/src/index.ts';
import { ApiError } from '../errors.ts';
import { addressesOf, ExternalError, readExternal } from '../external.ts';
import { DEFAULT_RANGE_YEARS } from '../limits.ts';
import { PlanError } from '../planner/errors.ts';
import { planQuery } from '../planner/index.ts';
import { parseCursor } from '../planner/paging.ts';
import type { ExternalFile, Plan, TimeRange } from '../planner/plan.ts';
import { type Sources, sourcesOf } from '../sources.ts';
import type { Store } from '../store/store.ts';
import { parseQueryTime } from '../time.ts';
import { type QueryProblem, queryError } from './queryErrors.ts';

export type QueryBody = GeneralQueryRequest & EdgeQueryRequest;

/** What a query needs, whichever address it came through. */
export interface QueryCall {
  readonly store: Store;
  readonly body: QueryBody;
  /** When the request came, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

/**
 * Plans the query of a request and gives the plan to `use`. The files that externaldata reads are there
 * until `use` is done.
 * @throws ApiError for a query that is refused.
 */
export async function planCall<T>(
  call: QueryCall,
  use: (plan: Plan, bound: BoundQuery) => Promise<T>,
): Promise<T> {
  const query = analyzeCall(call);
  const addresses = addressesOf(query.bound, query.sources.viewOf);
  if (addresses.length === 0) return use(planAnalyzed(call, query), query.bound);
  const data = await readExternal(addresses, call.signal).catch((error: unknown) => {
    throw error instanceof ExternalError ? queryError(call.body.apl, [error]) : error;
  });
  const parts = data.map(({ bytes }) => bytes);
  return call.store.spool.lend(parts, (paths) => {
    const files = data.map(({ url, bytes }, i) => [url, describe(paths[i]!, bytes)] as const);
    return use(planAnalyzed(call, query, new Map(files)), query.bound);
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

interface AnalyzedCall {
  readonly bound: BoundQuery;
  readonly sources: Sources;
}

/** Binds the query of a request. */
function analyzeCall({ store, body }: QueryCall): AnalyzedCall {
  const text = body.apl;
  // Libraries are lists of lets that the service keeps elsewhere; there are none here.
  if ((body.libraries ?? []).length > 0) {
    throw new ApiError('option-unsupported', { option: 'libraries' });
  }
  const sources = sourcesOf(store);
  const variables = variableTypes(body.variables);
  const texts = variableTexts(body.variables);
  const { bound, problems } = bindText(text, sources.schema, { variables, texts });
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw queryError(text, errors);
  return { bound, sources };
}

/** Lints are for authors and find no errors, so only a text that does not parse is analysed in full. */
function bindText(
  text: string,
  schema: Schema,
  options: BindOptions,
): { readonly bound: BoundQuery; readonly problems: readonly Problem[] } {
  const tree = parseQuery(text);
  if (tree.problems.length === 0) {
    const bound = bindQuery(tree, schema, options);
    return { bound, problems: bound.problems };
  }
  const { bound, problems, silenced } = analyzeQuery(text, schema, options);
  // A comment silences what an author is told of, not what cannot run.
  return { bound, problems: [...problems, ...silenced] };
}

function planAnalyzed(
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
      counted: true,
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

function variableTexts(variables: QueryBody['variables'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
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
