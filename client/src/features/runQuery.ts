// Run Query, Run to Here, Run All Queries and Run Last Query: finds what to run with the language server's
// help, shows for a moment which text that is, and hands it to the runner.
import * as vscode from 'vscode';
import type { QueryText, WirePosition, WireRange } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import type { Query } from '../query/runner.ts';
import type { ResultState } from '../results/result.ts';

const HIGHLIGHT_MS = 700;
const TITLE_CHARACTERS_MAX = 80;

/** Whether a query is running, for the editor's title button. */
const runningKey = 'aplomb.running';

export function activate(context: Context): vscode.Disposable {
  const { runner } = context;
  const highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    // Themes of high contrast give ranges no background, but this line; others do not have its colour.
    border: '0 solid var(--vscode-editor-rangeHighlightBorder, transparent)',
    borderWidth: '0 0 0 2px',
    isWholeLine: true,
  });
  const setRunning = () =>
    void vscode.commands.executeCommand('setContext', runningKey, runner.isRunning);

  const run = async (
    queries: readonly Query[],
    none = 'There is no query here. Put the cursor in a query, or select one.',
  ): Promise<ResultState | undefined> => {
    if (queries.length === 0) {
      void vscode.window.showInformationMessage(none);
      return undefined;
    }
    flash(highlight, queries);
    const running = runner.run(queries);
    setRunning();
    try {
      return await running;
    } finally {
      setRunning();
    }
  };

  return vscode.Disposable.from(
    highlight,
    // From a code lens: the document and the range of its query. From the editor's title: the document.
    vscode.commands.registerCommand('aplomb.runQuery', async (uri?: unknown, range?: unknown) => {
      const editor = await editorFor(uri);
      return editor && run(await queriesToRun(context, editor, rangeIn(range)));
    }),
    // From a code lens: the document and the place of the stage. From a menu: the document.
    vscode.commands.registerCommand('aplomb.runToHere', async (uri?: unknown, at?: unknown) => {
      const editor = await editorFor(uri);
      if (editor?.document.languageId !== languageId) return undefined;
      const { document, selection } = editor;
      const found = await context.language.queryUpTo(document, positionIn(at) ?? selection.active);
      return run(found ? [placed(found, document)] : []);
    }),
    vscode.commands.registerCommand('aplomb.runAllQueries', async (uri?: unknown) => {
      const editor = await editorFor(uri);
      if (!editor) return undefined;
      const all = await context.language.queriesAt(editor.document);
      return run(all.map((text) => placed(text, editor.document)));
    }),
    vscode.commands.registerCommand('aplomb.runLastQuery', () =>
      run(runner.last, 'No query has run in this window yet.'),
    ),
  );
}

/** The editor of a document given by its address, or the active one. */
async function editorFor(uri: unknown): Promise<vscode.TextEditor | undefined> {
  const active = vscode.window.activeTextEditor;
  if (uri === undefined || uri === null) return active;
  const wanted = typeof uri === 'string' ? vscode.Uri.parse(uri) : (uri as vscode.Uri);
  const key = wanted.toString();
  if (active?.document.uri.toString() === key) return active;
  const visible = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === key,
  );
  return visible ?? vscode.window.showTextDocument(wanted);
}

function rangeIn(value: unknown): vscode.Range | undefined {
  const { start, end } = (value ?? {}) as Partial<WireRange>;
  if (typeof start?.line !== 'number' || typeof end?.line !== 'number') return undefined;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function positionIn(value: unknown): WirePosition | undefined {
  const { line, character } = (value ?? {}) as Partial<WirePosition>;
  if (typeof line !== 'number' || typeof character !== 'number') return undefined;
  return { line, character };
}

async function queriesToRun(
  context: Context,
  editor: vscode.TextEditor,
  range: vscode.Range | undefined,
): Promise<Query[]> {
  const { document, selection } = editor;
  if (range === undefined && !selection.isEmpty) {
    const text = document.getText(selection);
    if (text.trim() === '') return [];
    return [{ text, title: firstLine(text), place: { uri: document.uri, range: selection } }];
  }
  if (document.languageId !== languageId) return [];
  const found = await context.language.queriesAt(document, range?.start ?? selection.active);
  return found.map((text) => placed(text, document));
}

function placed(query: QueryText, document: vscode.TextDocument): Query {
  const { start, end } = query.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const written = document.getText(range);
  const place = { uri: document.uri, range };
  return {
    text: query.text,
    title: query.title,
    place: written === query.text ? place : { ...place, written },
  };
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] as string;
  return line.length > TITLE_CHARACTERS_MAX ? `${line.slice(0, TITLE_CHARACTERS_MAX)}…` : line;
}

function flash(decoration: vscode.TextEditorDecorationType, queries: readonly Query[]): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const uri = editor.document.uri.toString();
    const ranges = queries
      .filter(({ place }) => place?.uri.toString() === uri)
      .map(({ place }) => (place as NonNullable<typeof place>).range);
    if (ranges.length === 0) continue;
    editor.setDecorations(decoration, ranges);
    setTimeout(() => editor.setDecorations(decoration, []), HIGHLIGHT_MS);
  }
}
