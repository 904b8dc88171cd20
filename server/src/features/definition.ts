/** Finds the definition of the column, `let` statement or parameter under the cursor. Stored fields have none. */
import type { Location } from 'vscode-languageserver';
import { definitionsAt } from '../../../language/src/editing.ts';
import { cellLetAt, emptyScope, letsIn } from '../cells.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, workspace) {
    connection.onDefinition(
      workspace.answering(null, (now, { position }) => {
        const offset = now.lines.offsetAt(position);
        const found = definition(now, offset);
        if (found.length > 0) return found;
        return inCellAbove(now, offset, (uri) => workspace.snapshot(uri));
      }),
    );
  },
};

export function inCellAbove(
  snapshot: Snapshot,
  offset: number,
  snapshotOf: (uri: string) => Snapshot | undefined,
): Location[] {
  const query = snapshot.at(offset)?.query;
  const found = query && cellLetAt(query, offset, snapshot.scope ?? emptyScope);
  const cell = found && snapshotOf(found.uri);
  const placed = cell && letsIn(cell)[found.index];
  if (cell === undefined || placed === undefined) return [];
  return [{ uri: cell.uri, range: toRange(cell.lines, placed.bound.nameSpan, placed.query.start) }];
}

export function definition(snapshot: Snapshot, offset: number): Location[] {
  const found = snapshot.at(offset);
  if (found === undefined) return [];
  const { query, at } = found;
  return definitionsAt(query.analysis.bound, at).map((span) => ({
    uri: snapshot.uri,
    range: toRange(snapshot.lines, span, query.start),
  }));
}
