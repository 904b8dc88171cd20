/** Creates errors with locations in a query. Lines and columns start at 1. Columns count UTF-16 units. */
import { ApiError } from '../errors.ts';

/** A problem in a query. The range is half-open, in offsets of the query. */
export interface QueryProblem {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

const ERRORS_MAX = 100;

/** Creates an error that locates problems. `prefix` names the query if the request has several. */
export function queryError(text: string, problems: readonly QueryProblem[], prefix = ''): ApiError {
  const errors = problems.slice(0, ERRORS_MAX).map((problem) => {
    const start = positionOf(text, problem.start);
    const end = positionOf(text, problem.end);
    return {
      code: problem.code,
      message: problem.message,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
  });
  const [first] = errors;
  return new ApiError(
    'query-malformed',
    { problem: prefix + first!.message },
    { detail: { message: first!.message, line: first!.line, column: first!.column }, errors },
  );
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const breaks = before.match(/\r\n?|\n/g)?.length ?? 0;
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return { line: breaks + 1, column: offset - lineStart + 1 };
}
