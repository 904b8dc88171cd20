/**
 * The table of diagnostics: a stable code, severity and message for each. Braces in a message are placeholders.
 * `{hint}` after the last sentence may be empty.
 */
import { defined } from './defined.ts';
import { type Fix, shifted } from './edits.ts';
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

/** A diagnostic tag: the editor fades unnecessary code and strikes through deprecated code. */
export type ProblemTag = 'unnecessary' | 'deprecated';

export interface ProblemRow {
  readonly severity: Severity;
  readonly message: string;
  readonly tag?: ProblemTag;
}

const warning = (message: string): ProblemRow => ({ severity: 'warning', message });
const hint = (message: string): ProblemRow => ({ severity: 'hint', message });

/** The table rows. A row that consists only of a message has the severity `error`. */
const rows = {
  // ── Syntax: found by the parser ────────────────────────────────────────────────────────────────
  'expected-expression': "Expected an expression after '{after}'.",
  'expected-name': "Expected a name after '{after}'.",
  'expected-type': "Expected a type, such as string, after '{after}'.",
  'expected-key': 'Expected a key, such as "name", after \'{after}\'.',
  'expected-table':
    "Expected a dataset, such as ['logs'], or a subquery in parentheses after '{after}'.",
  'expected-source': "Expected a dataset, such as ['logs'], at the start of the query.",
  'expected-pattern': "Expected a string, '*' or a column name after '{after}'.",
  'expected-word': "Expected '{word}' after '{after}'.",
  'expected-opening': "Expected '{opening}' after '{after}'.",
  'expected-closing': "Expected '{closing}' to match '{opening}'.",
  'missing-opening': "Expected '{opening}' before '{found}'.",
  'missing-quote': "Missing quotation mark in or next to '{found}'.",
  'unmatched-closing': "Unmatched '{found}'. Add '{opening}' before it, or remove it.",
  'expected-comma': "Expected ',' before '{found}'.",
  'expected-semicolon': "Expected ';' before '{found}' to end the statement.",
  'stray-semicolon': "Unexpected ';'. It ends the query before the next '|'.",
  'missing-pipe': "Expected '|' before '{found}'.",
  'missing-operator': "Expected an operator, such as where or summarize, after '|'.",
  'double-pipe': "Unexpected second '|'. Remove it, or use 'or' to combine conditions.",
  'unexpected-text': "Unexpected '{found}' after '{after}'.",
  'lone-expression': warning('Expected a query, but got an expression. Use print to evaluate it.'),
  'quote-name': "This name requires brackets and quotes: ['{name}'].",
  'text-as-name': warning("A string as a name is undocumented. Use ['{name}'] instead."),
  'unterminated-string': "Unterminated string. Expected '{quote}' before the end of the line.",
  'curly-quotes': 'Curly quotes do not delimit strings. Use " or \' instead.',
  'bad-character': "Invalid character '{found}'.{hint}",
  'bad-number': "Invalid number or timespan '{found}'.",
  'number-range': "The number '{found}' does not fit in 64 bits.",
  'bad-timespan': "Invalid timespan '{found}'. Use a number and a unit, such as 90s or 1.5h.",
  'bad-datetime':
    "Invalid datetime '{found}'. Use a form such as 2025-01-31 or 2025-01-31T10:15:00Z.",
  'single-equals': "Use '==' to compare. '=' assigns a name.",
  'name-behind': "A name precedes its expression. Write '{name} =' before it.",
  'foreign-operator': "APL does not support '{found}'. Use '{instead}' instead.",
  'unknown-scalar-operator': "Unknown operator '{name}'.{hint}",
  'bare-not': "'not' requires parentheses: not(…).",
  'bare-dynamic': 'An array or object requires dynamic(…) around it.',
  'no-functions': 'APL does not support user-defined functions. A let defines a value or a query.',
  'too-deep': 'Nested more than {limit} levels deep. Simplify the query.',

  // ── Names ──────────────────────────────────────────────────────────────────────────────────────
  'unknown-function': "Unknown function '{name}'.{hint}",
  'undocumented-function': warning(
    'The function {name} is undocumented. The service may not support it.',
  ),
  'unknown-set-option': warning("Unknown option '{name}' of set.{hint}"),
  'unknown-operator': "Unknown operator '{name}'.{hint}",
  'unknown-column': "Unknown column '{name}'.{hint}",
  'unknown-dataset': "Unknown dataset '{name}'.{hint}",
  'quoted-wildcard': warning(
    "In quotes, '*' is a literal character. Use {instead} to match several names.",
  ),
  'unknown-type': "Unknown type '{name}'.{hint}",
  'dropped-column':
    "The column '{name}' was removed by an earlier {operator}. Keep it there to use it here.",
  'sibling-column': "The column '{name}' is defined in this stage. Use it in a later stage.",
  'dotted-column': "Unknown column '{base}'. To read the column '{name}', use {replacement}.",
  'likely-dotted-column': warning(
    "This reads a property of a column '{base}'. To read the column '{name}', use {replacement}.",
  ),
  'duplicate-column': warning("Duplicate column '{name}'. Rename one of the two."),
  'declared-twice': "The name '{name}' is already declared. Rename one of the two.",

  // ── Kusto constructs that APL does not support ─────────────────────────────────────────────────────────
  'kusto-operator': "APL does not support the operator '{name}'. {instead}",
  'kusto-function': 'APL does not support the function {name}. {instead}',
  'kusto-scalar-operator': "APL does not support the operator '{name}'. {instead}",

  // ── Calls and types ────────────────────────────────────────────────────────────────────────────
  'argument-count': '{name} expects {expected}, but got {actual}.{hint}',
  'missing-default': warning('{name} has no default value. Rows that meet no condition get null.'),
  'argument-type': warning("{name} expects {expected} as '{parameter}', but got {actual}.{hint}"),
  'branch-type': warning(
    'All results of {name} must have the same type, but one is {expected} and this is {actual}.{hint}',
  ),
  'argument-value': warning("{name} does not accept {value} as '{parameter}'.{hint}"),
  'operand-type': warning("Operator '{operator}' cannot be applied to {left} and {right}.{hint}"),
  'never-equal': warning(
    'The operands are never equal: one is {left}, the other is {right}.{hint}',
  ),
  'number-expected': '{operator} expects a number, but got {actual}.',
  'signed-value': 'A sign requires a number or a timespan, but got {actual}.',
  'bool-expected': 'Expected a condition, but got {actual}. Compare it with a value.',
  'property-of-scalar': warning(
    'This is {actual}, which has no properties. Use parse_json() first.',
  ),

  // ── Operators ──────────────────────────────────────────────────────────────────────────────────
  'aggregate-outside-summarize':
    'The aggregate {name} is only allowed in summarize and make-series.',
  'nested-aggregate':
    '{name} cannot be nested in another aggregate. Compute it in an earlier summarize.',
  'aggregate-as-group': warning("The aggregate {name} is used as a group. Move it before 'by'."),
  'aggregate-advised': warning(
    "The column '{name}' is not aggregated, and a group can have several values of it.",
  ),
  'aggregate-expected':
    "The column '{name}' must be aggregated, as in max({name}), or moved after 'by'.{hint}",
  'no-aggregate':
    "Expected an aggregate, such as count(). To group by the expression, move it after 'by'.",
  'several-names': '{name} returns one column. Use one name instead of {count}.',
  'rename-item': 'project-rename expects column names: new = old. Use extend to compute a value.',
  'redact-pattern':
    "redact expects regular expressions, such as '[0-9]+', but got {actual}. List fields after 'on'.",
  'unexpected-star': "Unexpected '*'. List the columns, or use project-keep with a pattern.",
  'unknown-option': "Unknown option '{name}' of {operator}.{hint}",
  'option-value': "The option '{option}' must be one of {known}.{hint}",
  'join-kind': "Unknown join kind '{name}'.{hint}",
  'join-kind-unsupported': warning(
    'The service does not support {name} joins yet. Use inner, innerunique or leftouter.',
  ),
  'join-condition-and': "Separate the conditions of a {operator} with ',' instead of 'and'.",
  'join-condition': 'A condition of a {operator} must be a column of both sides, or left == right.',
  'sample-ratio': warning(
    'sample expects a ratio between 0 and 1. Use take {value} for a number of rows.',
  ),
  'datatable-values':
    'The number of values ({values}) is not a multiple of the number of columns ({columns}).',

  // ── Comments that suppress diagnostics ─────────────────────────────────────────────────────────────
  'unknown-directive': hint("Unknown directive '{name}'.{hint}"),
  'unknown-code': hint("Unknown diagnostic code '{name}'.{hint}"),
  'unused-directive': {
    severity: 'hint',
    message: 'Unused suppression: no diagnostic here matches {what}.',
    tag: 'unnecessary',
  },
  'misplaced-directive': hint('This directive must precede the first query of the file.'),
  ...lintRows,
} satisfies Record<string, ProblemRow | string>;

export type ProblemCode = keyof typeof rows;

export const problemCodes = Object.keys(rows) as readonly ProblemCode[];

export const problemRows = Object.fromEntries(
  Object.entries<ProblemRow | string>(rows).map(([code, row]) => [
    code,
    typeof row === 'string' ? { severity: 'error', message: row } : row,
  ]),
) as Readonly<Record<ProblemCode, ProblemRow>>;

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemRows, text);
}

export function tagOf(code: ProblemCode): ProblemTag | undefined {
  return problemRows[code].tag;
}

export function problem(
  code: ProblemCode,
  span: Span,
  values: Readonly<Record<string, string>> = {},
  suggestion?: string,
): Problem {
  const row = problemRows[code];
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
    ...defined({ suggestion }),
  };
}

/** Returns ` Did you mean 'x'?`, or an empty string if `name` is undefined. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean ${inQuotes(name)}?`;
}

/** Converts the offsets of a substring's problem to offsets in the entire text. `by` is the substring's start. */
export function movedProblem(problem: Problem, by: number): Problem {
  const { start, end, fix } = problem;
  const moved = { ...problem, start: start + by, end: end + by };
  return fix === undefined
    ? moved
    : { ...moved, fix: { title: fix.title, edits: shifted(fix.edits, by) } };
}
