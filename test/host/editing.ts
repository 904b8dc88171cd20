// What the suites do in an editor, and how they wait for what comes later.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AnswerId } from '../../client/src/answers/protocol.ts';
import { answerIn } from '../../client/src/answers/slots.ts';
import type { TabId } from '../../client/src/answers/tabs.ts';
import type { Context } from '../../client/src/context.ts';
import type { FinishedRun, RunEnd } from '../../client/src/query/runner.ts';
import { noticesOf } from '../../client/src/results/answerNotices.ts';
import type { ViewNotice } from '../../client/src/results/pageContent.ts';
import type { AnswerField } from '../../table/src/answer.ts';
import type { Cell } from '../../table/src/result.ts';

const waitMs = 60_000;

/** A result as the store holds it. */
export interface HeldResult {
  readonly query: string;
  readonly rangeLabel: string;
  readonly notices: readonly ViewNotice[];
  readonly tables: readonly {
    readonly columns: readonly AnswerField[];
    readonly values: readonly (readonly Cell[])[];
    readonly rowCount: number;
  }[];
}

/** Opens an APL document with this text, unsaved, and puts the cursor at `$0`. */
export async function openApl(marked: string): Promise<vscode.TextEditor> {
  const offset = marked.indexOf('$0');
  const content = marked.replace('$0', '');
  const document = await vscode.workspace.openTextDocument({ language: 'axiom-apl', content });
  const editor = await vscode.window.showTextDocument(document);
  // A number of an untitled document may come again, and with it for a moment the text that it had.
  await until('The text', () => document.getText() === content || undefined);
  // Next to a huge document the window may take a while to tell which editor is the active one.
  const active = () => vscode.window.activeTextEditor?.document === document || undefined;
  await until('The editor', active);
  await select(editor, document.positionAt(Math.max(offset, 0)));
  return editor;
}

/** Moves the cursor, and waits until the window reports it: what is typed earlier goes to the former place. */
async function select(editor: vscode.TextEditor, cursor: vscode.Position): Promise<void> {
  if (editor.selection.isEmpty && editor.selection.active.isEqual(cursor)) return;
  const moved = new Promise<void>((resolve) => {
    const listener = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
      if (textEditor !== editor || !selections[0]?.active.isEqual(cursor)) return;
      listener.dispose();
      resolve();
    });
  });
  editor.selection = new vscode.Selection(cursor, cursor);
  await moved;
}

/** What the features of the running extension share. */
export function context(): Context {
  const found = vscode.extensions.getExtension<Context>('aplomb.aplomb')?.exports;
  if (!found) throw new Error('The extension is not active, or not in the mode of tests.');
  return found;
}

/** Runs the query under the cursor and returns its result. Throws with the reason if it failed. */
export async function runQuery(apl: string): Promise<HeldResult> {
  const { document } = await openApl(apl);
  const [result] = await resultsOf('aplomb.runQuery', document.uri);
  return result as HeldResult;
}

/** Executes a command that runs one query, and returns how that ended. */
export async function endOf(command: string, ...args: unknown[]): Promise<RunEnd> {
  const [run] = await vscode.commands.executeCommand<readonly FinishedRun[]>(command, ...args);
  if (run === undefined) throw new Error(`${command} ran nothing.`);
  return run.end;
}

/** Executes a command that runs queries, and returns their results. Throws unless all have one. */
export async function resultsOf(command: string, ...args: unknown[]): Promise<HeldResult[]> {
  const runs = await vscode.commands.executeCommand<readonly FinishedRun[]>(command, ...args);
  if (runs.length === 0) throw new Error(`${command} ran nothing.`);
  return Promise.all(
    runs.map(({ end }) => {
      if (end.kind !== 'result') throw new Error(`${command} gave ${JSON.stringify(end)}`);
      return heldResult(end.answer);
    }),
  );
}

/** The rows of an answer in the store, as they came. */
async function heldResult(answer: AnswerId): Promise<HeldResult> {
  const { store } = context();
  const held = store.get(answer);
  if (held === undefined) throw new Error('The answer is not in the store.');
  const tables = held.head.tables.map(async ({ fields, rowCount }, table) => {
    const rows = await Promise.all(
      Array.from({ length: rowCount }, (_, row) => store.rows('row', { answer, table, row })),
    );
    const values = fields.map((_, column) => rows.map(({ cells }) => cells[column]?.value ?? null));
    return { columns: fields, values, rowCount };
  });
  const { query, rangeLabel } = held.about;
  return { query, rangeLabel, notices: noticesOf(held.head), tables: await Promise.all(tables) };
}

/** The rows of a result's first table as arrays, in the order of its columns. */
export function rowsOf(result: HeldResult): unknown[][] {
  const table = result.tables[0];
  if (!table) throw new Error('The result has no table.');
  return Array.from({ length: table.rowCount }, (_, row) =>
    table.values.map((column) => column[row]),
  );
}

/** Returns the number of rows in the first table of a tab's answer. */
export function rowCount(tab: TabId): number | undefined {
  const { tabs, store } = context();
  const state = tabs.tab(tab)?.state;
  const answer = state && answerIn(state);
  return (answer === undefined ? undefined : store.get(answer))?.head.tables[0]?.rowCount;
}

/** Waits until a tab's answer has this number of rows. */
export function rowsArrive(tab: TabId, count: number): Promise<true> {
  return until(`The row ${count}`, () => (rowCount(tab) === count ? true : undefined));
}

/** Writes a file into the workspace and returns its address. */
export async function workspaceFile(name: string, content: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!folder) throw new Error('The suite runs without a workspace folder.');
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, content);
  return vscode.Uri.file(path);
}

/** Asks again and again until the answer is not undefined. Throws after a minute, naming `what`. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Thenable<T | undefined>,
  withinMs = waitMs,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what} did not come within ${withinMs / 1000} seconds.`);
}

/** What completion offers at the cursor, by label. */
export async function completions(
  editor: vscode.TextEditor,
): Promise<Map<string, vscode.CompletionItem>> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    editor.document.uri,
    editor.selection.active,
  );
  const label = ({ label }: vscode.CompletionItem) =>
    typeof label === 'string' ? label : label.label;
  return new Map(list.items.map((item) => [label(item), item]));
}

/** Waits for a problem in the document whose message matches. */
export function problem(
  document: vscode.TextDocument,
  message: RegExp,
): Promise<vscode.Diagnostic> {
  return until(`A problem that matches ${message}`, () =>
    vscode.languages.getDiagnostics(document.uri).find((found) => message.test(found.message)),
  );
}
