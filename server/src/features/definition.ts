/** Where the column, let or parameter under the cursor was made; a stored field was made nowhere here. */
import type { Location } from 'vscode-languageserver';
import { definitionsAt } from '../../../language/src/editing.ts';
import { queryAt } from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, workspace) {
    connection.onDefinition(({ textDocument, position }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? definition(now, toOffset(now.lines, position)) : null;
    });
  },
};

export function definition(snapshot: Snapshot, offset: number): Location[] {
  const query = queryAt(snapshot.queries, offset);
  if (query === undefined) return [];
  return definitionsAt(query.analysis.bound, offset - query.start).map((span) => ({
    uri: snapshot.uri,
    range: toRange(snapshot.lines, span, query.start),
  }));
}
