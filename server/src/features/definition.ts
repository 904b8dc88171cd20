/** Finds the definition of the column, let or parameter under the cursor. A stored field has none. */
import type { Location } from 'vscode-languageserver';
import { definitionsAt } from '../../../language/src/editing.ts';
import { queryAt } from '../../../language/src/index.ts';
import { cellLetAt, emptyScope, letsIn } from '../cells.ts';
import { toOffset, toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, workspace) {
    connection.onDefinition(({ textDocument, position }) => {
      const now = workspace.snapshot(textDocument.uri);
      if (now === undefined) return null;
      const offset = toOffset(now.lines, position);
      const found = definition(now, offset);
      return found.length > 0 ? found : inCellAbove(now, offset, (uri) => workspace.snapshot(uri));
    });
  },
};

/** Returns the definition of the let that is used at an offset, if a cell above declares it. */
export function inCellAbove(
  { queries, scope = emptyScope }: Snapshot,
  offset: number,
  snapshotOf: (uri: string) => Snapshot | undefined,
): Location[] {
  const query = queryAt(queries, offset);
  const found = query && cellLetAt(query, offset, scope);
  const cell = found && snapshotOf(found.uri);
  const placed = cell && letsIn(cell)[found.index];
  if (cell === undefined || placed === undefined) return [];
  return [{ uri: cell.uri, range: toRange(cell.lines, placed.bound.nameSpan, placed.query.start) }];
}

export function definition(snapshot: Snapshot, offset: number): Location[] {
  const query = queryAt(snapshot.queries, offset);
  if (query === undefined) return [];
  return definitionsAt(query.analysis.bound, offset - query.start).map((span) => ({
    uri: snapshot.uri,
    range: toRange(snapshot.lines, span, query.start),
  }));
}
