/** Renames symbols that a query defines. Refuses other names with a reason, which the editor shows. */
import {
  LSPErrorCodes,
  type PrepareRenameResult,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { prepareRename, type Refusal, renameEdits } from '../../../language/src/editing.ts';
import { toRange, toTextEdits } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { renameBelow } from './cellRename.ts';

export const renameFeature: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  register(connection, workspace) {
    connection.onPrepareRename(
      workspace.answering(null, (now, { position }) =>
        answered(preparedRename(now, now.lines.offsetAt(position))),
      ),
    );
    connection.onRenameRequest(
      workspace.answering(null, (now, { position, newName }) => {
        const offset = now.lines.offsetAt(position);
        return answered(renameInCells(now, offset, newName, workspace.cells(now.uri)));
      }),
    );
  },
};

function answered<T extends object>(answer: T | Refusal): T | ResponseError<void> {
  if (!('refusal' in answer)) return answer;
  return new ResponseError(LSPErrorCodes.RequestFailed, answer.refusal);
}

const nowhere: Refusal = { refusal: 'There is no query here.' };

export function preparedRename(
  snapshot: Snapshot,
  offset: number,
): Extract<PrepareRenameResult, { placeholder: string }> | Refusal {
  const found = snapshot.at(offset);
  if (found === undefined) return nowhere;
  const target = prepareRename(found.query.analysis, found.at);
  if ('refusal' in target) return target;
  const range = toRange(snapshot.lines, target.span, found.query.start);
  return { range, placeholder: target.name };
}

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
  const found = snapshot.at(offset);
  if (found === undefined) return nowhere;
  const { query, at } = found;
  const edits = renameEdits(query.analysis, at, newName, snapshot.schema);
  if ('refusal' in edits) return edits;
  return { changes: { [snapshot.uri]: toTextEdits(snapshot.lines, edits, query.start) } };
}
