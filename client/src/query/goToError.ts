// A button that moves the cursor to an error and names its line.
import * as vscode from 'vscode';
import type { Action } from '../host/advice.ts';
import type { Failure } from '../service/failure.ts';
import { errorPlace, positionOf } from './errorPlace.ts';
import type { Query } from './query.ts';

/** `where` precedes the line number in the label. */
export function goToError(
  { place, text }: Query,
  { places }: Failure,
  where = 'Line',
): readonly Action[] {
  const found = places?.[0];
  if (place === undefined || found === undefined) return [];
  const { line, character } = positionOf(text, errorPlace(text, found).start, place.range.start);
  return [goTo(`Go to ${where} ${line + 1}`, place.uri, new vscode.Position(line, character))];
}

export function goTo(label: string, uri: vscode.Uri, at: vscode.Position): Action {
  const selection = new vscode.Range(at, at);
  return { label, command: 'vscode.open', arguments: [uri, { selection }] };
}
