/** The sort orders of `project-reorder`: by name, or by name with embedded numbers compared by value. */
import type { ColumnPattern } from '../syntax/tree.ts';
import type { Column } from './bound.ts';

type Order = (left: Column, right: Column) => number;

export const columnOrders: Readonly<Record<NonNullable<ColumnPattern['direction']>, Order>> = {
  asc: (left, right) => compareNames(left.name, right.name),
  desc: (left, right) => compareNames(right.name, left.name),
  'granny-asc': (left, right) => compareNumbered(left.name, right.name),
  'granny-desc': (left, right) => compareNumbered(right.name, left.name),
};

function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Compares names, with embedded numbers by value: `b9` precedes `b50`. This deliberately differs from the order that
 * the documentation shows.
 */
function compareNumbered(left: string, right: string): number {
  const lefts = left.split(/(\d+)/);
  const rights = right.split(/(\d+)/);
  for (let i = 0; i < Math.min(lefts.length, rights.length); i++) {
    const a = lefts[i] as string;
    const b = rights[i] as string;
    // `split` puts the numbers at odd indexes.
    const order = i % 2 === 1 ? compareDigits(a, b) : compareNames(a, b);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length || compareNames(left, right);
}

function compareDigits(left: string, right: string): number {
  const a = left.replace(/^0+/, '');
  const b = right.replace(/^0+/, '');
  return a.length - b.length || compareNames(a, b);
}
