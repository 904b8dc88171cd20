// A query to run: its text, its position, and the language server's analysis of it. Tabs and the last queries store it
// as plain data.
import * as vscode from 'vscode';
import type { QueryFacts, WireRange } from '../../../server/src/protocol.ts';
import type { TabQuery } from '../answers/tabs.ts';

export interface Query extends Omit<TabQuery, 'place'> {
  /** Whether the query determines the order of its columns. If not, the view orders them. */
  readonly statesColumnOrder: boolean;
  /** The language server's analysis of the query; absent if a query is rerun unchanged. */
  readonly facts?: QueryFacts;
  readonly place?: {
    readonly uri: vscode.Uri;
    readonly range: vscode.Range;
    /** The document's text, if it differs from the query because parts are replaced by spaces. */
    readonly written?: string;
  };
}

export function tabQuery({ place, facts: _, ...query }: Query): TabQuery {
  if (place === undefined) return query;
  const { start, end } = place.range;
  const range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  return { ...query, place: { uri: place.uri.toString(), range } };
}

export function queryOf({ place, statesColumnOrder = false, ...query }: TabQuery): Query {
  if (place?.range === undefined) return { ...query, statesColumnOrder };
  const uri = vscode.Uri.parse(place.uri);
  return { ...query, statesColumnOrder, place: { uri, range: editorRange(place.range) } };
}

/** Returns the document of a query if it is open. */
export function documentOf({ place }: Query): vscode.TextDocument | undefined {
  const uri = place?.uri.toString();
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
}

export function editorRange({ start, end }: WireRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
