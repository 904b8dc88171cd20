/** Highlights all uses of the name under the cursor, or the keywords of the operator under the cursor. */
import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver';
import { occurrencesAt, operatorWordsAt } from '../../../language/src/editing.ts';
import { queryAt } from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const highlightsFeature: Feature = {
  capabilities: { documentHighlightProvider: true },
  register(connection, workspace) {
    connection.onDocumentHighlight(({ textDocument, position }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? highlights(now, toOffset(now.lines, position)) : null;
    });
  },
};

export function highlights(snapshot: Snapshot, offset: number): DocumentHighlight[] {
  const query = queryAt(snapshot.queries, offset);
  if (query === undefined) return [];
  const { lines } = snapshot;
  const { bound, tree } = query.analysis;
  const at = offset - query.start;
  const places = occurrencesAt(bound, at);
  if (places.length === 0) {
    return operatorWordsAt(tree, at).map((word) => ({
      range: toRange(lines, word, query.start),
      kind: DocumentHighlightKind.Text,
    }));
  }
  return places.map((place) => ({
    range: toRange(lines, place, query.start),
    kind: place.write ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}
