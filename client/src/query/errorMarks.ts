// Marks the service's errors in the editor. A mark moves with its line, and is removed when the query is edited or
// runs. A mark is hidden if the language server reports an error on the same lines, so that no error is listed twice.
import * as vscode from 'vscode';
import { Disposables } from '../host/disposables.ts';
import { offsetRange } from '../host/offsetRange.ts';
import { serverSource } from '../languageServer/problemPages.ts';
import type { Failure } from '../service/failure.ts';
import { diagnostic } from '../ui/editorParts.ts';
import { plain } from '../ui/plain.ts';
import { errorPlace, lineBreaks } from './errorPlace.ts';
import { documentOf, type Query } from './query.ts';

interface Mark {
  readonly query: vscode.Range;
  readonly range: vscode.Range;
  readonly message: string;
  readonly code?: string;
}

export class ErrorMarks extends Disposables {
  readonly #collection = vscode.languages.createDiagnosticCollection('aplomb.service');
  readonly #marks = new Map<string, readonly Mark[]>();
  readonly #shown = new Map<string, readonly Mark[]>();

  constructor() {
    super();
    this.own(
      this.#collection,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#edited(document.uri, contentChanges),
      ),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#marks.delete(uri.toString());
        this.#shown.delete(uri.toString());
        this.#collection.delete(uri);
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#show(uri);
      }),
    );
  }

  clear({ place }: Query): void {
    const before = place && this.#marks.get(place.uri.toString());
    if (!place || !before) return;
    this.#publish(
      place.uri,
      before.filter((mark) => mark.query.intersection(place.range) === undefined),
    );
  }

  /** Marks the positions of a failure, if the document still contains the query. */
  show(query: Query, failure: Failure): void {
    const { place } = query;
    const document = documentOf(query);
    const found = document ? marksFor(query, failure, document) : [];
    if (!place || found.length === 0) return;
    this.#publish(place.uri, [...(this.#marks.get(place.uri.toString()) ?? []), ...found]);
  }

  #edited(uri: vscode.Uri, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const before = this.#marks.get(uri.toString());
    if (!before || before.length === 0 || changes.length === 0) return;
    let now = before;
    for (const change of changes) now = now.flatMap((mark) => moved(mark, change) ?? []);
    this.#publish(uri, now);
  }

  #publish(uri: vscode.Uri, now: readonly Mark[]): void {
    this.#marks.set(uri.toString(), now);
    this.#show(uri);
  }

  #show(uri: vscode.Uri): void {
    const key = uri.toString();
    const marks = this.#marks.get(key);
    if (marks === undefined) return;
    const errors = vscode.languages.getDiagnostics(uri).filter(isServerError);
    const now = marks.filter((mark) => !errors.some(({ range }) => sharesLine(range, mark.range)));
    const before = this.#shown.get(key) ?? [];
    // Stop the recursion: showing a mark changes the diagnostics, which calls this method again.
    if (now.length === before.length && now.every((mark, i) => mark === before[i])) return;
    this.#shown.set(key, now);
    this.#collection.set(uri, now.map(diagnosticFor));
  }
}

function isServerError({ source, severity }: vscode.Diagnostic): boolean {
  return source === serverSource && severity === vscode.DiagnosticSeverity.Error;
}

function sharesLine(a: vscode.Range, b: vscode.Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

function marksFor({ place, text }: Query, failure: Failure, document: vscode.TextDocument): Mark[] {
  // Return nothing, because an edit since the run makes the positions invalid.
  if (place === undefined) return [];
  if (document.getText(place.range) !== (place.written ?? text)) return [];
  const start = document.offsetAt(place.range.start);
  return (failure.places ?? []).map((found) => {
    const at = errorPlace(text, found);
    return {
      query: place.range,
      range: offsetRange(document, { start: start + at.start, end: start + at.end }),
      message: found.message,
      ...(found.code !== undefined && { code: found.code }),
    };
  });
}

function diagnosticFor({ range, message, code }: Mark): vscode.Diagnostic {
  const problem = diagnostic(range, message);
  problem.source = 'APL service';
  if (code !== undefined) problem.code = plain(code);
  return problem;
}

/** Returns the mark after an edit; undefined if the edit touches its query. */
function moved(mark: Mark, change: vscode.TextDocumentContentChangeEvent): Mark | undefined {
  const { range, text } = change;
  if (range.end.isBefore(mark.query.start)) {
    const lines = lineBreaks(text) - (range.end.line - range.start.line);
    if (lines === 0) return mark;
    return { ...mark, query: shift(mark.query, lines), range: shift(mark.range, lines) };
  }
  return range.start.isAfter(mark.query.end) ? mark : undefined;
}

function shift(range: vscode.Range, lines: number): vscode.Range {
  const down = (position: vscode.Position) => position.translate(lines);
  return new vscode.Range(down(range.start), down(range.end));
}
