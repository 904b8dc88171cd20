// Finds the query for a command: the selected one, the one at the cursor, or the one in a lens's range. The language
// server finds where queries start and end.
import * as vscode from 'vscode';
import type {
  QueryFacts,
  QueryText,
  WirePosition,
  WireRange,
} from '../../../server/src/protocol.ts';
import { deploymentStatedBy } from '../deployments/fileDeployment.ts';
import { rangeLine } from '../deployments/fileLines.ts';
import { languageId } from '../host/languageId.ts';
import { type LanguageServer, markdownId } from '../languageServer/languageClient.ts';
import { settled } from '../languageServer/pendingEdits.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { editorRange, type Query } from './query.ts';

const TITLE_CHARACTERS_MAX = 80;

export const noQueryHere = 'No query at the cursor. Place the cursor in a query, or select one.';

/** Returns the editor for a document URI, or the active editor, after its pending edits. */
export async function editorFor(uri: unknown): Promise<vscode.TextEditor | undefined> {
  const editor = await findEditor(uri);
  if (editor) await settled(editor.document);
  return editor;
}

async function findEditor(uri: unknown): Promise<vscode.TextEditor | undefined> {
  const active = vscode.window.activeTextEditor;
  if (uri === undefined || uri === null) return active;
  const wanted = typeof uri === 'string' ? vscode.Uri.parse(uri) : (uri as vscode.Uri);
  const shown = [active, ...vscode.window.visibleTextEditors].find(
    (editor) => editor?.document.uri.toString() === wanted.toString(),
  );
  return shown ?? vscode.window.showTextDocument(wanted);
}

/** Matches the line that opens a block of queries in Markdown. */
const opening = /^\s*(?:`{3,}|~{3,})\s*\{?\.?(?:axiom-)?(?:apl|kusto)\b/im;

/** Returns whether a document may contain queries: APL, or Markdown with a fenced block of APL. */
export function mayHaveQueries(document: vscode.TextDocument): boolean {
  if (document.languageId === languageId) return true;
  return document.languageId === markdownId && opening.test(document.getText());
}

/** Returns whether a position may be in a query: always in APL documents. In Markdown, asks the language server. */
export async function isInQuery(
  language: LanguageServer,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<boolean> {
  if (document.languageId === languageId) return true;
  if (!mayHaveQueries(document)) return false;
  return (await language.queriesAt(document, position)).length > 0;
}

/** Returns the range in a lens's argument; undefined for other values. */
export function rangeIn(value: unknown): vscode.Range | undefined {
  const { start, end } = (value ?? {}) as Partial<WireRange>;
  if (typeof start?.line !== 'number' || typeof end?.line !== 'number') return undefined;
  return editorRange({ start, end });
}

/** Returns the position in a lens's argument; undefined for other values. */
export function positionIn(value: unknown): WirePosition | undefined {
  const { line, character } = (value ?? {}) as Partial<WirePosition>;
  if (typeof line !== 'number' || typeof character !== 'number') return undefined;
  return { line, character };
}

const word = /^[\p{L}\p{N}_]+$/u;

/** Returns the queries to run: the selection if it has several words, or else those at the cursor or in the range. */
export async function queriesToRun(
  language: LanguageServer,
  editor: vscode.TextEditor,
  range: vscode.Range | undefined,
): Promise<Query[]> {
  const { document, selection } = editor;
  if (range === undefined && !selection.isEmpty) {
    const text = document.getText(selection);
    if (text.trim() === '') return [];
    // Don't run a single selected word in place of the query around it. A double click or a search selects a word.
    if (word.test(text) && mayHaveQueries(document)) {
      const around = await language.queriesAt(document, selection.start);
      if (around.length > 0) return around.map((found) => placed(found, document));
    }
    const facts = await language.queryFacts(text);
    const place = { uri: document.uri, range: selection };
    const title = firstLine(facts.stages?.join(' | ') ?? text);
    return [{ text, title, place, isPart: true, ...known(facts, document) }];
  }
  if (!mayHaveQueries(document)) return [];
  const found = await language.queriesAt(document, range?.start ?? selection.active);
  return found.map((text) => placed(text, document));
}

/** Returns the query for a command in a document or the active editor. Without a query, shows a message. */
export async function queryAt(language: LanguageServer, uri: unknown): Promise<Query | undefined> {
  const editor = await editorFor(uri);
  const [query] = editor ? await queriesToRun(language, editor, undefined) : [];
  if (query === undefined) void showInformationMessage(noQueryHere);
  return query;
}

export function placed(query: QueryText, document: vscode.TextDocument): Query {
  const range = editorRange(query.range);
  const written = document.getText(range);
  const place = { uri: document.uri, range };
  return {
    text: query.text,
    title: query.title,
    place: written === query.text ? place : { ...place, written },
    ...known(query.facts, document),
  };
}

function known(facts: QueryFacts, document: vscode.TextDocument) {
  const range = document.languageId === languageId ? rangeLine(document.getText()) : undefined;
  const deployment = deploymentStatedBy(document);
  const { statesColumnOrder, stages, datasets } = facts;
  return {
    facts,
    statesColumnOrder,
    datasets,
    ...(stages && { stages }),
    ...(range && { rangeText: range.text }),
    ...(deployment && { deployment }),
  };
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] as string;
  return line.length > TITLE_CHARACTERS_MAX ? `${line.slice(0, TITLE_CHARACTERS_MAX)}…` : line;
}
