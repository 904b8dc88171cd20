/**
 * Every diagnostic as a row: a stable code, its severity and its message. A message names the values
 * it is given in braces; nothing else in `language` writes a sentence about a problem.
 */
import type { Fix } from './edits.ts';
import { lintRows } from './lints/rows.ts';
import type { Span } from './text.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  /** A replacement for the span that mends the problem, when one is safe. */
  readonly suggestion?: string;
  /** A change elsewhere or of several places that mends it, when one is safe. */
  readonly fix?: Fix;
}

/** How an editor shows the text beside underlining it: faded, or struck through. */
export type ProblemTag = 'unnecessary' | 'deprecated';

export interface ProblemRow {
  readonly severity: Severity;
  readonly message: string;
  readonly tag?: ProblemTag;
}

export const problemRows = {
  // ── Syntax: found by the parser ────────────────────────────────────────────────────────────────
  'expected-expression': { severity: 'error', message: 'Expected a value after {after}.' },
  'expected-name': { severity: 'error', message: 'Expected a name after {after}.' },
  'expected-type': {
    severity: 'error',
    message: 'Expected a type, such as string, after {after}.',
  },
  'expected-key': { severity: 'error', message: 'Expected a key, such as "name", after {after}.' },
  'expected-table': {
    severity: 'error',
    message: "Expected a dataset, such as ['logs'], or a query in parentheses after {after}.",
  },
  'expected-source': {
    severity: 'error',
    message: "A query starts with a dataset, such as ['logs'].",
  },
  'expected-pattern': {
    severity: 'error',
    message: 'Expected a text in quotes, *, or a name for a column after {after}.',
  },
  'expected-word': { severity: 'error', message: 'Expected {word} after {after}.' },
  'expected-opening': { severity: 'error', message: 'Expected {opening} after {after}.' },
  'expected-closing': { severity: 'error', message: 'Expected {closing} to close {opening}.' },
  'missing-opening': { severity: 'error', message: 'Expected {opening} before {found}.' },
  'missing-quote': { severity: 'error', message: 'A quote is missing in or next to {found}.' },
  'unmatched-closing': {
    severity: 'error',
    message: 'This {found} closes nothing. Put {opening} before it, or remove it.',
  },
  'expected-comma': { severity: 'error', message: 'Expected a comma before {found}.' },
  'expected-semicolon': {
    severity: 'error',
    message: 'Expected ; before {found}. A let, set or declare statement ends with it.',
  },
  'stray-semicolon': {
    severity: 'error',
    message: 'This ; ends the query before its next |. Remove it.',
  },
  'missing-pipe': { severity: 'error', message: 'Expected | before {found}.' },
  'missing-operator': {
    severity: 'error',
    message: 'Expected an operator, such as where or summarize, after |.',
  },
  'double-pipe': {
    severity: 'error',
    message: 'Two | in a row. Remove one, or write or to combine conditions.',
  },
  'unexpected-text': { severity: 'error', message: 'Did not expect {found} after {after}.' },
  'lone-expression': {
    severity: 'warning',
    message: 'This is a value and not a query. Put print before it to see it.',
  },
  'quote-name': { severity: 'error', message: "Write this name in brackets: ['{name}']." },
  'text-as-name': {
    severity: 'warning',
    message: "Write this name in brackets: ['{name}']. The documentation shows no other way.",
  },
  'unterminated-string': {
    severity: 'error',
    message: 'Expected {quote} before the end of the line to close the text.',
  },
  'curly-quotes': {
    severity: 'error',
    message: 'Curly quotes do not mark a text. Use " or \' instead.',
  },
  'bad-character': { severity: 'error', message: '{found} has no meaning in APL.{hint}' },
  'bad-number': { severity: 'error', message: '{found} is neither a number nor a timespan.' },
  'number-range': { severity: 'error', message: '{found} does not fit in 64 bits.' },
  'bad-timespan': {
    severity: 'error',
    message: '{found} is not a timespan. Write a number and a unit, such as 90s or 1.5h.',
  },
  'bad-datetime': {
    severity: 'error',
    message: '{found} is not a time. Write it as 2025-01-31 or 2025-01-31T10:15:00Z.',
  },
  'single-equals': { severity: 'error', message: 'Use == to compare: = gives a name to a value.' },
  'name-behind': {
    severity: 'error',
    message: 'The name of a value stands before it. Write {name} = in front.',
  },
  'foreign-operator': { severity: 'error', message: 'APL writes {found} as {instead}.' },
  'unknown-scalar-operator': { severity: 'error', message: 'Unknown operator {name}.{hint}' },
  'bare-not': { severity: 'error', message: 'Write not(…) with parentheses.' },
  'bare-dynamic': {
    severity: 'error',
    message: 'An array or object stands in dynamic(…). Put that around it.',
  },
  'no-functions': {
    severity: 'error',
    message: 'APL has no functions of your own. A let takes a value or a query.',
  },
  'too-deep': {
    severity: 'error',
    message: 'Nested more than {limit} levels deep. Simplify this.',
  },

  // ── Names ──────────────────────────────────────────────────────────────────────────────────────
  'unknown-function': { severity: 'error', message: 'Unknown function {name}.{hint}' },
  'undocumented-function': {
    severity: 'warning',
    message: 'The documentation does not have {name}. The service may change it, or lack it.',
  },
  'unknown-set-option': {
    severity: 'warning',
    message: 'No option {name} is known to set.{hint}',
  },
  'unknown-operator': { severity: 'error', message: 'Unknown operator {name}.{hint}' },
  'unknown-column': { severity: 'error', message: 'Unknown column {name}.{hint}' },
  'unknown-dataset': { severity: 'error', message: 'Unknown dataset {name}.{hint}' },
  'quoted-wildcard': {
    severity: 'warning',
    message: 'A * in quotes stands for itself. For all names that match write {instead}.',
  },
  'unknown-type': { severity: 'error', message: 'Unknown type {name}.{hint}' },
  'dropped-column': {
    severity: 'error',
    message: 'The column {name} is gone: {operator} before this left it out. Keep it there.',
  },
  'sibling-column': {
    severity: 'error',
    message: 'The column {name} is made in this same stage. Use it in a stage behind this one.',
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
  'declared-twice': {
    severity: 'error',
    message: 'The name {name} is declared already. Give one of them another name.',
  },

  // ── Constructs of Kusto that APL lacks ─────────────────────────────────────────────────────────
  'kusto-operator': { severity: 'error', message: 'APL has no operator {name}. {instead}' },
  'kusto-function': { severity: 'error', message: 'APL has no function {name}. {instead}' },
  'kusto-scalar-operator': { severity: 'error', message: 'APL has no {name}. {instead}' },

  // ── Calls and types ────────────────────────────────────────────────────────────────────────────
  'argument-count': { severity: 'error', message: '{name} takes {expected}, not {actual}.{hint}' },
  'argument-type': {
    severity: 'warning',
    message: '{name} takes {expected} as its {parameter}; this is {actual}.{hint}',
  },
  'branch-type': {
    severity: 'warning',
    message: 'All values of {name} are of one type: one is {expected}, this is {actual}.{hint}',
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
  'number-expected': {
    severity: 'error',
    message: '{operator} takes a number; this is {actual}.',
  },
  'signed-value': {
    severity: 'error',
    message: 'A sign stands before a number or a timespan; this is {actual}.',
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
  'aggregate-as-group': {
    severity: 'warning',
    message: '{name} is an aggregate among the groups. Put it before by.',
  },
  'aggregate-advised': {
    severity: 'warning',
    message: 'The column {name} stands outside an aggregate, which has one value for many rows.',
  },
  'aggregate-expected': {
    severity: 'error',
    message:
      'The column {name} stands outside an aggregate. Aggregate it, as in max({name}), or move it after by.{hint}',
  },
  'no-aggregate': {
    severity: 'error',
    message:
      'There is no aggregate in this. Put one such as count() around it, or move it after by to group.',
  },
  'rename-item': {
    severity: 'error',
    message: 'project-rename takes new = old, the names of columns. For a value use extend.',
  },
  'redact-pattern': {
    severity: 'error',
    message:
      "redact takes regular expressions, such as '[0-9]{4}'; this is {actual}. Fields stand after on.",
  },
  'unexpected-star': {
    severity: 'error',
    message: 'A * does not stand here. Name the columns, or use project-keep with a pattern.',
  },
  'unknown-option': {
    severity: 'error',
    message: 'The operator {operator} has no option {name}.{hint}',
  },
  'option-value': {
    severity: 'error',
    message: 'The option {option} takes one of {known}.{hint}',
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

  // ── Comments that silence problems ─────────────────────────────────────────────────────────────
  'unknown-directive': { severity: 'hint', message: 'No comment {name} is known.{hint}' },
  'unknown-code': { severity: 'hint', message: 'There is no problem {name} to silence.{hint}' },
  'unused-directive': {
    severity: 'hint',
    message: '{what} silences nothing here. Remove it.',
    tag: 'unnecessary',
  },
  'misplaced-directive': {
    severity: 'hint',
    message: 'This comment counts only above the first query of the file. Move it there.',
  },
  ...lintRows,
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problemRows;

/** Every code, in the order of the rows. */
export const problemCodes = Object.keys(problemRows) as readonly ProblemCode[];

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemRows, text);
}

export function tagOf(code: ProblemCode): ProblemTag | undefined {
  const row: ProblemRow = problemRows[code];
  return row.tag;
}

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

/** A problem of a part of a text that starts at an offset, as one of the whole. */
export function movedProblem(problem: Problem, by: number): Problem {
  const { start, end, fix } = problem;
  const moved = { ...problem, start: start + by, end: end + by };
  if (fix === undefined) return moved;
  const edits = fix.edits.map((edit) => ({
    start: edit.start + by,
    end: edit.end + by,
    text: edit.text,
  }));
  return { ...moved, fix: { title: fix.title, edits } };
}
