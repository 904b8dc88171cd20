// Describes a cell's failed query: the message, the buttons and the marks. The error may be in another cell's let.
import * as vscode from 'vscode';
import type { CellQuery } from '../../../server/src/protocol.ts';
import type { FailedTabState } from '../answers/tabs.ts';
import { deploymentLine, rangeLine } from '../deployments/fileLines.ts';
import type { Profile } from '../deployments/profiles.ts';
import type { Action } from '../host/advice.ts';
import { failedState } from '../query/failedState.ts';
import { goTo, goToError } from '../query/goToError.ts';
import { editorRange, type Query } from '../query/query.ts';
import type { Failure } from '../service/failure.ts';
import { failuresByCell } from './cellQuery.ts';
import { cellAt, runCellCommand } from './cells.ts';
import type { Effective } from './effective.ts';

/**
 * `query` is the query in the cell, and `sent` is the text with the preceding lets. The returned marks belong to the
 * query or to another cell's let. `place` is absent if the failure has no position.
 */
export function cellFailure(
  found: CellQuery,
  query: Query,
  sent: string,
  failure: Failure,
  profile: Profile,
) {
  const parts = failuresByCell({ ...found, text: sent }, failure).map((part) => ({
    name: part.let?.name,
    query: part.let ? statementOf(part.let, sent) : query,
    failure: { ...failure, places: part.places },
  }));
  const [first] = parts;
  const number = first?.query.place && cellNumber(first.query.place.uri);
  const isAbove = first?.name !== undefined;
  const buttons = first
    ? goToError(first.query, first.failure, isAbove ? `Cell ${number}, Line` : 'Line')
    : [];
  const again = runCellCommand(String(query.place?.uri));
  const state = failedState(failure, profile, again, buttons);
  const lineInPart = first?.failure.places[0]?.line ?? 1;
  const line = first && (first.query.place?.range.start.line ?? 0) + lineInPart;
  const of = isAbove ? `cell ${number}, in the let ${first?.name}` : 'this cell';
  return {
    state,
    ...(line !== undefined && { place: `Line ${line} of ${of}` }),
    marks: parts,
  };
}

/** Returns a let of another cell as a query, with its position. */
function statementOf(
  { name, uri, offset, length, range }: CellQuery['lets'][number],
  sent: string,
): Query {
  return {
    text: sent.slice(offset, offset + length),
    title: name,
    statesColumnOrder: false,
    place: { uri: vscode.Uri.parse(uri), range: editorRange(range) },
  };
}

function cellNumber(uri: vscode.Uri): number {
  return (cellAt(uri.toString())?.index ?? -1) + 1;
}

export function missingDeployment(
  cell: vscode.NotebookCell,
  { text, level }: Effective,
): FailedTabState {
  const isCell = level === 'cell' || level === 'line';
  const select: Action = {
    label: 'Select Deployment',
    command: isCell ? 'aplomb.notebook.setCellDeployment' : 'aplomb.notebook.setDeployment',
    arguments: [isCell ? cell : cell.notebook.uri],
  };
  return {
    kind: 'failed',
    message: `The ${level === 'line' ? 'cell' : level} uses the deployment '${text}', which is not in the settings. Select another deployment, or add it.`,
    actions: [
      level === 'line' ? goToLine(cell, deploymentLine) : select,
      { label: 'Add Deployment', command: 'aplomb.addDeployment' },
    ],
  };
}

/** Describes an invalid time range, set by the cell, its notebook, or the cell's range comment. */
export function invalidRange(
  cell: vscode.NotebookCell,
  { text, level }: Effective,
  why: string,
): FailedTabState {
  const isNotebook = level === 'notebook';
  const change: Action = {
    label: 'Change Time Range',
    command: isNotebook ? 'aplomb.notebook.setTimeRange' : 'aplomb.notebook.setCellTimeRange',
    arguments: [isNotebook ? cell.notebook.uri : cell],
  };
  return {
    kind: 'failed',
    message: `The time range "${text}" is not valid. ${why}`,
    actions: [level === 'line' ? goToLine(cell, rangeLine) : change],
  };
}

function goToLine({ document }: vscode.NotebookCell, line: typeof rangeLine): Action {
  const start = document.positionAt(line(document.getText())?.start ?? 0);
  return goTo(`Go to Line ${start.line + 1}`, document.uri, start);
}

/** Describes a conflict: the query needs a let, but two cells define a let with that name. */
export function conflictingLets({ lets }: CellQuery, name: string): FailedTabState {
  const places = lets.filter((declared) => declared.name === name);
  return {
    kind: 'failed',
    message: `Two cells above declare '${name}', and this query needs both: one itself, the other through another let. Rename one of the two.`,
    actions: places.map(({ uri, range }) => {
      const cell = vscode.Uri.parse(uri);
      return goTo(`Go to Cell ${cellNumber(cell)}`, cell, editorRange(range).start);
    }),
  };
}
