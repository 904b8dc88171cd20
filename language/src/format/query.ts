/** One query → the edits that make it tidy. */
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
 * The edits that format one query, as offsets of its text. They replace white space by white space and
 * never change what the query means: stages with a syntax error stay as they are written, and where the
 * formatted text would be read otherwise, so do their lines, or in the end all of it. `lineBreak` is what ends the
 * lines of the document; without it, that of the query's last line.
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

/** Whether a query means the same with edits made. */
export function isSafe(tree: QueryTree, edits: readonly Edit[]): boolean {
  return meansTheSame(tree, parseQuery(applyEdits(tree.text, edits)));
}
