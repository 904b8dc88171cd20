/**
 * From the text and options of a query to its plan, with nothing but values in and out, so that it runs in a thread
 * of its own where it may take long.
 */
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
import { type Address, addressesOf } from '../external.ts';
import { PlanError } from '../planner/errors.ts';
import { explainPlan } from '../planner/explain.ts';
import { planQuery } from '../planner/index.ts';
import type { Plan, PlanContext } from '../planner/plan.ts';
import type { Sources } from '../sources.ts';
import { blameVirtualField } from '../virtualFields.ts';
import type { QueryProblem } from './queryErrors.ts';

/** A query as a request states it; all of it can be sent to a thread. */
export interface PlanRequest {
  readonly apl: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly context: Omit<PlanContext, keyof Sources | 'variables'>;
  /** Whether the plan is to be explained. */
  readonly explain?: boolean;
}

export type PlanReply =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly explanation?: string }
  /** The data behind these addresses is to be fetched first. */
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[] }
  | { readonly kind: 'refused'; readonly problems: readonly QueryProblem[] };

/** Binds and plans a query. A query that cannot run is a reply, not an error. */
export function planRequest(request: PlanRequest, sources: Sources): PlanReply {
  const { apl, variables, context, explain } = request;
  try {
    const types = variableTypes(variables);
    const strings = stringVariables(variables);
    const { bound, problems } = bindText(apl, sources.schema, { variables: types, texts: strings });
    const errors = problems.filter((problem) => problem.severity === 'error');
    if (errors.length > 0) {
      const blamed = errors.map((error) => blameVirtualField(error, bound, sources.brokenFieldsOf));
      return { kind: 'refused', problems: blamed.map(plainProblem) };
    }
    const addresses = addressesOf(bound, sources.viewOf);
    if (addresses.length > 0 && context.externalFiles === undefined) {
      return { kind: 'addresses', addresses };
    }
    const plan = planQuery(bound, {
      ...sources,
      ...context,
      ...(variables === undefined ? {} : { variables }),
    });
    const explanation = explain === true ? { explanation: explainPlan(bound, plan) } : {};
    return { kind: 'plan', plan, ...explanation };
  } catch (error) {
    const problem = problemOf(error, apl);
    if (problem === undefined) throw error;
    return { kind: 'refused', problems: [problem] };
  }
}

/** What a query is refused for; undefined for an error that is not the query's. */
function problemOf(error: unknown, apl: string): QueryProblem | undefined {
  if (error instanceof PlanError) return plainProblem(error);
  // The stack or the longest string that V8 can hold; both only for texts that are nested or repeated beyond use.
  return error instanceof RangeError ? tooComplex(apl) : undefined;
}

/** For a query whose planning was broken off, wherever in its text it was. */
export function tooComplex(apl: string): QueryProblem {
  const message =
    'The query is too large or too deeply nested to plan. Split it into several queries.';
  return { code: 'too-complex', message, start: 0, end: apl.length };
}

function plainProblem({ code, message, start, end }: QueryProblem): QueryProblem {
  return { code, message, start, end };
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

function stringVariables(variables: PlanRequest['variables'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function variableTypes(variables: PlanRequest['variables'] = {}): Record<string, ScalarType> {
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
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'long' : 'real';
    default:
      return 'dynamic';
  }
}
