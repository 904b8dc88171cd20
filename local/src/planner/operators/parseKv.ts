/**
 * `parse-kv`: extracts the values of given keys from a string of pairs. If a key occurs twice, its first value is used.
 * The value of a missing key is null.
 */
import type { BoundOperator } from '../../../../language/src/index.ts';
import { planAs } from '../expressions.ts';
import { checkPattern, escapePattern } from '../patterns.ts';
import type { Item } from '../relation.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { addColumn, extended, Ids, type Table, withColumns } from '../table.ts';
import { constant, typedPart, value, valueType } from '../values.ts';

type ParseKv = Extract<BoundOperator, { kind: 'parse-kv' }>;

export function planParseKv(operator: ParseKv, table: Table, planning: Planning): Table {
  const subject = planAs(operator.subject, 'string', scopeOf(table, planning)).sql;
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const columns = operator.keys.map(({ name, type }) => {
    const text = value(valueOfKey(operator, subject, name), 'string');
    return addColumn(name, typedPart(text, valueType(type)), ids, items);
  });
  return { ...extended(table, items, ids), columns: withColumns(table.columns, columns) };
}

function valueOfKey(operator: ParseKv, subject: Sql, key: string): Sql {
  if (operator.regex !== undefined) {
    checkPattern(constant(operator.regex, 'string'), operator);
    const pattern = print.text(operator.regex);
    const keys = sql`regexp_extract_all(${subject}, ${pattern}, 1)`;
    const values = sql`regexp_extract_all(${subject}, ${pattern}, 2)`;
    return sql`list_extract(${values}, list_position(${keys}, ${print.text(key)}))`;
  }
  const pattern = print.text(pairPattern(operator, key));
  // Captures a quoted and a bare value, one of which is empty.
  const parts = sql`regexp_extract(${subject}, ${pattern}, ['quoted', 'bare'])`;
  const found =
    operator.escape === undefined
      ? sql`apl.quoted_or_bare(${parts})`
      : sql`apl.unescaped_or_bare(${parts}, ${print.text(`(?s)${escapePattern(operator.escape)}(.)`)})`;
  return sql`CASE WHEN regexp_matches(${subject}, ${pattern}) THEN ${found} END`;
}

function pairPattern(operator: ParseKv, key: string): string {
  const pair =
    operator.pairDelimiter === undefined ? '[\\s,;]' : escapePattern(operator.pairDelimiter);
  const between = operator.kvDelimiter === undefined ? '[=:]' : escapePattern(operator.kvDelimiter);
  const [open = '"', close = open] = Array.from(operator.quote ?? '"').map(escapePattern);
  const escaping = operator.escape === undefined ? undefined : escapePattern(operator.escape);
  const inside =
    escaping === undefined ? `[^${close}]*` : `(?:${escaping}.|[^${close}${escaping}])*`;
  const anyKey = `(?:${open}${inside}${close}|[\\pL\\pN_.-]+)`;
  const next = operator.greedy ? `(?:${pair})\\s*${anyKey}\\s*(?:${between})` : `(?:${pair})`;
  const name = escapePattern(key);
  return (
    `(?s)(?:^|${pair})\\s*(?:${open}${name}${close}|${name})\\s*(?:${between})\\s*` +
    `(?:${open}(${inside})${close}|(.*?)\\s*(?:${next}|$))`
  );
}
