// Marks in the editor where the service found an error in a query. The mark goes when the query is edited
// or run again, and moves along when lines above it come or go.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { errorPlace, shiftedBy } from '../query/errorPlace.ts';
import type { FinishedRun, Query } from '../query/runner.ts';

interface Mark {
  /** Where the query stands. */
  readonly query: vscode.Range;
  readonly range: vscode.Range;
  readonly message: string;
  readonly code?: string;
}

export function activate({ runner }: Context): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('aplomb.service');
  const marks = new Map<string, Mark[]>();

  const publish = (uri: vscode.Uri, now: Mark[]): void => {
    marks.set(uri.toString(), now);
    collection.set(uri, now.map(diagnosticFor));
  };

  return vscode.Disposable.from(
    collection,
    runner.onDidStart(({ place }) => {
      const before = place && marks.get(place.uri.toString());
      if (!place || !before) return;
      publish(
        place.uri,
        before.filter((mark) => mark.query.intersection(place.range) === undefined),
      );
    }),
    runner.onDidFinish((run) => {
      const { place } = run.query;
      const document = place && openDocument(place.uri);
      const found = document ? marksFor(run, run.query, document) : [];
      if (place && found.length > 0) {
        publish(place.uri, [...(marks.get(place.uri.toString()) ?? []), ...found]);
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      let now = marks.get(document.uri.toString());
      if (!now || now.length === 0 || contentChanges.length === 0) return;
      for (const change of contentChanges) {
        now = now.flatMap((mark) => moved(mark, change) ?? []);
      }
      publish(document.uri, now);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      marks.delete(uri.toString());
      collection.delete(uri);
    }),
  );
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
}

function marksFor(
  { failure }: FinishedRun,
  { place, text }: Query,
  document: vscode.TextDocument,
): Mark[] {
  // An edit during the run leaves the places meaningless.
  if (place === undefined) return [];
  if (document.getText(place.range) !== (place.written ?? text)) return [];
  const start = document.offsetAt(place.range.start);
  return (failure?.places ?? []).map((found) => {
    const at = errorPlace(text, found);
    return {
      query: place.range,
      range: new vscode.Range(
        document.positionAt(start + at.start),
        document.positionAt(start + at.end),
      ),
      message: found.message,
      ...(found.code !== undefined && { code: found.code }),
    };
  });
}

function diagnosticFor({ range, message, code }: Mark): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message);
  diagnostic.source = 'APL service';
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

/** The mark after an edit; undefined where the edit touches its query. */
function moved(mark: Mark, change: vscode.TextDocumentContentChangeEvent): Mark | undefined {
  const { range, text } = change;
  if (range.end.isBefore(mark.query.start)) {
    const lines = shiftedBy(range.end.line - range.start.line, text);
    if (lines === 0) return mark;
    return { ...mark, query: shift(mark.query, lines), range: shift(mark.range, lines) };
  }
  return range.start.isAfter(mark.query.end) ? mark : undefined;
}

function shift(range: vscode.Range, lines: number): vscode.Range {
  const down = (position: vscode.Position) => position.translate(lines);
  return new vscode.Range(down(range.start), down(range.end));
}
