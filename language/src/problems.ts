/**
 * Every diagnostic as a row: a stable code, its severity and its message. A message names the values
 * it is given in braces; nothing else in `language` writes a sentence about a problem.
 */
import type { Span } from './text.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  /** A replacement for the span that mends the problem, when one is safe. */
  readonly suggestion?: string;
}

interface ProblemRow {
  readonly severity: Severity;
  readonly message: string;
}

export const problemRows = {
  'unknown-function': { severity: 'error', message: 'Unknown function {name}.{hint}' },
  'unknown-operator': { severity: 'error', message: 'Unknown operator {name}.{hint}' },
  'unknown-column': { severity: 'error', message: 'Unknown column {name}.{hint}' },
  'unknown-dataset': { severity: 'error', message: 'Unknown dataset {name}.{hint}' },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problemRows;

/** Makes a problem of a row, its message filled with `values`. */
export function problem(
  code: ProblemCode,
  span: Span,
  values: Readonly<Record<string, string>> = {},
  suggestion?: string,
): Problem {
  const row: ProblemRow = problemRows[code];
  const message = row.message.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
  return {
    code,
    severity: row.severity,
    message,
    start: span.start,
    end: span.end,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
