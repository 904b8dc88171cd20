/** Renames symbols that a query defines. Refuses other names with a reason, which the editor shows. */
import {
  LSPErrorCodes,
  type PrepareRenameResult,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { prepareRename, type Refusal, renameEdits } from '../../../language/src/editing.ts';
import { queryAt } from '../../../language/src/index.ts';
import { toOffset, toRange, toTextEdits } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { renameBelow } from './cellRename.ts';

export const renameFeature: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  register(connection, workspace) {
    connection.onPrepareRename(({ textDocument, position }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now ? answered(preparedRename(now, toOffset(now.lines, position))) : null;
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const now = workspace.snapshot(textDocument.uri);
      if (now === undefined) return null;
      const offset = toOffset(now.lines, position);
      return answered(renameInCells(now, offset, newName, workspace.cells(textDocument.uri)));
    });
  },
};

/** Converts a refusal to an error whose message the editor shows. */
function answered<T extends object>(answer: T | Refusal): T | ResponseError<void> {
  if (!('refusal' in answer)) return answer;
  return new ResponseError(LSPErrorCodes.RequestFailed, answer.refusal);
}

const nowhere: Refusal = { refusal: 'There is no query here.' };

/** Returns the name to rename, without quotes, and its range. */
export function preparedRename(
  snapshot: Snapshot,
  offset: number,
): Extract<PrepareRenameResult, { placeholder: string }> | Refusal {
  const query = queryAt(snapshot.queries, offset);
  if (query === undefined) return nowhere;
  const target = prepareRename(query.analysis, offset - query.start);
  if ('refusal' in target) return target;
  const range = toRange(snapshot.lines, target.span, query.start);
  return { range, placeholder: target.name };
}

/** Returns the edits of a rename, including uses of a let in the cells below. */
export function renameInCells(
  snapshot: Snapshot,
  offset: number,
  newName: string,
  cells: readonly Snapshot[],
): WorkspaceEdit | Refusal {
  const own = rename(snapshot, offset, newName);
  if ('refusal' in own) return own;
  const below = renameBelow(snapshot, offset, newName, cells);
  if ('refusal' in below) return below;
  return { changes: { ...own.changes, ...below.changes } };
}

export function rename(
  snapshot: Snapshot,
  offset: number,
  newName: string,
): WorkspaceEdit | Refusal {
  const query: QueryState | undefined = queryAt(snapshot.queries, offset);
  if (query === undefined) return nowhere;
  const edits = renameEdits(query.analysis, offset - query.start, newName, snapshot.schema);
  if ('refusal' in edits) return edits;
  return { changes: { [snapshot.uri]: toTextEdits(snapshot.lines, edits, query.start) } };
}
