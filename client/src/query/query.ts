// A query to run: its text, where it is, and what the language server knows of it. Tabs and the memory of the
// last queries keep it as plain data.
import * as vscode from 'vscode';
import type { QueryFacts, WireRange } from '../../../server/src/protocol.ts';
import type { TabQuery } from '../results/tabs.ts';

export interface Query {
  readonly text: string;
  readonly title: string;
  /** Its dataset and stages, each on one line; absent where a comment names it. */
  readonly stages?: readonly string[];
  /** Whether the query states the order of its columns; where it does not, the view chooses one. */
  readonly statesColumnOrder: boolean;
  /** The language server's facts; absent for a query that runs again unchanged. */
  readonly facts?: QueryFacts;
  readonly place?: {
    readonly uri: vscode.Uri;
    readonly range: vscode.Range;
    /** The document's text, if it differs from the query because parts are blanked out. */
    readonly written?: string;
  };
  /** Whether it is only a part of the query in the document: up to a stage, or what was selected. */
  readonly isPart?: boolean;
  /** Whether its result is shown as a chart until a person chooses. */
  readonly chartFirst?: boolean;
  /** The time range that the document states, as it is written there. */
  readonly rangeText?: string;
  /** The name of the deployment that the document states; absent for that of the window. */
  readonly deployment?: string;
  /** The datasets and views that it names. */
  readonly datasets?: readonly string[];
  /** Values of the parameters that the query declares. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The query as plain data. */
export function tabQuery({ place, facts: _, ...query }: Query): TabQuery {
  if (place === undefined) return query;
  const { start, end } = place.range;
  const range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  return { ...query, place: { uri: place.uri.toString(), range } };
}

/** The query that was kept as plain data. */
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
