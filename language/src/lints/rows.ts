/** The table of lint rules. Each is based on the service's documentation or on its CLI's language guide. */
import type { ProblemRow } from '../problems.ts';

export const lintRows = {
  // ── Traps: the query does not do what it appears to do ─────────────────────────────────────
  'case-mismatch': {
    severity: 'warning',
    message: "{function} never returns {literal}. Use '{operator}' without {function}.",
  },
  'literal-wildcard': {
    severity: 'warning',
    message:
      "The '{wildcard}' in {literal} is a literal character. '{operator}' does not support wildcards.",
  },
  'trim-cutset': {
    severity: 'warning',
    message: '{name} expects a set of characters to remove, not a {meant}. Use {instead} instead.',
  },
  'regex-unsupported': {
    severity: 'warning',
    message: 'The service uses RE2 regular expressions, which do not support {what}.',
  },
  'regex-broken': { severity: 'warning', message: 'Invalid regular expression: {what}.' },
  'missing-group': {
    severity: 'warning',
    message: 'The regular expression has {count}. Group {group} returns null.',
  },
  'rewrite-reference': {
    severity: 'warning',
    message: 'Use {group} instead of {found} to refer to a capture group.',
  },
  'swapped-arguments': {
    severity: 'warning',
    message: '{name} expects the {first} before the {second}. The arguments appear to be swapped.',
  },
  'null-comparison': {
    severity: 'warning',
    message: 'A comparison with null does not find missing values. Use {instead} instead.',
  },
  nanoseconds: {
    severity: 'warning',
    message: '{what} uses nanoseconds: {number} is {shown}.{hint}',
  },
  'unix-time-unit': {
    severity: 'warning',
    message: '{name} expects {unit}, but {number} looks like {actual}. Use {instead} instead.',
  },
  'timespan-text': {
    severity: 'warning',
    message:
      "{name} accepts strings such as '1h30m', but not {found}. Use the literal {instead} instead.",
  },
  'bin-width': {
    severity: 'warning',
    message: 'The width of a time bin must be a timespan, such as {example}, not a number.',
  },
  'future-ago': {
    severity: 'warning',
    message: 'ago() of a negative timespan is in the future. Use {instead} instead.',
  },
  'empty-range': {
    severity: 'warning',
    message: 'The range is empty: its start is greater than its end.',
  },
  'out-of-range': {
    severity: 'warning',
    message: '{name} returns {low} to {high}, so this is {outcome} true.{hint}',
  },
  'impossible-number': {
    severity: 'warning',
    message: '{name} expects {expected}, but got {number}.',
  },
  'percent-as-fraction': {
    severity: 'warning',
    message: '{name} expects a percentage from 0 to 100. Use {instead} instead.',
  },
  'whole-division': {
    severity: 'info',
    message: 'Integer division discards the fraction. Convert one operand with todouble().',
  },
  'comparison-as-column': {
    severity: 'info',
    message: "This comparison creates a bool column {column}. Use '=' to assign a value.",
  },
  'early-limit': {
    severity: 'info',
    message: 'Only the {count} arbitrary rows that the earlier {limit} keeps are {done}.',
  },
  'limit-after-time-bin': {
    severity: 'info',
    message:
      'After a summarize that groups by time first, {limit} counts groups, not rows, and keeps all bins of each group.',
  },
  'unbounded-query': {
    severity: 'hint',
    message: 'The query has no limit. The service returns 1,000 rows by default.',
  },

  // ── Performance and unused code: the same or a similar result at a lower cost ──────────────
  'needless-case': {
    severity: 'info',
    message: "'{operator}' ignores case, so {function} is unnecessary.",
  },
  'caseless-operator': {
    severity: 'info',
    message: "'{operator}' ignores case and is faster than {function}.",
  },
  'needless-regex': {
    severity: 'info',
    message: 'Unnecessary regular expression. {instead} is equivalent and faster.',
  },
  'slow-contains': {
    severity: 'info',
    message: "'{operator}' matches parts of words. To match whole words, '{instead}' is faster.",
  },
  'unscoped-search': {
    severity: 'info',
    message: 'This searches every field. Searching a single field, as in {example}, is faster.',
  },
  'late-filter': {
    severity: 'info',
    message: 'Filter before the {operator}, so that it processes fewer rows.',
  },
  'needless-sort': {
    severity: 'info',
    message: 'Unnecessary sort: the following {operator} does not preserve the order.',
  },
  'repeated-parse': {
    severity: 'info',
    message: '{call} is evaluated {count} times. Parse once in an extend, and use that column.',
  },
  'foreign-time-field': {
    severity: 'hint',
    message: 'Only conditions on _time limit the data that the service reads.',
  },
  'needless-conversion': {
    severity: 'hint',
    message: 'Unnecessary {name}: the value is already {type}.',
    tag: 'unnecessary',
  },
  'unused-let': {
    severity: 'hint',
    message: "'{name}' is declared but never used.",
    tag: 'unnecessary',
  },
  'unused-column': {
    severity: 'hint',
    message: "The column '{name}' is never used and is not in the result.",
    tag: 'unnecessary',
  },
} as const satisfies Record<string, ProblemRow>;
