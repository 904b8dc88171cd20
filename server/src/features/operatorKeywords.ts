/** Finds the operators of a query, at any depth, and the spans of their keywords. */
import { type QueryTree, type Span, walk } from '../../../language/src/index.ts';

export interface OperatorKeyword {
  readonly name: string;
  readonly keyword: Span;
}

export function operatorsOf(tree: QueryTree): OperatorKeyword[] {
  const found: OperatorKeyword[] = [];
  walk(tree.statements, (node) => {
    if (!('keyword' in node) || node.keyword.end <= node.keyword.start) return;
    const { keyword } = node;
    found.push({ name: tree.text.slice(keyword.start, keyword.end), keyword });
  });
  return found;
}
