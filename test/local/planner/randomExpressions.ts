/** Random typed expressions over the columns of a table, each its text and what it computes of a row. */
import { quoteName } from '../../../language/src/index.ts';
import type { Random } from '../random.ts';
import { type Column, type Expression, type Item, read, type Table } from './evaluator.ts';
import { operations } from './evaluatorScalars.ts';
import type { Type } from './evaluatorValues.ts';
import { literal, pick, types } from './randomTables.ts';

export function expression(
  type: Type,
  columns: readonly Column[],
  random: Random,
  depth = 2,
): Expression | undefined {
  const own = columns.filter((column) => column.type === type);
  const way = random(10);
  if (own.length > 0 && (way < 4 || depth === 0)) return column(pick(random, own));
  if (depth > 0 && way < 9) {
    const fitting = operations.filter(({ result }) => result === type);
    if (fitting.length > 0) {
      const operation = pick(random, fitting);
      const parts: Expression[] = [];
      for (const part of operation.takes) {
        const found = expression(part, columns, random, depth - 1);
        if (found === undefined) return undefined;
        parts.push(found);
      }
      return {
        type,
        text: operation.text(...parts.map(({ text }) => text)),
        uses: parts.flatMap(({ uses }) => uses),
        of: (row) => operation.of(...parts.map((part) => part.of(row))),
      };
    }
  }
  if (type !== 'mixed') return literal(type, random);
  return own.length > 0 ? column(pick(random, own)) : undefined;
}

export function column(of: Column): Expression {
  return read(of, quoteName(of.name));
}

export function some(
  columns: readonly Column[],
  random: Random,
  depth?: number,
): Expression | undefined {
  return expression(pick(random, types), columns, random, depth);
}

const freshNames = ['b', 'B', 'n', 'x y', 'aggregate', 'made', 'element'] as const;

export function randomItems(table: Table, random: Random, most: number): Item[] {
  const items = new Map<string, Item>();
  for (let i = 1 + random(most); i > 0; i--) {
    const olds = table.columns.map(({ name }) => name);
    const name = random(2) === 0 && olds.length > 0 ? pick(random, olds) : pick(random, freshNames);
    const own = table.columns.filter(({ type }) => type !== 'mixed' || random(2) === 0);
    const plain = random(3) === 0 && own.length > 0;
    const made = plain ? column(pick(random, own)) : some(table.columns, random);
    if (made !== undefined) items.set(name, { name, expression: made });
  }
  return [...items.values()];
}

export function itemsText(items: readonly Item[]): string {
  return items.map(({ name, expression: { text } }) => `${quoteName(name)} = ${text}`).join(', ');
}
