/** Looking tokens up by offset. */
import type { Token } from '../syntax/tokens.ts';

/** The index of the first token that ends behind an offset; tokens are in order and apart. */
export function tokenFrom(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle] as Token).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
