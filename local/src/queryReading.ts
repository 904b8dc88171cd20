/**
 * Reads queries that are kept and not run: monitors, views, charts, saved queries. What does not parse is an error.
 * What only the schema speaks against is a notice, since the schema grows with the events. Only values go in and
 * out, so that long texts are read in a thread.
 */
import {
  analyzeQuery,
  bindQuery,
  type Problem,
  parseQuery,
  type Schema,
} from '../../language/src/index.ts';
import type { QueryProblem } from './routes/queryErrors.ts';

/** What there is to say of a query's text, in text order. */
export interface QueryReading {
  /** Why it does not parse. */
  readonly errors: readonly QueryProblem[];
  /** Why it could not run as the deployment is now. */
  readonly notices: readonly QueryProblem[];
}

export function readQuery(apl: string, schema: Schema): QueryReading {
  try {
    return read(apl, schema);
  } catch (error) {
    // The stack, for a text that is nested beyond use: it may run elsewhere.
    if (!(error instanceof RangeError)) throw error;
    return unread(apl);
  }
}

/** The reading of a text that takes too long to read. */
export function unread(apl: string): QueryReading {
  const message = 'The query is too long to be checked.';
  return { errors: [], notices: [{ code: 'too-complex', message, start: 0, end: apl.length }] };
}

function read(apl: string, schema: Schema): QueryReading {
  const tree = parseQuery(apl);
  if (tree.problems.length === 0) {
    const found = errorsAmong(bindQuery(tree, schema).problems);
    return {
      errors: found.filter(({ code }) => code === UNKNOWN_OPERATOR),
      notices: found.filter(({ code }) => code !== UNKNOWN_OPERATOR),
    };
  }
  // In full, since it words what the parser found.
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

/** Counts as syntax, since no schema adds an operator. */
const UNKNOWN_OPERATOR = 'unknown-operator';

function errorsAmong(problems: readonly Problem[]): QueryProblem[] {
  return problems.flatMap(({ severity, code, message, start, end }) =>
    severity === 'error' ? [{ code, message, start, end }] : [],
  );
}
