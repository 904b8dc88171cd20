/** Highlights all uses of the name under the cursor, or the keywords of the operator under the cursor. */
import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver';
import { occurrencesAt, operatorWordsAt } from '../../../language/src/editing.ts';
import type { Span } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const highlightsFeature: Feature = {
  capabilities: { documentHighlightProvider: true },
  register(connection, workspace) {
    connection.onDocumentHighlight(
      workspace.answering(null, (now, { position }) =>
        highlights(now, now.lines.offsetAt(position)),
      ),
    );
  },
};

export function highlights(snapshot: Snapshot, offset: number): DocumentHighlight[] {
  const found = snapshot.at(offset);
  if (found === undefined) return [];
  const { query, at } = found;
  const { bound, tree } = query.analysis;
  const highlight = (span: Span, kind: DocumentHighlightKind) => {
    return { range: toRange(snapshot.lines, span, query.start), kind };
  };
  const uses = occurrencesAt(bound, at).map((use) =>
    highlight(use, use.write ? DocumentHighlightKind.Write : DocumentHighlightKind.Read),
  );
  if (uses.length > 0) return uses;
  return operatorWordsAt(tree, at).map((word) => highlight(word, DocumentHighlightKind.Text));
}
