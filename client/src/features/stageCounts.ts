// Count Rows per Stage: shows the row count after each stage of the query at the cursor, until the next edit.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { attemptOn } from '../deployments/askDeployment.ts';
import { concurrently } from '../host/concurrently.ts';
import { showFailure } from '../host/notify.ts';
import { fillParameters } from '../query/fillParameters.ts';
import {
  editorFor,
  mayHaveQueries,
  noQueryHere,
  positionIn,
  queriesToRun,
} from '../query/inEditor.ts';
import type { Query } from '../query/query.ts';
import { type CountedStage, countNotes } from '../query/stageNotes.ts';
import type { Failure } from '../service/failure.ts';
import { registerCommand } from '../ui/commands.ts';
import { paragraphs } from '../ui/hovers.ts';
import { showInformationMessage } from '../ui/notifications.ts';

/** The maximum number of concurrent queries. It is low, because all queries read the same data. */
const AT_ONCE = 2;

export function activate(context: Context): vscode.Disposable {
  const decoration = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor('editorCodeLens.foreground'),
      margin: '0 0 0 2em',
    },
    isWholeLine: true,
  });
  const counted = new Set<string>();

  const clear = (document: vscode.TextDocument): void => {
    if (!counted.delete(document.uri.toString())) return;
    for (const editor of editorsOf(document)) editor.setDecorations(decoration, []);
  };

  const show = (document: vscode.TextDocument, stages: readonly CountedStage[]): void => {
    counted.add(document.uri.toString());
    const options = countNotes(stages).map(({ line, text, hover }): vscode.DecorationOptions => {
      const { range } = document.lineAt(line);
      return {
        range,
        renderOptions: { after: { contentText: text } },
        ...(hover && { hoverMessage: paragraphs(hover) }),
      };
    });
    for (const editor of editorsOf(document)) editor.setDecorations(decoration, options);
  };

  const count = async (
    uri: unknown,
    at: unknown,
  ): Promise<readonly (number | undefined)[] | undefined> => {
    const tab = typeof uri === 'string' ? context.tabs.tab(uri)?.query.place : undefined;
    const editor = await editorFor(tab?.uri ?? uri);
    if (!editor || !mayHaveQueries(editor.document)) return undefined;
    const { document } = editor;
    const place = tab?.range?.end ?? positionIn(at) ?? editor.selection.active;
    const range = new vscode.Range(place.line, place.character, place.line, place.character);
    const [stages, [found]] = await Promise.all([
      context.language.stageCounts(document, place),
      queriesToRun(context.language, editor, range),
    ]);
    if (stages.length === 0 || found === undefined) return void showInformationMessage(noQueryHere);
    const [query] = (await fillParameters([found], context)) ?? [];
    if (query === undefined) return undefined;
    const { version } = document;
    clear(document);
    const results: CountedStage[] = stages.map(({ range: { end }, title }) => ({
      line: end.line,
      title,
    }));
    let failure: Failure | undefined;
    const outcome = await context.runner.task(query, async ({ ask, report, signal }) => {
      let done = 0;
      const countRows = async ({ text }: { readonly text: string }, index: number) => {
        report(`Counting rows, ${done + 1} of ${stages.length}`);
        const answer = await ask(text);
        done += 1;
        const stage = results[index] as CountedStage;
        if (answer.ok) {
          const rows = answer.value.tables?.[0]?.columns?.[0]?.[0];
          results[index] = { ...stage, rows: Number(rows ?? 0) };
        } else if (answer.failure.kind !== 'cancelled') {
          failure ??= answer.failure;
          results[index] = { ...stage, problem: answer.failure.message };
        }
        // Don't show counts after an edit, because the stages may be on other lines.
        if (document.version === version && !signal.aborted) show(document, results);
      };
      await concurrently(stages, AT_ONCE, countRows, signal);
      return !signal.aborted;
    });
    if (outcome?.ok && !outcome.value) clear(document);
    if (outcome && !outcome.ok) failure = outcome.failure;
    if (failure && results.every(({ rows }) => rows === undefined)) tell(query, failure);
    return outcome?.ok && outcome.value ? results.map(({ rows }) => rows) : undefined;
  };

  const tell = (query: Query, failure: Failure): void => {
    const profile = context.runner.profileOf(query);
    const attempt = profile.ok ? attemptOn(profile.value) : { local: false };
    showFailure('Cannot count the rows', failure, attempt);
  };

  return vscode.Disposable.from(
    decoration,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) clear(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => counted.delete(uri.toString())),
    // The first argument is the tab's ID if the command is run from an empty result, or the document's URI if run from
    // a menu.
    registerCommand('aplomb.countRows', count),
  );
}

function editorsOf(document: vscode.TextDocument): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}
