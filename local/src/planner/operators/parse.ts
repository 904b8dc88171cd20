/**
 * `parse` and `parse-where`. The pattern becomes one regular expression whose groups are the columns.
 *
 * - In simple mode, a row gets all columns or none.
 * - In relaxed and `regex` mode, only a column whose string doesn't convert to its type is null.
 * - `parse-where` drops the rows that get no columns.
 * - Strings match lazily in simple and relaxed mode, and greedily in `regex` mode. The flag `U` inverts this.
 */
import type { BoundOperator, BoundParsePart } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { planAs } from '../expressions.ts';
import { checkPattern, escapePattern, groupCount, withoutQuotes } from '../patterns.ts';
import type { Item } from '../relation.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import {
  addColumn,
  extended,
  filtered,
  Ids,
  type Table,
  type TableColumn,
  withColumns,
} from '../table.ts';
import { constant, typedPart, type ValueType, value, valueType } from '../values.ts';

type Parse = Extract<BoundOperator, { kind: 'parse' }>;

/** A column of the pattern. `group` is the number of its capture group, starting from 1. */
interface Captured {
  readonly name: string;
  readonly type: ValueType;
  readonly group: number;
}

export function planParse(operator: Parse, table: Table, planning: Planning): Table {
  planning.size.addOfStage(operator.pattern.length, operator);
  const { pattern, captured, groups } = patternOf(operator);
  const subject = planAs(operator.subject, 'string', scopeOf(table, planning)).sql;
  const names = Array.from({ length: groups }, (_, i) => print.text(`g${i + 1}`));
  const matches = sql`regexp_matches(${subject}, ${print.text(pattern)})`;
  if (captured.length === 0) return operator.where ? filtered(table, matches) : table;
  const ids = new Ids(table.taken);
  const id = ids.free('parsed');
  const parts = sql`regexp_extract(${subject}, ${print.text(pattern)}, [${print.join(names)}])`;
  const found = { id, sql: sql`CASE WHEN ${matches} THEN ${parts} END` };
  const matched = extended(table, [found], ids);
  const typed: Item[] = [];
  const columns = captured.map(({ name, type, group }): TableColumn => {
    const text = value(sql`struct_extract(${print.column(id)}, ${names[group - 1]!})`, 'string');
    return addColumn(name, typedPart(text, type), ids, typed);
  });
  const read = extended(matched, typed, ids);
  const whole = sql`${print.column(id)} IS NOT NULL`;
  const tests = columns.map((column) => sql`${print.column(column.id)} IS NOT NULL`);
  const strict = operator.mode === 'simple' && columns.some(({ type }) => type !== 'string');
  const fits = strict ? print.join([whole, ...tests], ' AND ') : whole;
  const kept = withColumns(table.columns, columns);
  if (operator.where) return { ...filtered(read, fits), columns: kept };
  if (!strict) return { ...read, columns: kept };
  const items: Item[] = [];
  const checked = columns.map((column): TableColumn => {
    const fitting = sql`CASE WHEN ${fits} THEN ${print.column(column.id)} END`;
    return addColumn(column.name, value(fitting, column.type), ids, items);
  });
  return { ...extended(read, items, ids), columns: withColumns(table.columns, checked) };
}

/** Patterns of typed columns. Outside `regex` mode, they are used only directly before another column or `*`. */
const shapes: Readonly<Partial<Record<ValueType, string>>> = {
  long: '[-+]?\\d+',
  real: '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?',
  bool: '(?i:true|false)',
};

function patternOf(operator: Parse): {
  readonly pattern: string;
  readonly captured: readonly Captured[];
  readonly groups: number;
} {
  const regex = operator.mode === 'regex';
  const parts = operator.pattern;
  const captured: Captured[] = [];
  const named: Captured[] = [];
  let groups = 0;
  let body = parts[0]?.kind === 'star' || regex ? '' : '^';
  for (const [i, part] of parts.entries()) {
    if (part.kind === 'text') {
      if (regex) checkPattern(constant(part.text, 'string'), part);
      body += regex ? `(?:${withoutQuotes(part.text)})` : escapePattern(part.text);
      if (!regex) continue;
      named.push(...namedGroups(part.text, groups, operator.groups));
      groups += groupCount(part.text);
    } else if (part.kind === 'star') body += parts[i + 1] === undefined ? '' : '.*?';
    else {
      const type = valueType(part.type);
      groups++;
      captured.push({ name: part.name, type, group: groups });
      body += `(${shapeOf(type, regex, parts[i + 1])})`;
      if (parts[i + 1] === undefined) body += '$';
    }
  }
  const pattern = `(?${flagsOf(operator)})${body}`;
  checkPattern(constant(pattern, 'string'), operator);
  return { pattern, captured: [...named, ...captured], groups };
}

/** Returns the columns among the named groups in `text`. `before` is the number of groups that precede `text`. */
function namedGroups(text: string, before: number, columns: readonly string[]): Captured[] {
  return [...text.matchAll(/\(\?P?<(\w+)>/g)].flatMap(({ index, 1: name = '' }) => {
    if (!columns.includes(name)) return [];
    return [
      { name, type: 'string' as const, group: before + groupCount(text.slice(0, index)) + 1 },
    ];
  });
}

function shapeOf(type: ValueType, regex: boolean, next: BoundParsePart | undefined): string {
  const shape = shapes[type];
  if (shape !== undefined && (regex || (next !== undefined && next.kind !== 'text'))) return shape;
  return regex || next === undefined ? '.*' : '.*?';
}

function flagsOf(operator: Parse): string {
  if (operator.mode !== 'regex') return 's';
  const flags = operator.flags ?? '';
  if (/[^Uims]/.test(flags)) {
    const message = `Invalid flags ${flags}. The flags of a regular expression are U, i, m and s.`;
    throw new PlanError('invalid-argument', operator, message);
  }
  return `s${flags.replaceAll('s', '')}`;
}
