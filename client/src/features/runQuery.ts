// Run Query, Run to Here, Run All Queries, Run Last Query and Cancel Query. Briefly highlights queries when they start,
// and marks the service's errors in the editor.
import * as vscode from 'vscode';
import type { TabId } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { runInRange } from '../query/eventsElsewhere.ts';
import { fillParameters, noParameters } from '../query/fillParameters.ts';
import {
  editorFor,
  mayHaveQueries,
  noQueryHere,
  placed,
  positionIn,
  queriesToRun,
  rangeIn,
} from '../query/inEditor.ts';
import type { Query } from '../query/query.ts';
import type { FinishedRun } from '../query/runner.ts';
import { confirmUnlimited } from '../query/unlimited.ts';
import { rangeText, type TimeRange } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/notifications.ts';

const HIGHLIGHT_MS = 700;

const runningKey = 'aplomb.running';

/** The context key for the URIs of documents with a running query. The buttons in the editor's title depend on it. */
const runningInKey = 'aplomb.runningIn';

export function activate(context: Context): vscode.Disposable {
  const { runner, marks } = context;
  const highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    // Add a border, because high-contrast themes define this border color instead of a background.
    border: '0 solid var(--vscode-editor-rangeHighlightBorder, transparent)',
    borderWidth: '0 0 0 2px',
    isWholeLine: true,
  });
  const setRunning = (): void => {
    const documents = runner.running.flatMap(({ query }) => query.place?.uri.toString() ?? []);
    void vscode.commands.executeCommand('setContext', runningKey, runner.running.length > 0);
    void vscode.commands.executeCommand('setContext', runningInKey, documents);
  };

  const run = async (
    queries: readonly Query[],
    none = noQueryHere,
  ): Promise<readonly FinishedRun[]> => {
    if (queries.length === 0) {
      void showInformationMessage(none);
      return [];
    }
    flash(highlight, queries);
    return runner.run(queries);
  };

  /** Runs a document's queries after asking for limits and parameters. */
  const runFrom = async (found: readonly Query[]): Promise<readonly FinishedRun[]> => {
    const range = context.timeRange.of(found[0]?.place?.uri.toString());
    const limited = await confirmUnlimited(found, { ...context, range });
    const filled = limited && (await fillParameters(limited, context));
    return filled ? run(filled) : [];
  };

  const again = (tab: unknown): readonly Query[] => {
    const query = typeof tab === 'string' ? runner.queryOf(tab) : undefined;
    return query ? [query] : runner.last;
  };

  /** Forgets a closed document or notebook that was never saved, because another one may reuse its URI. */
  const forgetUntitled = async ({
    uri,
    isUntitled,
  }: vscode.TextDocument | vscode.NotebookDocument) => {
    if (!isUntitled) return;
    await context.parameters.forget(uri.toString());
    await context.silenced.forget(uri.toString());
  };

  return vscode.Disposable.from(
    highlight,
    runner.onDidChangeActivity(setRunning),
    runner.onDidStart(({ query }) => marks.clear(query)),
    runner.onDidFinish(({ query, end }) => {
      if (end.kind === 'failed' && end.failure) marks.show(query, end.failure);
    }),
    registerCommand('aplomb.cancelQuery', () => runner.cancel()),
    vscode.workspace.onDidCloseTextDocument(forgetUntitled),
    vscode.workspace.onDidCloseNotebookDocument(forgetUntitled),
    // A code lens passes the document and the query's range. A menu or another command passes the document.
    registerCommand('aplomb.runQuery', async (uri?: unknown, range?: unknown) => {
      void vscode.commands.executeCommand('hideSuggestWidget');
      const editor = await editorFor(uri);
      return editor ? runFrom(await queriesToRun(context.language, editor, rangeIn(range))) : [];
    }),
    // A code lens passes the document and the stage's position. A menu passes the document.
    registerCommand('aplomb.runToHere', async (uri?: unknown, at?: unknown) => {
      const editor = await editorFor(uri);
      if (!editor || !mayHaveQueries(editor.document)) return [];
      const { document, selection } = editor;
      const found = await context.language.queryUpTo(document, positionIn(at) ?? selection.active);
      return runFrom(found ? [{ ...placed(found, document), isPart: true }] : []);
    }),
    registerCommand('aplomb.runAllQueries', async (uri?: unknown) => {
      const editor = await editorFor(uri);
      if (!editor) return [];
      const all = await context.language.queriesAt(editor.document);
      return runFrom(all.map((text) => placed(text, editor.document)));
    }),
    // Ask for the parameters even if they already have values.
    registerCommand('aplomb.runWithParameters', async (uri?: unknown) => {
      const editor = await editorFor(uri);
      const [query] = editor ? await queriesToRun(context.language, editor, undefined) : [];
      if (query === undefined || query.facts?.parameters.length === 0) {
        void showInformationMessage(query ? noParameters : noQueryHere);
        return [];
      }
      const filled = await fillParameters([query], context, true);
      return filled ? run(filled) : [];
    }),
    // The message about a failed query passes the query's tab.
    registerCommand('aplomb.runLastQuery', (tab?: unknown) =>
      run(again(tab), 'No query has been run in this workspace.'),
    ),
    // Called from a result without rows, which passes a time range that contains events.
    registerCommand(runInRange, async (range: TimeRange, tab?: TabId) => {
      const queries = again(tab);
      // Override the file's range comment for this run, without changing the comment.
      if (queries.some(({ rangeText }) => rangeText !== undefined)) {
        return run(
          queries.map((query) => ({ ...query, rangeText: rangeText(range, resultsTimeZone()) })),
        );
      }
      // Set the range only for the document. The window keeps its range.
      for (const { place } of queries)
        if (place) context.timeRange.setOf(place.uri.toString(), range);
      const written = rangeText(range, resultsTimeZone());
      return run(queries.map((query) => (query.place ? query : { ...query, rangeText: written })));
    }),
  );
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
