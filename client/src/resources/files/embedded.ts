// APL inside a resource's JSON. The language server gets each literal as a document, and its results are mapped to
// positions in the JSON.
import * as vscode from 'vscode';
import { type AplLiteral, aplLiterals } from '../../../../resources/src/aplLocations.ts';
import { decode, encode, stringsIn } from '../../../../resources/src/jsonText.ts';
import type { WirePosition, WireRange } from '../../../../server/src/protocol.ts';
import type { Context } from '../../context.ts';
import { documentScheme, readAddress } from '../../deployments/resourceAddress.ts';
import { linkToPages } from '../../languageServer/problemPages.ts';
import { quickFix, registerQuickFixes } from '../../ui/editorParts.ts';
import { isShown, onDidLeave } from './editors.ts';
import { registerJsonProblems, jsonSelector as selector } from './jsonProblems.ts';
import { encodeSnippet } from './snippet.ts';
import type { VirtualDocument, VirtualDocuments } from './virtualDocuments.ts';

const embeddedScheme = 'aplomb-embedded';

/** Returns the suffix of the URIs of a document's literals. */
function endOf({ uri }: vscode.TextDocument): string {
  return encodeURIComponent(new URLSearchParams({ document: uri.toString() }).toString());
}

/** A JSON string literal that contains APL, as a document, with the offsets of its characters in the JSON. */
class Embedded {
  /** The decoded literal, and the query for the language server. */
  readonly apl: string;
  readonly text: string;
  readonly document: VirtualDocument;
  readonly #host: vscode.TextDocument;
  readonly #offsets: Int32Array;
  /** The length of the query text that precedes the literal. */
  readonly #prefix: number;
  readonly #lines: readonly number[];

  constructor(
    host: vscode.TextDocument,
    literal: AplLiteral,
    { deployment, index }: { readonly deployment: string; readonly index: number },
  ) {
    const source = host.getText();
    const prefix = prefixOf(source, literal);
    const { value, offsets } = decode(source, literal.start, literal.end);
    this.#host = host;
    this.#offsets = offsets;
    this.#prefix = prefix.length;
    this.apl = value;
    this.text = prefix + value;
    this.#lines = lineStarts(this.text);
    this.document = { uri: embeddedUri(deployment, index, host), text: this.text };
  }

  /** Maps a position in the JSON document to the query. */
  positionIn(position: vscode.Position): WirePosition {
    const offset = this.#host.offsetAt(position);
    let at = 0;
    while (at < this.#offsets.length - 1 && (this.#offsets[at] as number) < offset) at += 1;
    return this.#positionOf(at + this.#prefix);
  }

  /** Maps a range in the query to the JSON document. */
  rangeOf({ start, end }: WireRange): vscode.Range {
    return new vscode.Range(this.#hostPosition(start), this.#hostPosition(end));
  }

  #hostPosition({ line, character }: WirePosition): vscode.Position {
    const start = this.#lines[line] ?? this.text.length;
    const offset = Math.min(start + character, this.text.length) - this.#prefix;
    const at = Math.min(Math.max(offset, 0), this.#offsets.length - 1);
    return this.#host.positionAt(this.#offsets[at] as number);
  }

  #positionOf(offset: number): WirePosition {
    let line = 0;
    while (line + 1 < this.#lines.length && (this.#lines[line + 1] as number) <= offset) line += 1;
    return { line, character: offset - (this.#lines[line] as number) };
  }
}

/** Returns why a query in a document cannot run: it is empty or has an error. Undefined if no reason is known. */
export async function queryProblem(
  documents: VirtualDocuments,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  for (const { apl, virtual } of queriesOf(document)) {
    if (apl.trim() === '') return 'The query is empty.';
    const problems = await documents.diagnostics(virtual).catch(() => []);
    const error = problems.find(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    if (error !== undefined) return error.message;
  }
  return undefined;
}

/** Returns the queries in a JSON or APL document as documents for the language server. */
function queriesOf(
  document: vscode.TextDocument,
): readonly { readonly apl: string; readonly virtual: VirtualDocument }[] {
  if (isOurs(document)) {
    return embeddedIn(document).map(({ apl, document: virtual }) => ({ apl, virtual }));
  }
  const address = readAddress(document.uri.query);
  if (address === undefined) return [];
  const text = document.getText();
  return [{ apl: text, virtual: { uri: embeddedUri(address.deployment, 0, document), text } }];
}

function embeddedUri(deployment: string, index: number, host: vscode.TextDocument): string {
  const query = new URLSearchParams({ deployment }).toString();
  return `${embeddedScheme}:/${index}.apl?${encodeURIComponent(`${query}&`)}${endOf(host)}`;
}

export function registerEmbedded(
  { schema }: Context,
  documents: VirtualDocuments,
): vscode.Disposable {
  const forget = (document: vscode.TextDocument): void => {
    if (document.uri.scheme === documentScheme) void documents.close(endOf(document));
  };
  const problems = registerJsonProblems('aplomb-embedded', async (document) => {
    const found: vscode.Diagnostic[] = [];
    for (const part of embeddedIn(document)) {
      const items = await documents.diagnostics(part.document);
      for (const item of linkToPages(items)) {
        item.range = part.rangeOf(item.range);
        found.push(item);
      }
    }
    // Close the literals, because they were opened in the server again after the document was hidden.
    if (!isShown(document)) forget(document);
    return found;
  });

  return vscode.Disposable.from(
    problems,
    onDidLeave(forget),
    schema.onDidChangeAny(() => problems.checkAll()),
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position, token, context) => {
          const part = embeddedAt(document, position);
          if (part === undefined) return undefined;
          const list = await documents.completions(
            part.document,
            part.positionIn(position),
            context,
            token,
          );
          for (const item of list?.items ?? []) moveCompletion(item, part);
          return list;
        },
        resolveCompletionItem: async (item, token) => {
          const resolved = await documents.resolve(item, token);
          if (resolved?.documentation !== undefined) item.documentation = resolved.documentation;
          if (resolved?.detail !== undefined) item.detail = resolved.detail;
          return item;
        },
      },
      '.',
      '|',
      ' ',
      '[',
      "'",
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position, token) => {
        const part = embeddedAt(document, position);
        if (part === undefined) return undefined;
        const hover = await documents.hover(part.document, part.positionIn(position), token);
        if (hover?.range) hover.range = part.rangeOf(hover.range);
        return hover;
      },
    }),
    registerQuickFixes(selector, async (document, range, { diagnostics }, token) => {
      const part = embeddedAt(document, range.start);
      if (part === undefined) return undefined;
      const span = { start: part.positionIn(range.start), end: part.positionIn(range.end) };
      const fixes = await documents.fixes(part.document, span, token);
      return fixes.map(({ title, isPreferred, edits }) => {
        const action = quickFix(title);
        action.edit = new vscode.WorkspaceEdit();
        for (const { range: at, newText } of edits)
          action.edit.replace(document.uri, part.rangeOf(at), encode(newText));
        action.diagnostics = diagnostics.filter((one) => one.range.intersection(range));
        if (isPreferred) action.isPreferred = true;
        return action;
      });
    }),
  );
}

function isOurs({ uri, languageId }: vscode.TextDocument): boolean {
  return uri.scheme === documentScheme && languageId === 'json';
}

/** Returns a document's APL literals, or only the literal at an offset. */
function embeddedIn(document: vscode.TextDocument, at?: number): Embedded[] {
  const address = isOurs(document) ? readAddress(document.uri.query) : undefined;
  if (address === undefined) return [];
  const { kind, deployment } = address;
  return aplLiterals(kind, document.getText()).flatMap((literal, index) =>
    at === undefined || (literal.start <= at && at <= literal.end)
      ? new Embedded(document, literal, { deployment, index })
      : [],
  );
}

function embeddedAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Embedded | undefined {
  return embeddedIn(document, document.offsetAt(position))[0];
}

/** Returns the text to prepend to an expression to make it a query of its dataset. */
function prefixOf(text: string, { language }: AplLiteral): string {
  if (language === 'query') return '';
  const at = stringsIn(text).find(({ path }) => path.length === 1 && path[0] === 'dataset');
  const dataset = at ? decode(text, at.start, at.end).value : '';
  const quoted = dataset.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ');
  return `['${quoted}'] | extend value = `;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}

function moveCompletion(item: vscode.CompletionItem, part: Embedded): void {
  const { range, insertText, additionalTextEdits } = item;
  if (range instanceof vscode.Range) item.range = part.rangeOf(range);
  else if (range) {
    item.range = {
      inserting: part.rangeOf(range.inserting),
      replacing: part.rangeOf(range.replacing),
    };
  }
  if (insertText instanceof vscode.SnippetString) {
    item.insertText = new vscode.SnippetString(encodeSnippet(insertText.value));
  } else {
    const label = typeof item.label === 'string' ? item.label : item.label.label;
    item.insertText = encode(insertText ?? label);
  }
  if (additionalTextEdits) {
    item.additionalTextEdits = additionalTextEdits.map(
      (edit) => new vscode.TextEdit(part.rangeOf(edit.range), encode(edit.newText)),
    );
  }
}
