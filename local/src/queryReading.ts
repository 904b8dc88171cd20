/**
 * Analyzes the queries of stored resources, such as monitors and views. Problems with the schema are only notices,
 * because later events may change the schema. Inputs and results are plain values, so that a worker thread can analyze
 * long queries.
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

/** The problems of a query, in text order. */
export interface QueryReading {
  readonly errors: readonly QueryProblem[];
  /** Problems that currently prevent the query from running. */
  readonly notices: readonly QueryProblem[];
}

export function readQuery(apl: string, schema: Schema): QueryReading {
  try {
    return analyze(apl, schema);
  } catch (error) {
    // A query whose nesting overflowed the stack may still run on another deployment.
    if (!(error instanceof RangeError)) throw error;
    return uncheckedReading(apl);
  }
}

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

/** Parses and binds a query. Runs the slower full analysis only for syntax errors, to improve their messages. */
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
  // Comments in the query can suppress problems, but suppressed problems still prevent the query from running.
  return { bound, problems: [...problems, ...silenced] };
}

/** An unknown operator is a syntax error, because operators don't depend on the schema. */
const UNKNOWN_OPERATOR = 'unknown-operator';
