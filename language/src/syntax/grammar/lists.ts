/** Comma-separated lists, with recovery from missing and superfluous commas. */
import { packed } from '../../append.ts';
import type { Cursor } from '../cursor.ts';
import { startsExpression } from './expressions.ts';
import { atMissingPipe } from './keywords.ts';

interface ListOptions {
  /** Whether the list ends at the current token, such as at `by`. */
  readonly stop?: (c: Cursor) => boolean;
  /** Whether the list ends before the comma at the current token, since what follows is not its own. */
  readonly endsBefore?: (c: Cursor) => boolean;
  /** Whether a comma may stand behind the last item. */
  readonly trailing?: boolean;
}

/**
 * At least one item; each call of `item` reads one or leaves a `Missing`, which it reports. An item
 * that follows without a comma is read all the same, and reported once in a list.
 */
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
