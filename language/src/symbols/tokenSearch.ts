/** Finds tokens by offset with a binary search. */
import { partitionPoint } from '../append.ts';
import type { Token } from '../syntax/tokens.ts';

/** Returns the index of the first token that ends after an offset. Tokens must be ordered and must not overlap. */
export function tokenFrom(tokens: readonly Token[], offset: number): number {
  return partitionPoint(tokens, ({ end }) => end <= offset);
}
