/**
 * Regular expressions in the syntax of RE2, which the service and DuckDB use. Constant patterns are checked during
 * planning, so that the error has an offset in the query.
 */
import { regexGroupNames, type Span } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, scalarOf, type Value } from './values.ts';

/** Syntax that RE2 lacks, with its name in error messages. */
const unsupportedSyntax: readonly (readonly [RegExp, string])[] = [
  [/^(?:[^\\]|\\.)*?\(\?=/s, 'lookahead (?=…)'],
  [/^(?:[^\\]|\\.)*?\(\?!/s, 'negative lookahead (?!…)'],
  [/^(?:[^\\]|\\.)*?\(\?<[=!]/s, 'lookbehind (?<=…)'],
  [/^(?:[^\\]|\\.)*?\\[1-9]/s, 'back references such as \\1'],
];

/** RE2 syntax that differs from JavaScript's. Only the engine checks patterns that contain it. */
const uncheckedSyntax = /\(\?[a-zA-Z-]*[:)]|\(\?P<|\\[AzQECpPa]|\[\[:/;

/** Rejects a constant pattern with syntax that JavaScript rejects or RE2 lacks, even inside `\Q…\E`. */
export function checkPattern(of: Value, at: Span): void {
  const pattern = scalarOf(of);
  if (typeof pattern !== 'string') return;
  for (const [expression, name] of unsupportedSyntax) {
    if (!expression.test(pattern)) continue;
    throw new PlanError('invalid-argument', at, `Regular expressions do not support ${name}.`);
  }
  if (uncheckedSyntax.test(pattern)) return;
  try {
    new RegExp(pattern);
  } catch (error) {
    const reason = (error as Error).message.replace(/^.*: /s, '');
    throw new PlanError('invalid-argument', at, `Invalid regular expression: ${reason}.`);
  }
}

/** Replaces `(?<name>…)` with `(?P<name>…)`, because DuckDB's version of RE2 doesn't accept the newer syntax. */
function withNamedGroups(pattern: string): string {
  const step = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?<(?=[A-Za-z_])/g;
  return pattern.replace(step, (found) => (found === '(?<' ? '(?P<' : found));
}

export function constantPattern(of: Value): Sql | undefined {
  const known = scalarOf(of);
  return typeof known === 'string' ? print.text(withNamedGroups(known)) : undefined;
}

/** Replaces `\Q…\E` with escapes, because an unclosed `\Q` would also quote text appended to the pattern. */
export function withoutQuotes(pattern: string): string {
  return withNamedGroups(pattern).replace(
    /\\Q([\s\S]*?)(?:\\E|$)|\\[\s\S]/g,
    (whole, quoted?: string) => (quoted === undefined ? whole : escapePattern(quoted)),
  );
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

export function groupCount(pattern: string): number {
  return regexGroupNames(pattern).length;
}

/**
 * Converts a pattern, and a replacement with references such as `$1`, to DuckDB's syntax. References to missing groups
 * are removed, because DuckDB would leave the string unchanged. If the pattern isn't constant, empty groups are
 * appended to it instead. `readable` is the pattern's SQL, which is null for an invalid pattern.
 */
export function replacementSql(pattern: Value, readable: Sql, by: Value): readonly [Sql, Sql] {
  const [known, rewrite] = [scalarOf(pattern), scalarOf(by)];
  const withGroups = sql`apl.with_groups(${readable})`;
  if (typeof rewrite !== 'string') {
    return [withGroups, sql`apl.dollar_rewrite(${as(by, 'string')})`];
  }
  const groups = typeof known === 'string' ? groupCount(known) : 9;
  const text = print.text(rewriteOf(rewrite, groups));
  const namesNone = rewriteOf(rewrite, 0) === rewriteOf(rewrite, 9);
  return [typeof known === 'string' || namesNone ? readable : withGroups, text];
}

function rewriteOf(text: string, groups: number): string {
  const rewritten = (_: string, braced?: string, plain?: string) => {
    const group = braced ?? plain;
    if (group === undefined) return '$';
    return Number(group) <= groups ? `\\${group}` : '';
  };
  return text.replaceAll('\\', '\\\\').replace(/\$(?:\{(\d)\}|(\d)|(\$))/g, rewritten);
}
