// Run Query, Run to Here, Run All Queries and Run Last Query: finds what to run with the language server's
// help, shows for a moment which text that is, and hands it to the runner.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { resultsTimeZone, warnBeyond } from '../host/settings.ts';
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
import { ParameterMemory } from '../query/parameterMemory.ts';
import type { Query } from '../query/query.ts';
import type { FinishedRun } from '../query/runner.ts';
import { SilencedFiles } from '../query/silencedFiles.ts';
import { confirmUnlimited } from '../query/unlimited.ts';
import type { TabId } from '../results/tabs.ts';
import { rangeText, type TimeRange } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/messages.ts';

const HIGHLIGHT_MS = 700;

const runningKey = 'aplomb.running';

/** The documents with a query that is running, for the button of the editor's title. */
const runningInKey = 'aplomb.runningIn';

export function activate(context: Context): vscode.Disposable {
  const { runner, results } = context;
  const ask = results.askForParameters;
  const memory = context.extension.workspaceState;
  const parameters = new ParameterMemory(memory);
  const silenced = new SilencedFiles(memory);
  const highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    // Themes of high contrast give ranges no background, but this line; others do not have its colour.
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

  /** Runs queries of a document, after asking what they leave open. */
  const runFrom = async (found: readonly Query[]): Promise<readonly FinishedRun[]> => {
    const limited = await confirmUnlimited(found, {
      range: context.timeRange.of(found[0]?.place?.uri.toString()),
      zone: resultsTimeZone(),
      warnBeyond: warnBeyond(),
      extents: context.extents,
      deployment: context.deployments.active.name,
      silenced,
    });
    const filled = limited && (await fillParameters(limited, parameters, ask));
    return filled ? run(filled) : [];
  };

  /** The query of a tab, or the queries of the latest command. */
  const again = (tab: unknown): readonly Query[] => {
    const query = typeof tab === 'string' ? runner.queryOf(tab) : undefined;
    return query ? [query] : runner.last;
  };

  return vscode.Disposable.from(
    highlight,
    runner.onDidChangeActivity(setRunning),
    // Another untitled document may get the name of one that is closed.
    vscode.workspace.onDidCloseTextDocument(async ({ uri, isUntitled }) => {
      if (!isUntitled) return;
      await parameters.forget(uri.toString());
      await silenced.forget(uri.toString());
    }),
    // From a code lens: the document and the range of its query. From the editor's title: the document.
    registerCommand('aplomb.runQuery', async (uri?: unknown, range?: unknown) => {
      void vscode.commands.executeCommand('hideSuggestWidget');
      const editor = await editorFor(uri);
      return editor ? runFrom(await queriesToRun(context.language, editor, rangeIn(range))) : [];
    }),
    // From a code lens: the document and the place of the stage. From a menu: the document.
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
    // Asks again for what was typed before, and runs the query.
    registerCommand('aplomb.runWithParameters', async (uri?: unknown) => {
      const editor = await editorFor(uri);
      const [query] = editor ? await queriesToRun(context.language, editor, undefined) : [];
      if (query === undefined || query.facts?.parameters.length === 0) {
        void showInformationMessage(query ? noParameters : noQueryHere);
        return [];
      }
      const filled = await fillParameters([query], parameters, ask, true);
      return filled ? run(filled) : [];
    }),
    // From a failure: the tab of its query.
    registerCommand('aplomb.runLastQuery', (tab?: unknown) =>
      run(again(tab), 'No query has been run in this workspace.'),
    ),
    // From a result that names the range in which there are events.
    registerCommand(runInRange, async (range: TimeRange, tab?: TabId) => {
      const queries = again(tab);
      // A range that the file states stays in the file, and gives way for this run.
      if (queries.some(({ rangeText }) => rangeText !== undefined)) {
        return run(
          queries.map((query) => ({ ...query, rangeText: rangeText(range, resultsTimeZone()) })),
        );
      }
      // The range of the window changes only by choosing one.
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
