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
  // ── Syntax: found by the parser ────────────────────────────────────────────────────────────────

  // ── Names ──────────────────────────────────────────────────────────────────────────────────────
  'unknown-function': { severity: 'error', message: 'Unknown function {name}.{hint}' },
  'unknown-operator': { severity: 'error', message: 'Unknown operator {name}.{hint}' },
  'unknown-column': { severity: 'error', message: 'Unknown column {name}.{hint}' },
  'unknown-dataset': { severity: 'error', message: 'Unknown dataset {name}.{hint}' },
  'value-as-source': {
    severity: 'error',
    message: '{name} gives a value and not a table. Start with a dataset, or with print {name}.',
  },
  'unknown-type': { severity: 'error', message: 'Unknown type {name}.{hint}' },
  'dropped-column': {
    severity: 'error',
    message: 'The column {name} is gone: {operator} before this left it out. Keep it there.',
  },
  'dotted-column': {
    severity: 'error',
    message:
      'There is no column {base}. The column {name} has dots in its name: write {replacement}.',
  },
  'likely-dotted-column': {
    severity: 'warning',
    message:
      'This reads the property of a column {base}. For the column {name} write {replacement}.',
  },
  'duplicate-column': {
    severity: 'warning',
    message: 'The column {name} is made twice here. Give one of them another name.',
  },

  // ── Constructs of Kusto that APL lacks ─────────────────────────────────────────────────────────
  'kusto-operator': { severity: 'error', message: 'APL has no operator {name}. {instead}' },
  'kusto-function': { severity: 'error', message: 'APL has no function {name}. {instead}' },
  'kusto-scalar-operator': { severity: 'error', message: 'APL has no {name}. {instead}' },

  // ── Calls and types ────────────────────────────────────────────────────────────────────────────
  'argument-count': { severity: 'error', message: '{name} takes {expected}, not {actual}.' },
  'argument-type': {
    severity: 'warning',
    message: '{name} takes {expected} as its {parameter}; this is {actual}.{hint}',
  },
  'argument-value': {
    severity: 'warning',
    message: '{value} is no {parameter} that {name} knows.{hint}',
  },
  'operand-type': {
    severity: 'warning',
    message: '{operator} does not go with {left} and {right}.{hint}',
  },
  'never-equal': {
    severity: 'warning',
    message: 'These are never equal: one is {left}, the other {right}.{hint}',
  },
  'bool-expected': {
    severity: 'error',
    message: 'A condition is expected here; this is {actual}. Compare it with something.',
  },
  'property-of-scalar': {
    severity: 'warning',
    message: 'This is {actual}, which has no properties. Read it with parse_json() first.',
  },

  // ── Operators ──────────────────────────────────────────────────────────────────────────────────
  'aggregate-outside-summarize': {
    severity: 'error',
    message: '{name} is an aggregate: it stands only in summarize and make-series.',
  },
  'nested-aggregate': {
    severity: 'error',
    message: '{name} stands inside another aggregate. Compute it in a summarize before this one.',
  },
  'aggregate-expected': {
    severity: 'error',
    message:
      'The column {name} stands outside an aggregate. Aggregate it, as in max({name}), or move it after by.',
  },
  'unexpected-star': {
    severity: 'error',
    message: 'A * does not stand here. Name the columns, or use project-keep with a pattern.',
  },
  'join-kind': { severity: 'error', message: 'Unknown kind {name}.{hint}' },
  'join-kind-unsupported': {
    severity: 'warning',
    message: 'The service does not run {name} joins yet. It runs inner, innerunique and leftouter.',
  },
  'join-condition-and': {
    severity: 'error',
    message: 'Conditions of a {operator} are separated by commas. Write a comma for and.',
  },
  'join-condition': {
    severity: 'error',
    message: 'A condition of a {operator} is a column of both sides, or left == right.',
  },
  'sample-ratio': {
    severity: 'warning',
    message:
      'sample takes a share of the rows between 0 and 1. For a number of rows write take {value}.',
  },
  'datatable-values': {
    severity: 'error',
    message: 'The number of values, {values}, is no multiple of the number of columns, {columns}.',
  },
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
