/** Parses comma-separated lists and recovers from missing and extra commas. */
import { packed } from '../../append.ts';
import type { Cursor } from '../cursor.ts';
import { startsExpression } from './expressions.ts';
import { atMissingPipe } from './keywords.ts';

interface ListOptions {
  /** Returns whether the list ends at the current token. */
  readonly stop?: (c: Cursor) => boolean;
  /** Returns whether the item after the current comma belongs to an enclosing list. */
  readonly endsBefore?: (c: Cursor) => boolean;
  readonly trailing?: boolean;
}

/** Parses at least one item. Reports only the first missing comma, and parses the items after it. */
export function list<T>(
  c: Cursor,
  item: (c: Cursor) => T,
  options: ListOptions = {},
): readonly T[] {
  const items: T[] = [];
  const { start } = c.here();
  let complained = false;
  for (;;) {
    const before = c.index;
    items.push(item(c));
    while (c.index > before && c.eatStrayClosing(start));
    if (c.at(',') && options.endsBefore?.(c) === true) break;
    if (c.eat(',')) {
      if (!c.atEnd && options.stop?.(c) !== true) continue;
      if (options.trailing !== true) c.expected('expected-expression');
      break;
    }
    if (c.atEnd || c.index === before || options.stop?.(c) === true) break;
    if (!startsExpression(c) || atMissingPipe(c)) break;
    if (!complained && !c.reportHalfString()) c.expected('expected-comma');
    complained = true;
  }
  return packed(items);
}
