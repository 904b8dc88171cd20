/**
 * Regular expressions as the service's engine, RE2, takes them. A constant one is checked here, so that
 * the error names its place in the query; DuckDB's own RE2 has the last word when the query runs.
 */
import { regexGroupNames, type Span } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, scalarOf, type Value } from './values.ts';

/** What RE2 lacks on purpose, with what it is called. */
const lacking: readonly (readonly [RegExp, string])[] = [
  [/^(?:[^\\]|\\.)*?\(\?=/s, 'lookahead (?=…)'],
  [/^(?:[^\\]|\\.)*?\(\?!/s, 'negative lookahead (?!…)'],
  [/^(?:[^\\]|\\.)*?\(\?<[=!]/s, 'lookbehind (?<=…)'],
  [/^(?:[^\\]|\\.)*?\\[1-9]/s, 'back references such as \\1'],
];

/** What RE2 has and JavaScript writes otherwise; a pattern with any of it is left to the engine. */
const foreign = /\(\?[a-zA-Z-]*[:)]|\(\?P<|\\[AzQECpPa]|\[\[:/;

/** Checks a constant pattern; throws where RE2 would certainly refuse it. */
export function checkPattern(of: Value, at: Span): void {
  const pattern = scalarOf(of);
  if (typeof pattern !== 'string') return;
  for (const [expression, name] of lacking) {
    if (!expression.test(pattern)) continue;
    throw new PlanError('invalid-argument', at, `Regular expressions do not support ${name}.`);
  }
  if (foreign.test(pattern)) return;
  try {
    new RegExp(pattern);
  } catch (error) {
    const reason = (error as Error).message.replace(/^.*: /s, '');
    throw new PlanError('invalid-argument', at, `Invalid regular expression: ${reason}.`);
  }
}

/** A pattern with its named groups as DuckDB's RE2 takes them: `(?P<name>…)`, where newer ones also take `(?<name>…)`. */
function withNamedGroups(pattern: string): string {
  const step = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?<(?=[A-Za-z_])/g;
  return pattern.replace(step, (found) => (found === '(?<' ? '(?P<' : found));
}

/** A constant pattern as DuckDB takes it; undefined for one that is computed. */
export function constantPattern(of: Value): Sql | undefined {
  const known = scalarOf(of);
  return typeof known === 'string' ? print.text(withNamedGroups(known)) : undefined;
}

/** A pattern in which no `\\Q` takes what is put behind it for plain text, as one without its `\\E` does. */
export function withoutQuotes(pattern: string): string {
  return withNamedGroups(pattern).replace(
    /\\Q([\s\S]*?)(?:\\E|$)|\\[\s\S]/g,
    (whole, quoted?: string) => (quoted === undefined ? whole : escapePattern(quoted)),
  );
}

/** A text as a regular expression that matches only it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** How many groups a constant pattern has. */
export function groupCount(pattern: string): number {
  return regexGroupNames(pattern).length;
}

/**
 * A pattern and a replacement in which `$1` stands for a group, as DuckDB takes them. A group that the pattern does
 * not have stands for nothing; DuckDB would leave the text as it is. So either the replacement loses the name, or,
 * where only the row tells both, the pattern gets the group. `readable` is the pattern with those of rows checked.
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

/** A replacement in DuckDB's writing, where only so many groups are left named. */
function rewriteOf(text: string, groups: number): string {
  const rewritten = (_: string, braced?: string, plain?: string) => {
    const group = braced ?? plain;
    if (group === undefined) return '$';
    return Number(group) <= groups ? `\\${group}` : '';
  };
  return text.replaceAll('\\', '\\\\').replace(/\$(?:\{(\d)\}|(\d)|(\$))/g, rewritten);
}
