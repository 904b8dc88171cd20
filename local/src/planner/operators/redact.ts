/**
 * `redact`: replaces the matches of regular expressions in strings. A token of one character replaces each character of
 * a match. A longer token, or a hash, replaces the entire match.
 */
import type { BoundExpression, BoundOperator } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { planExpression } from '../expressions.ts';
import { checkPattern, groupCount, withoutQuotes } from '../patterns.ts';
import type { Item } from '../relation.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { addColumn, columnValue, extended, Ids, type Table, type TableColumn } from '../table.ts';
import { as, constant, knownOf, value } from '../values.ts';

type Redact = Extract<BoundOperator, { kind: 'redact' }>;

export function planRedact(operator: Redact, table: Table, planning: Planning): Table {
  const patterns = operator.patterns.flatMap((node) => patternsOf(node, table, planning));
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const chosen = chosenFields(operator);
  const columns = table.columns.map((column): TableColumn => {
    const wanted = chosen === undefined ? holdsText(column) : chosen.has(column.name);
    if (!wanted) return column;
    const text = as(columnValue(column), 'string');
    const hidden = patterns.reduce<Sql>((of, pattern) => hide(of, pattern, operator), text);
    return addColumn(column.name, value(hidden, 'string'), ids, items);
  });
  return { ...extended(table, items, ids), columns };
}

function chosenFields(operator: Redact): ReadonlySet<string> | undefined {
  if (operator.on.length === 0) return undefined;
  const names = operator.on.map((node) => {
    if (node.kind === 'column') return node.name;
    throw new PlanError('invalid-argument', node, 'redact requires a field here.');
  });
  return new Set(names);
}

function holdsText(column: TableColumn): boolean {
  return column.variants === undefined && column.type === 'string';
}

function patternsOf(node: BoundExpression, table: Table, planning: Planning): readonly string[] {
  const of = planExpression(node, scopeOf(table, planning));
  const known = knownOf(of);
  const found: readonly unknown[] =
    typeof known === 'object' && known !== null ? Object.values(known) : [known];
  return found.map((pattern) => {
    if (typeof pattern !== 'string') {
      const message = 'The patterns of redact must be constant regular expressions.';
      throw new PlanError('invalid-argument', node, message);
    }
    checkPattern(constant(pattern, 'string'), node);
    return withoutQuotes(pattern);
  });
}

function hide(text: Sql, pattern: string, operator: Redact): Sql {
  if (operator.groups) return hideGroups(text, pattern, operator);
  const found = print.text(pattern);
  if (operator.hash) return print.call('apl.redact_hash', text, found);
  const { token } = operator;
  if (Array.from(token).length !== 1) {
    return sql`regexp_replace(${text}, ${found}, ${print.text(token.replaceAll('\\', '\\\\'))}, 'g')`;
  }
  return print.call('apl.redact', text, found, print.text(token));
}

/**
 * Replaces only the capture groups of each match. The parts between the groups are captured too, because the match is
 * rebuilt from its parts. If the pattern can't be split into parts, the entire match is replaced.
 */
function hideGroups(text: Sql, pattern: string, operator: Redact): Sql {
  const parts = topLevelParts(pattern);
  if (parts === undefined) return hide(text, pattern, { ...operator, groups: false });
  const found = print.text(parts.map((part) => `(${part.pattern})`).join(''));
  let group = 1;
  const pieces = parts.map((part) => {
    const all = sql`regexp_extract_all(${text}, ${found}, ${print.bareLong(BigInt(group))})`;
    group += 1 + groupCount(part.pattern);
    const token = print.text(operator.token);
    if (!part.hidden) return all;
    if (operator.hash) return print.call('apl.hashes', all);
    const whole = Array.from(operator.token).length !== 1;
    return print.call(whole ? 'apl.tokens' : 'apl.masks', all, token);
  });
  return print.call('apl.rejoined', text, found, sql`[${print.join(pieces)}]`);
}

interface Part {
  readonly pattern: string;
  readonly hidden: boolean;
}

/**
 * Splits a pattern at its top-level capture groups. Returns undefined if there are none, or if alternatives or
 * non-capturing groups prevent this.
 */
function topLevelParts(pattern: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  let start = 0;
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === '\\') i++;
    else if (c === '[') i = endOfClass(pattern, i);
    else if (c === '|' && depth === 0) return undefined;
    else if (c === ')') {
      depth--;
      if (depth > 0 || start >= i) continue;
      if (!/^\((?!\?)|^\(\?P?</.test(pattern.slice(start))) continue;
      const inside = pattern
        .slice(start, i + 1)
        .replace(/^\((?:\?P?<\w+>)?/, '')
        .slice(0, -1);
      const repeat = /^(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)/.exec(pattern.slice(i + 1))?.[0] ?? '';
      parts.push({ pattern: repeat === '' ? inside : `(?:${inside})${repeat}`, hidden: true });
      i += repeat.length;
      start = i + 1;
    } else if (c === '(') {
      if (depth === 0 && /^\((?!\?)|^\(\?P?</.test(pattern.slice(i))) {
        if (i > start) parts.push({ pattern: pattern.slice(start, i), hidden: false });
        start = i;
      }
      depth++;
    }
  }
  if (start < pattern.length) parts.push({ pattern: pattern.slice(start), hidden: false });
  const isSplit = parts.some((part) => part.hidden);
  const isComplete = parts.every((part) => part.hidden || groupCount(part.pattern) === 0);
  return isSplit && isComplete ? parts : undefined;
}

function endOfClass(pattern: string, start: number): number {
  for (let i = start + 1; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === ']' && i > start + 1) return i;
  }
  return pattern.length;
}
