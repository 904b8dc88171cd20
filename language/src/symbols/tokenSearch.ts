/** Finds tokens by offset. */
import type { Token } from '../syntax/tokens.ts';

/** Returns the index of the first token that ends after an offset. Tokens must be ordered and must not overlap. */
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
