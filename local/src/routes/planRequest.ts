/** Plans a query. Inputs and results are plain values, so that a worker thread can plan slow queries. */
import type { BindOptions, ScalarType } from '../../../language/src/index.ts';
import { defined } from '../defined.ts';
import type { EngineName } from '../engines/answers.ts';
import { planForEngine } from '../engines/plan.ts';
import { type Address, addressesOf } from '../external.ts';
import { PlanError } from '../planner/errors.ts';
import { explainPlan } from '../planner/explain.ts';
import type { Plan, PlanContext } from '../planner/plan.ts';
import { bindText } from '../queryReading.ts';
import type { Sources } from '../sources.ts';
import { blameVirtualField } from '../virtualFields.ts';
import type { QueryProblem } from './queryErrors.ts';

export interface PlanRequest {
  readonly apl: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly context: Omit<PlanContext, keyof Sources | 'variables'>;
  readonly explain?: boolean;
  /** The engine that runs the plan. The default is DuckDB. */
  readonly engine?: EngineName;
}

export type PlanReply =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly explanation?: string }
  /** Fetch the data from these URLs, and then plan the query again. */
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[] }
  | { readonly kind: 'refused'; readonly problems: readonly QueryProblem[] };

/** Plans a query. Returns the problems of a query that can't run, instead of throwing. */
export function planRequest(request: PlanRequest, sources: Sources): PlanReply {
  const { apl, variables, context, explain, engine } = request;
  try {
    const { bound, problems } = bindText(apl, sources.schema, bindOptions(variables));
    const errors = problems.filter((problem) => problem.severity === 'error');
    if (errors.length > 0) {
      const blamed = errors.map((error) => blameVirtualField(error, bound, sources.brokenFieldsOf));
      return { kind: 'refused', problems: blamed.map(plainProblem) };
    }
    const addresses = addressesOf(bound, sources.viewOf);
    if (addresses.length > 0 && context.externalFiles === undefined) {
      return { kind: 'addresses', addresses };
    }
    const plan = planForEngine(engine ?? 'DuckDB', bound, {
      ...sources,
      ...context,
      ...defined({ variables }),
    });
    const explanation = explain === true ? { explanation: explainPlan(bound, plan) } : {};
    return { kind: 'plan', plan, ...explanation };
  } catch (error) {
    const problem = problemOf(error, apl);
    if (problem === undefined) throw error;
    return { kind: 'refused', problems: [problem] };
  }
}

/** Returns the query's problem that caused the error, or undefined if the query didn't cause it. */
function problemOf(error: unknown, apl: string): QueryProblem | undefined {
  if (error instanceof PlanError) return plainProblem(error);
  // A very long or nested query exceeds the stack or V8's maximum string length.
  return error instanceof RangeError ? tooComplex(apl) : undefined;
}

/** Returns the problem of a query that is too complex to plan. The problem covers the entire query. */
export function tooComplex(apl: string): QueryProblem {
  const message =
    'The query is too large or too deeply nested to plan. Split it into several queries.';
  return { code: 'too-complex', message, start: 0, end: apl.length };
}

function plainProblem({ code, message, start, end }: QueryProblem): QueryProblem {
  return { code, message, start, end };
}

function bindOptions(variables: PlanRequest['variables'] = {}): BindOptions {
  const entries = Object.entries(variables);
  const types = entries.map(([name, value]) => [name, variableType(value)]);
  const texts = entries.flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return { variables: Object.fromEntries(types), texts: Object.fromEntries(texts) };
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
