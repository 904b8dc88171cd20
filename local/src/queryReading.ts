/**
 * Analyzes queries that are stored rather than run: monitors, views, charts, saved queries. Syntax errors are errors.
 * Problems with the schema are notices, because the schema grows with the events. Inputs and results are plain
 * values, so that long queries can be analyzed in a thread.
 */
import {
  analyzeQuery,
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
  const tree = parseQuery(apl);
  if (tree.problems.length === 0) {
    const found = errorsAmong(bindQuery(tree, schema).problems);
    return {
      errors: found.filter(({ code }) => code === UNKNOWN_OPERATOR),
      notices: found.filter(({ code }) => code !== UNKNOWN_OPERATOR),
    };
  }
  // Analyze the query in full, because only the analysis puts the parser's errors into words.
  const { problems, silenced } = analyzeQuery(apl, schema);
  const broken = new Set(tree.problems.map(({ start, end }) => `${start}:${end}`));
  const all = errorsAmong([...problems, ...silenced]);
  const isSyntax = ({ code, start, end }: QueryProblem) =>
    code === UNKNOWN_OPERATOR || broken.has(`${start}:${end}`);
  return {
    errors: all.filter((problem) => isSyntax(problem)),
    notices: all.filter((problem) => !isSyntax(problem)),
  };
}

/** The code of an unknown operator. It counts as a syntax error, because operators don't depend on the schema. */
const UNKNOWN_OPERATOR = 'unknown-operator';

function errorsAmong(problems: readonly Problem[]): QueryProblem[] {
  return problems.flatMap(({ severity, code, message, start, end }) =>
    severity === 'error' ? [{ code, message, start, end }] : [],
  );
}
