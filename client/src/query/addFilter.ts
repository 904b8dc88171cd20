// Adds filters to a result's query and removes them, as edits that can be undone.
import * as vscode from 'vscode';
import type { ResultTab } from '../answers/tabs.ts';
import { offsetRange } from '../host/offsetRange.ts';
import type { LanguageServer } from '../languageServer/languageClient.ts';
import { settled } from '../languageServer/pendingEdits.ts';
import { showWarningMessage } from '../ui/notifications.ts';
import type { FilterCondition } from './filterCondition.ts';
import { placed } from './inEditor.ts';
import { type Query, queryOf } from './query.ts';

/** A filter in a document's query. It can be removed while the query's text is unchanged. */
export interface WrittenFilter {
  /** The condition as written, such as `host == 'web-1'`. */
  readonly condition: string;
  /** The query's text with the filter. In it, `added` has replaced `removed` at offset `start`. */
  readonly text: string;
  readonly start: number;
  readonly added: string;
  readonly removed: string;
  readonly former: Query;
}

export function documentFilters(language: LanguageServer) {
  return {
    write: ({ query }: ResultTab, conditions: readonly FilterCondition[]) =>
      writeFilter(language, queryOf(query), conditions),
    remove: ({ query }: ResultTab, filter: WrittenFilter) =>
      removeFilter(language, queryOf(query), filter),
  };
}

/** Returns the query to run. If nothing was written, shows the reason and returns undefined. */
async function writeFilter(
  language: LanguageServer,
  former: Query,
  conditions: readonly FilterCondition[],
): Promise<{ readonly query: Query; readonly filter: WrittenFilter } | undefined> {
  const { place, isPart } = former;
  if (place === undefined) return refused(noPlace);
  const document = await vscode.workspace.openTextDocument(place.uri);
  await settled(document);
  const { version } = document;
  if (isPart && !isWrittenAs(document.getText(place.range), former.text)) return refused(changed);
  const wire = conditions.map(({ column, path, kind, text, exclude }) => {
    return { column, path: [...path], kind, text, exclude };
  });
  const part = isPart ? former.text : undefined;
  const found = await language.addFilter(document, place.range.start, wire, part);
  if ('refusal' in found) return refused(found.refusal);
  if (document.version !== version) return refused(changed);
  const { text, condition, edit } = found;
  const offset = document.offsetAt(new vscode.Position(found.start.line, found.start.character));
  const range = offsetRange(document, { start: offset + edit.start, end: offset + edit.end });
  const removed = document.getText(range);
  if (!(await replace(document, range, edit.text))) return refused(changed);
  const all = offsetRange(document, { start: offset, end: offset + text.length });
  const written = document.getText(all);
  return {
    query: await queryNow(language, document, former, all, text),
    filter: { condition, text: written, start: edit.start, added: edit.text, removed, former },
  };
}

/** Returns the query without the filter. If its text has changed, shows a message and returns undefined. */
async function removeFilter(
  language: LanguageServer,
  { place }: Query,
  { text, start, added, removed, former }: WrittenFilter,
): Promise<Query | undefined> {
  if (place === undefined) return refused(noPlace);
  const document = await vscode.workspace.openTextDocument(place.uri);
  await settled(document);
  const offset = document.offsetAt(place.range.start);
  const from = (at: number, written: string) =>
    offsetRange(document, { start: at, end: at + written.length });
  const has = (wanted: string) => document.getText(from(offset, wanted)) === wanted;
  const without = text.slice(0, start) + removed + text.slice(start + added.length);
  if (has(text)) {
    if (!(await replace(document, from(offset + start, added), removed))) return refused(edited);
  } else if (!has(without)) return refused(edited);
  return queryNow(language, document, former, from(offset, without), former.text);
}

/** Returns the query to run after an edit: the current query, or the part that ran before. */
async function queryNow(
  language: LanguageServer,
  document: vscode.TextDocument,
  former: Query,
  range: vscode.Range,
  text: string,
): Promise<Query> {
  const { facts: _, ...kept } = former;
  const [found] = former.isPart ? [] : await language.queriesAt(document, range.start);
  const { rangeText } = former;
  // Keep the result's time range and parameter values.
  if (found)
    return { ...kept, ...placed(found, document), ...(rangeText !== undefined && { rangeText }) };
  const written = document.getText(range);
  const place = { uri: document.uri, range, ...(written !== text && { written }) };
  return { ...kept, text, place };
}

const noPlace =
  'The query of this result is no longer in a document. Run it from an editor to add a filter.';
const changed = 'The query has changed since it was run. Run it again to add a filter.';
const edited = 'The query has changed since the filter was added. Remove the filter in the editor.';

function refused(why: string): undefined {
  void showWarningMessage(why);
  return undefined;
}

/** Returns whether a document's text is the query that ran, in which spaces may replace some parts. */
function isWrittenAs(written: string, run: string): boolean {
  return (
    written.length === run.length &&
    run.split('').every((unit, at) => unit === ' ' || unit === written[at])
  );
}

async function replace(
  document: vscode.TextDocument,
  range: vscode.Range,
  text: string,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  const { InCenterIfOutsideViewport } = vscode.TextEditorRevealType;
  for (const editor of vscode.window.visibleTextEditors)
    if (editor.document === document)
      editor.revealRange(range.with({ end: range.start }), InCenterIfOutsideViewport);
  return true;
}
