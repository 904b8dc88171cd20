/** Plans `in`, `has_any` and their variants, which search a list, an array or a table's first column for a value. */
import type { BoundExpression } from '../../../language/src/index.ts';
import { comparable } from './comparable.ts';
import { planExpression, planOperand } from './expressions.ts';
import { jsonNumber, numberForJson } from './integers.ts';
import { joinKey } from './joinKeys.ts';
import { firstColumn } from './output.ts';
import type { Scope } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { textTest } from './textOperators.ts';
import { as, constant, convert, isNull, isNumeric, type Value } from './values.ts';

/** Plans a membership test. Ignores a leading `!` of the operator. */
export function membership(node: BoundExpression & { kind: 'in' }, scope: Scope): Sql {
  const operator = node.operator.replace(/^!/, '');
  if (operator.startsWith('has_')) return hasAny(node, scope, operator);
  const folded = operator === 'in~';
  const left = planOperand(node.left, scope);
  const [only] = node.items;
  if (node.items.length === 1 && only?.kind === 'subquery') {
    return inTable(left, only, folded, scope);
  }
  const tests: Sql[] = [];
  const keys = new Map<string, { readonly found: Sql; readonly wanted: Sql[] }>();
  for (const item of node.items.flatMap((part) => itemsOf(planOperand(part, scope)))) {
    if (isNull(item)) continue;
    if (item.type === 'dynamic' && item.constant === undefined) {
      tests.push(inArray(left, item, folded));
      continue;
    }
    const texts = folded && item.type === 'string';
    const [a, b] = comparable(texts ? convert(left, 'string') : left, item);
    const [found, wanted] = texts ? [sql`lower(${a})`, sql`lower(${b})`] : [a, b];
    const others = keys.get(found.text);
    if (others === undefined) keys.set(found.text, { found, wanted: [wanted] });
    else others.wanted.push(wanted);
  }
  for (const { found, wanted } of keys.values())
    tests.push(sql`${found} IN (${print.join(wanted)})`);
  if (tests.length === 0) return sql`false`;
  return tests.length === 1 ? (tests[0] as Sql) : sql`(${print.join(tests, ' OR ')})`;
}

/** Tests whether an array contains a value. Compares items as strings, and numbers also by value: 2 equals 2.0. */
function inArray(left: Value, array: Value, folded: boolean): Sql {
  const texts = sql`apl.texts(${array.sql})`;
  const found = as(left, 'string');
  if (!folded && isNumeric(left.type)) {
    const numbers = sql`list_transform(apl.flat(${array.sql}), lambda _item: ${jsonNumber(sql`_item`, left)})`;
    return sql`(list_contains(${texts}, ${found}) OR list_contains(${numbers}, ${numberForJson(left)}))`;
  }
  if (!folded) return sql`list_contains(${texts}, ${found})`;
  return sql`list_contains(list_transform(${texts}, lambda _item: lower(_item)), lower(${found}))`;
}

/** Flattens an array and omits nulls and maps. Any other value is a single item. */
function itemsOf(item: Value): readonly Value[] {
  if (item.constant?.kind !== 'dynamic') return [item];
  return flatConstants(item.constant.value);
}

function flatConstants(of: unknown): readonly Value[] {
  if (Array.isArray(of)) return of.flatMap(flatConstants);
  if (typeof of === 'string') return [constant(of, 'string')];
  if (typeof of === 'bigint') return [constant(of, 'long')];
  if (typeof of === 'number') return [constant(of, 'real')];
  if (typeof of === 'boolean') return [constant(of, 'bool')];
  return [];
}

function inTable(
  left: Value,
  node: BoundExpression & { kind: 'subquery' },
  folded: boolean,
  scope: Scope,
): Sql {
  const { planning } = scope;
  const { first, query } = firstColumn(planning.planPipeline(node.pipeline, planning));
  const [a, b] = comparable(left, first);
  const key = joinKey(a, scope.table, planning);
  const test = folded
    ? sql`lower(${as(left, 'string')}) IN (SELECT lower(${as(first, 'string')})`
    : sql`${key} IN (SELECT ${b}`;
  return sql`${test} FROM ${print.parenthesized(query)} AS t)`;
}

function hasAny(node: BoundExpression & { kind: 'in' }, scope: Scope, operator: string): Sql {
  const word = operator === 'has_any_cs' ? 'has_cs' : 'has';
  const left = planExpression(node.left, scope);
  const hasEach = (terms: Sql) =>
    print.call(word === 'has' ? 'apl.has_each' : 'apl.has_each_cs', as(left, 'string'), terms);
  const tests = node.items.flatMap((part) =>
    part.kind === 'subquery'
      ? [hasEach(textsOf(part, scope))]
      : itemsOf(planExpression(part, scope)).map((item) =>
          item.type === 'dynamic'
            ? hasEach(sql`apl.texts(${item.sql})`)
            : textTest(word, left, item, node),
        ),
  );
  return tests.length === 0 ? sql`false` : sql`(${print.join(tests, ' OR ')})`;
}

function textsOf(node: BoundExpression & { kind: 'subquery' }, { planning }: Scope): Sql {
  const { first, query } = firstColumn(planning.planPipeline(node.pipeline, planning));
  return sql`(SELECT list(${as(first, 'string')}) FROM ${print.parenthesized(query)} AS t)`;
}
