/**
 * The table of diagnostics: a stable code, severity and message for each. Braces in a message are placeholders.
 * `{hint}` after the last sentence may be empty.
 */
import type { Fix } from './edits.ts';
import { lintRows } from './lints/rows.ts';
import { inQuotes } from './names.ts';
import type { Span } from './text.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  /** A replacement for the span that fixes the problem, if a safe one exists. */
  readonly suggestion?: string;
  /** Edits that fix the problem, if a safe fix needs more than replacing the span. */
  readonly fix?: Fix;
}

/** How an editor renders the text in addition to underlining it: faded, or struck through. */
export type ProblemTag = 'unnecessary' | 'deprecated';

export interface ProblemRow {
  readonly severity: Severity;
  readonly message: string;
  readonly tag?: ProblemTag;
}

export const problemRows = {
  // ── Syntax: found by the parser ────────────────────────────────────────────────────────────────
  'expected-expression': { severity: 'error', message: "Expected an expression after '{after}'." },
  'expected-name': { severity: 'error', message: "Expected a name after '{after}'." },
  'expected-type': {
    severity: 'error',
    message: "Expected a type, such as string, after '{after}'.",
  },
  'expected-key': {
    severity: 'error',
    message: 'Expected a key, such as "name", after \'{after}\'.',
  },
  'expected-table': {
    severity: 'error',
    message: "Expected a dataset, such as ['logs'], or a subquery in parentheses after '{after}'.",
  },
  'expected-source': {
    severity: 'error',
    message: "Expected a dataset, such as ['logs'], at the start of the query.",
  },
  'expected-pattern': {
    severity: 'error',
    message: "Expected a string, '*' or a column name after '{after}'.",
  },
  'expected-word': { severity: 'error', message: "Expected '{word}' after '{after}'." },
  'expected-opening': { severity: 'error', message: "Expected '{opening}' after '{after}'." },
  'expected-closing': { severity: 'error', message: "Expected '{closing}' to match '{opening}'." },
  'missing-opening': { severity: 'error', message: "Expected '{opening}' before '{found}'." },
  'missing-quote': {
    severity: 'error',
    message: "Missing quotation mark in or next to '{found}'.",
  },
  'unmatched-closing': {
    severity: 'error',
    message: "Unmatched '{found}'. Add '{opening}' before it, or remove it.",
  },
  'expected-comma': { severity: 'error', message: "Expected ',' before '{found}'." },
  'expected-semicolon': {
    severity: 'error',
    message: "Expected ';' before '{found}' to end the statement.",
  },
  'stray-semicolon': {
    severity: 'error',
    message: "Unexpected ';'. It ends the query before the next '|'.",
  },
  'missing-pipe': { severity: 'error', message: "Expected '|' before '{found}'." },
  'missing-operator': {
    severity: 'error',
    message: "Expected an operator, such as where or summarize, after '|'.",
  },
  'double-pipe': {
    severity: 'error',
    message: "Unexpected second '|'. Remove it, or use 'or' to combine conditions.",
  },
  'unexpected-text': { severity: 'error', message: "Unexpected '{found}' after '{after}'." },
  'lone-expression': {
    severity: 'warning',
    message: 'Expected a query, but got an expression. Use print to evaluate it.',
  },
  'quote-name': {
    severity: 'error',
    message: "This name requires brackets and quotes: ['{name}'].",
  },
  'text-as-name': {
    severity: 'warning',
    message: "A string as a name is undocumented. Use ['{name}'] instead.",
  },
  'unterminated-string': {
    severity: 'error',
    message: "Unterminated string. Expected '{quote}' before the end of the line.",
  },
  'curly-quotes': {
    severity: 'error',
    message: 'Curly quotes do not delimit strings. Use " or \' instead.',
  },
  'bad-character': { severity: 'error', message: "Invalid character '{found}'.{hint}" },
  'bad-number': { severity: 'error', message: "Invalid number or timespan '{found}'." },
  'number-range': { severity: 'error', message: "The number '{found}' does not fit in 64 bits." },
  'bad-timespan': {
    severity: 'error',
    message: "Invalid timespan '{found}'. Use a number and a unit, such as 90s or 1.5h.",
  },
  'bad-datetime': {
    severity: 'error',
    message: "Invalid datetime '{found}'. Use a form such as 2025-01-31 or 2025-01-31T10:15:00Z.",
  },
  'single-equals': { severity: 'error', message: "Use '==' to compare. '=' assigns a name." },
  'name-behind': {
    severity: 'error',
    message: "A name precedes its expression. Write '{name} =' before it.",
  },
  'foreign-operator': {
    severity: 'error',
    message: "APL does not support '{found}'. Use '{instead}' instead.",
  },
  'unknown-scalar-operator': { severity: 'error', message: "Unknown operator '{name}'.{hint}" },
  'bare-not': { severity: 'error', message: "'not' requires parentheses: not(…)." },
  'bare-dynamic': {
    severity: 'error',
    message: 'An array or object requires dynamic(…) around it.',
  },
  'no-functions': {
    severity: 'error',
    message: 'APL does not support user-defined functions. A let defines a value or a query.',
  },
  'too-deep': {
    severity: 'error',
    message: 'Nested more than {limit} levels deep. Simplify the query.',
  },

  // ── Names ──────────────────────────────────────────────────────────────────────────────────────
  'unknown-function': { severity: 'error', message: "Unknown function '{name}'.{hint}" },
  'undocumented-function': {
    severity: 'warning',
    message: 'The function {name} is undocumented. The service may not support it.',
  },
  'unknown-set-option': {
    severity: 'warning',
    message: "Unknown option '{name}' of set.{hint}",
  },
  'unknown-operator': { severity: 'error', message: "Unknown operator '{name}'.{hint}" },
  'unknown-column': { severity: 'error', message: "Unknown column '{name}'.{hint}" },
  'unknown-dataset': { severity: 'error', message: "Unknown dataset '{name}'.{hint}" },
  'quoted-wildcard': {
    severity: 'warning',
    message: "In quotes, '*' is a literal character. Use {instead} to match several names.",
  },
  'unknown-type': { severity: 'error', message: "Unknown type '{name}'.{hint}" },
  'dropped-column': {
    severity: 'error',
    message:
      "The column '{name}' was removed by an earlier {operator}. Keep it there to use it here.",
  },
  'sibling-column': {
    severity: 'error',
    message: "The column '{name}' is defined in this stage. Use it in a later stage.",
  },
  'dotted-column': {
    severity: 'error',
    message: "Unknown column '{base}'. To read the column '{name}', use {replacement}.",
  },
  'likely-dotted-column': {
    severity: 'warning',
    message:
      "This reads a property of a column '{base}'. To read the column '{name}', use {replacement}.",
  },
  'duplicate-column': {
    severity: 'warning',
    message: "Duplicate column '{name}'. Rename one of the two.",
  },
  'declared-twice': {
    severity: 'error',
    message: "The name '{name}' is already declared. Rename one of the two.",
  },

  // ── Kusto constructs that APL does not support ─────────────────────────────────────────────────────────
  'kusto-operator': {
    severity: 'error',
    message: "APL does not support the operator '{name}'. {instead}",
  },
  'kusto-function': {
    severity: 'error',
    message: 'APL does not support the function {name}. {instead}',
  },
  'kusto-scalar-operator': {
    severity: 'error',
    message: "APL does not support the operator '{name}'. {instead}",
  },

  // ── Calls and types ────────────────────────────────────────────────────────────────────────────
  'argument-count': {
    severity: 'error',
    message: '{name} expects {expected}, but got {actual}.{hint}',
  },
  'missing-default': {
    severity: 'warning',
    message: '{name} has no default value. Rows that meet no condition get null.',
  },
  'argument-type': {
    severity: 'warning',
    message: "{name} expects {expected} as '{parameter}', but got {actual}.{hint}",
  },
  'branch-type': {
    severity: 'warning',
    message:
      'All results of {name} must have the same type, but one is {expected} and this is {actual}.{hint}',
  },
  'argument-value': {
    severity: 'warning',
    message: "{name} does not accept {value} as '{parameter}'.{hint}",
  },
  'operand-type': {
    severity: 'warning',
    message: "Operator '{operator}' cannot be applied to {left} and {right}.{hint}",
  },
  'never-equal': {
    severity: 'warning',
    message: 'The operands are never equal: one is {left}, the other is {right}.{hint}',
  },
  'number-expected': {
    severity: 'error',
    message: '{operator} expects a number, but got {actual}.',
  },
  'signed-value': {
    severity: 'error',
    message: 'A sign requires a number or a timespan, but got {actual}.',
  },
  'bool-expected': {
    severity: 'error',
    message: 'Expected a condition, but got {actual}. Compare it with a value.',
  },
  'property-of-scalar': {
    severity: 'warning',
    message: 'This is {actual}, which has no properties. Use parse_json() first.',
  },

  // ── Operators ──────────────────────────────────────────────────────────────────────────────────
  'aggregate-outside-summarize': {
    severity: 'error',
    message: 'The aggregate {name} is only allowed in summarize and make-series.',
  },
  'nested-aggregate': {
    severity: 'error',
    message: '{name} cannot be nested in another aggregate. Compute it in an earlier summarize.',
  },
  'aggregate-as-group': {
    severity: 'warning',
    message: "The aggregate {name} is used as a group. Move it before 'by'.",
  },
  'aggregate-advised': {
    severity: 'warning',
    message: "The column '{name}' is not aggregated, and a group can have several values of it.",
  },
  'aggregate-expected': {
    severity: 'error',
    message:
      "The column '{name}' must be aggregated, as in max({name}), or moved after 'by'.{hint}",
  },
  'no-aggregate': {
    severity: 'error',
    message:
      "Expected an aggregate, such as count(). To group by the expression, move it after 'by'.",
  },
  'rename-item': {
    severity: 'error',
    message: 'project-rename expects column names: new = old. Use extend to compute a value.',
  },
  'redact-pattern': {
    severity: 'error',
    message:
      "redact expects regular expressions, such as '[0-9]+', but got {actual}. List fields after 'on'.",
  },
  'unexpected-star': {
    severity: 'error',
    message: "Unexpected '*'. List the columns, or use project-keep with a pattern.",
  },
  'unknown-option': {
    severity: 'error',
    message: "Unknown option '{name}' of {operator}.{hint}",
  },
  'option-value': {
    severity: 'error',
    message: "The option '{option}' must be one of {known}.{hint}",
  },
  'join-kind': { severity: 'error', message: "Unknown join kind '{name}'.{hint}" },
  'join-kind-unsupported': {
    severity: 'warning',
    message: 'The service does not support {name} joins yet. Use inner, innerunique or leftouter.',
  },
  'join-condition-and': {
    severity: 'error',
    message: "Separate the conditions of a {operator} with ',' instead of 'and'.",
  },
  'join-condition': {
    severity: 'error',
    message: 'A condition of a {operator} must be a column of both sides, or left == right.',
  },
  'sample-ratio': {
    severity: 'warning',
    message: 'sample expects a ratio between 0 and 1. Use take {value} for a number of rows.',
  },
  'datatable-values': {
    severity: 'error',
    message:
      'The number of values ({values}) is not a multiple of the number of columns ({columns}).',
  },

  // ── Comments that suppress diagnostics ─────────────────────────────────────────────────────────────
  'unknown-directive': { severity: 'hint', message: "Unknown directive '{name}'.{hint}" },
  'unknown-code': { severity: 'hint', message: "Unknown diagnostic code '{name}'.{hint}" },
  'unused-directive': {
    severity: 'hint',
    message: 'Unused suppression: no diagnostic here matches {what}.',
    tag: 'unnecessary',
  },
  'misplaced-directive': {
    severity: 'hint',
    message: 'This directive must precede the first query of the file.',
  },
  ...lintRows,
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problemRows;

/** All codes, in the order of the rows. */
export const problemCodes = Object.keys(problemRows) as readonly ProblemCode[];

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemRows, text);
}

export function tagOf(code: ProblemCode): ProblemTag | undefined {
  const row: ProblemRow = problemRows[code];
  return row.tag;
}

/** Creates a problem from a row, with its message filled with `values`. */
export function problem(
  code: ProblemCode,
  span: Span,
  values: Readonly<Record<string, string>> = {},
  suggestion?: string,
): Problem {
  const row: ProblemRow = problemRows[code];
  const message = row.message.replace(
    /'\{(\w+)\}'|\{(\w+)\}/g,
    (_, quoted: string | undefined, bare: string) =>
      quoted === undefined ? (values[bare] ?? '') : inQuotes(values[quoted] ?? ''),
  );
  return {
    code,
    severity: row.severity,
    message,
    start: span.start,
    end: span.end,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Returns ` Did you mean 'x'?`, or an empty string without a name. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean ${inQuotes(name)}?`;
}

/** Returns a problem of a substring that starts at `by` with its offsets in the entire text. */
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
