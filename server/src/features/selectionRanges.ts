/** Expands a selection step by step, from the word under the cursor to the entire document. */
import type { Position, SelectionRange } from 'vscode-languageserver';
import { selectionSpans } from '../../../language/src/editing.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const selectionRangesFeature: Feature = {
  capabilities: { selectionRangeProvider: true },
  register(connection, workspace) {
    connection.onSelectionRanges(
      workspace.answering(null, (now, { positions }) =>
        positions.map((position) => selectionRange(now, position)),
      ),
    );
  },
};

export function selectionRange(snapshot: Snapshot, position: Position): SelectionRange {
  const { lines, text, queries } = snapshot;
  const offset = lines.offsetAt(position);
  const all = { start: 0, end: text.length };
  let range: SelectionRange = { range: toRange(lines, all) };
  const query = queries.find(({ start, end }) => start <= offset && offset <= end);
  if (query === undefined) return range;
  for (const span of selectionSpans(query.analysis.tree, offset - query.start).reverse()) {
    const { start, end } = { start: query.start + span.start, end: query.start + span.end };
    if (start === all.start && end === all.end) continue;
    range = { range: toRange(lines, { start, end }), parent: range };
  }
  return range;
}
