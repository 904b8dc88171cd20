/**
 * The lints: queries that the service runs and that hardly do what was meant, or do it the slow way. Each
 * is backed by the documentation of the service or of its command line's guide to the language.
 */
import type { ProblemRow } from '../problems.ts';

export const lintRows = {
  // ── Traps: what the query says is not what it seems to say ─────────────────────────────────────
  'case-mismatch': {
    severity: 'warning',
    message: '{function} gives no text that is {literal}. Write {operator} without {function}.',
  },
  'literal-wildcard': {
    severity: 'warning',
    message: 'The {wildcard} in {literal} stands for itself here: {operator} takes no wildcards.',
  },
  'trim-cutset': {
    severity: 'warning',
    message: '{name} takes a set of characters to remove, not a {meant}. Use {instead}.',
  },
  'regex-unsupported': {
    severity: 'warning',
    message: 'The service reads regular expressions as RE2 does, which has no {what}.',
  },
  'regex-broken': { severity: 'warning', message: 'This is no regular expression: {what}.' },
  'rewrite-reference': {
    severity: 'warning',
    message: 'A group is called {group} in the new text, not {found}.',
  },
  'swapped-arguments': {
    severity: 'warning',
    message: '{name} takes the {first} before the {second}. The two seem to be swapped.',
  },
  'null-comparison': {
    severity: 'warning',
    message: 'Comparing with null finds no missing values. Write {instead}.',
  },
  nanoseconds: {
    severity: 'warning',
    message: '{what} counts nanoseconds: {number} is {shown}.{hint}',
  },
  'unix-time-unit': {
    severity: 'warning',
    message: '{name} reads {unit}; {number} looks like {actual}. Use {instead}.',
  },
  'timespan-text': {
    severity: 'warning',
    message: '{name} reads texts such as 1h30m and knows no {found}. Write the literal {instead}.',
  },
  'bin-width': {
    severity: 'warning',
    message: 'The width of a bin of time is a timespan, such as {example}, not a number.',
  },
  'future-ago': {
    severity: 'warning',
    message: 'A negative timespan turns ago() into the future. Write {instead}.',
  },
  'empty-range': {
    severity: 'warning',
    message: 'Nothing is between these two: the first is the greater one.',
  },
  'out-of-range': {
    severity: 'warning',
    message: '{name} gives {low} to {high}, so this is {outcome} true.{hint}',
  },
  'impossible-number': {
    severity: 'warning',
    message: '{name} takes {expected}, which {number} is not.',
  },
  'percent-as-fraction': {
    severity: 'warning',
    message: '{name} takes percents from 0 to 100. Write {instead}.',
  },
  'whole-division': {
    severity: 'info',
    message: 'Both sides are whole numbers, and so is the result. Make one real with todouble().',
  },
  'comparison-as-column': {
    severity: 'info',
    message: 'This compares and makes a bool column {column}. To give a value a name write =.',
  },
  'early-limit': {
    severity: 'info',
    message: 'The {limit} before this keeps any {count} rows, and only those are {done}.',
  },
  'limit-after-time-bin': {
    severity: 'info',
    message:
      'Behind a summarize by time first, {limit} keeps that many groups and all their bins, so more rows may come.',
  },
  'unbounded-query': {
    severity: 'hint',
    message: 'Nothing bounds this query: the service returns its default of 1,000 rows.',
  },

  // ── Performance: the same answer can be had for less ───────────────────────────────────────────
  'needless-case': {
    severity: 'info',
    message: '{operator} ignores case, so {function} is not needed.',
  },
  'caseless-operator': {
    severity: 'info',
    message: '{operator} ignores case and is faster than {function}.',
  },
  'needless-regex': {
    severity: 'info',
    message: 'This pattern is a plain text: {instead} does the same and is faster.',
  },
  'slow-contains': {
    severity: 'info',
    message: '{operator} looks inside words. For whole words {instead} is faster.',
  },
  'unscoped-search': {
    severity: 'info',
    message: 'This looks through every field. Naming one, as in {example}, is faster.',
  },
  'late-filter': {
    severity: 'info',
    message: 'This filter would do the same before the {operator}, with fewer rows to work on.',
  },
  'needless-sort': {
    severity: 'info',
    message: 'The {operator} behind this does not keep the order. Remove the sort.',
  },
  'repeated-parse': {
    severity: 'info',
    message: '{call} stands here {count} times. Parse once, in an extend, and read that column.',
  },
  'foreign-time-field': {
    severity: 'hint',
    message: 'Only conditions on _time spare the service from reading all of the time range.',
  },
  'needless-conversion': {
    severity: 'hint',
    message: 'This is {type} already, so {name} changes nothing.',
    tag: 'unnecessary',
  },
  'unused-let': {
    severity: 'hint',
    message: 'Nothing uses {name}.',
    tag: 'unnecessary',
  },
  'unused-column': {
    severity: 'hint',
    message: 'Nothing uses the column {name}, and the result leaves it out.',
    tag: 'unnecessary',
  },
} as const satisfies Record<string, ProblemRow>;
