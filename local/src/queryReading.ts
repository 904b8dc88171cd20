/**
 * Analyzes queries that are stored rather than run: monitors, views, charts, saved queries. Syntax errors are errors.
 * Problems with the schema are notices, because the schema grows with the events. Inputs and results are plain
 * values, so that long queries can be analyzed in a thread.
 */
import {
  analyzeQuery,
  type BindOptions,
  type BoundQuery,
  bindQuery,
  type Problem,
  parseQuery,
  type Schema,
} from '../../language/src/index.ts';
import type { QueryProblem } from './routes/queryErrors.ts';

/** The problems of a query, ordered by offset. */
export interface QueryReading {
  readonly errors: readonly QueryProblem[];
  /** Problems that would keep the query from running on the deployment now. */
  readonly notices: readonly QueryProblem[];
}

export function readQuery(apl: string, schema: Schema): QueryReading {
  try {
    return analyze(apl, schema);
  } catch (error) {
    // Excessive nesting caused a stack overflow. The query may still run elsewhere.
    if (!(error instanceof RangeError)) throw error;
    return uncheckedReading(apl);
  }
}

/** Returns the reading of a query that is too long or too deeply nested to analyze. */
export function uncheckedReading(apl: string): QueryReading {
  const message = 'The query is too long to be checked.';
  return { errors: [], notices: [{ code: 'too-complex', message, start: 0, end: apl.length }] };
}

function analyze(apl: string, schema: Schema): QueryReading {
  const { bound, problems } = bindText(apl, schema);
  const errors = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, start, end }) => ({ code, message, start, end }));
  const broken = new Set(bound.tree.problems.map(({ start, end }) => `${start}:${end}`));
  const isSyntax = ({ code, start, end }: QueryProblem) =>
    code === UNKNOWN_OPERATOR || broken.has(`${start}:${end}`);
  return {
    errors: errors.filter((problem) => isSyntax(problem)),
    notices: errors.filter((problem) => !isSyntax(problem)),
  };
}

/** Binds a query. Only a query with syntax errors is analyzed in full, which words them. Lints report no errors. */
export function bindText(
  text: string,
  schema: Schema,
  options?: BindOptions,
): { readonly bound: BoundQuery; readonly problems: readonly Problem[] } {
  const tree = parseQuery(text);
  if (tree.problems.length === 0) {
    const bound = bindQuery(tree, schema, options);
    return { bound, problems: bound.problems };
  }
  const { bound, problems, silenced } = analyzeQuery(text, schema, options);
  // Include suppressed errors, because they still prevent the query from running.
  return { bound, problems: [...problems, ...silenced] };
}

/** The code of an unknown operator. It counts as a syntax error, because operators don't depend on the schema. */
const UNKNOWN_OPERATOR = 'unknown-operator';
