/** Formats one query. */
import { applyEdits, type Edit } from '../edits.ts';
import { parseQuery } from '../syntax/parser.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { isBeyondRepair } from './broken.ts';
import { layOut } from './layout.ts';
import { defaultFormatOptions, type FormatOptions, lineBreakOf } from './options.ts';
import { planQuery } from './plan.ts';
import { meansTheSame } from './same.ts';
import { editsOf } from './whitespace.ts';

/**
 * Returns the whitespace edits that format one query, except its stages with syntax errors. If these edits would change
 * the query's meaning, also excludes lines with errors. If the meaning would still change, returns no edits.
 * `lineBreak` defaults to the query's last line break.
 */
export function formatQuery(
  query: string | QueryTree,
  options: Partial<FormatOptions> = {},
  lineBreak?: string,
): Edit[] {
  const tree = typeof query === 'string' ? parseQuery(query) : query;
  if (isBeyondRepair(tree)) return [];
  const full = { ...defaultFormatOptions, ...options };
  for (const caution of ['stage', 'lines'] as const) {
    const sheet = planQuery(tree, caution);
    const layout = layOut(sheet, full);
    const edits = editsOf(sheet, layout, lineBreak ?? lineBreakOf(tree.text), full);
    if (edits.length === 0 || isSafe(tree, edits)) return edits;
  }
  return [];
}

/** Returns whether a query means the same after the edits. */
export function isSafe(tree: QueryTree, edits: readonly Edit[]): boolean {
  return meansTheSame(tree, parseQuery(applyEdits(tree.text, edits)));
}
