// What the language server's answers show, made plain on their way to VS Code. The server escapes foreign text in its
// Markdown; here labels lose their icons and all texts show invisible characters.
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { plain, plainLine, visibleMarkdown } from './plain.ts';

/** The labels that the server knows items by, where VS Code shows others. */
const ownLabels = new WeakMap<vscode.CompletionItem, vscode.CompletionItem['label']>();

export const plainFeatures = {
  provideHover: async (document, position, token, next) =>
    plainHover(await next(document, position, token)),
  provideCompletionItem: async (document, position, context, token, next) => {
    const found = await next(document, position, context, token);
    plainCompletions(Array.isArray(found) ? found : (found?.items ?? []));
    return found;
  },
  resolveCompletionItem: (item, token, next) => plainResolved(item, () => next(item, token)),
  provideDocumentSymbols: async (document, token, next) => {
    const found = await next(document, token);
    for (const symbol of found ?? []) plainSymbol(symbol);
    return found;
  },
  provideWorkspaceSymbols: async (query, token, next) => {
    const found = await next(query, token);
    for (const symbol of found ?? []) plainSymbol(symbol);
    return found;
  },
  provideCodeActions: async (document, range, context, token, next) => {
    const found = await next(document, range, context, token);
    for (const action of found ?? []) action.title = plainLine(action.title);
    return found;
  },
  provideInlayHints: async (document, range, token, next) => {
    const found = await next(document, range, token);
    for (const hint of found ?? []) {
      if (typeof hint.label === 'string') hint.label = plainLine(hint.label);
      if (hint.tooltip instanceof vscode.MarkdownString) plainMarkdown(hint.tooltip);
    }
    return found;
  },
} satisfies Middleware;

export function plainHover<T extends vscode.Hover | undefined | null>(hover: T): T {
  for (const part of hover?.contents ?? [])
    if (part instanceof vscode.MarkdownString) plainMarkdown(part);
  return hover;
}

/** What the server says of problems; texts of services may be quoted in them. */
export function plainProblems<List extends readonly vscode.Diagnostic[]>(problems: List): List {
  for (const problem of problems) {
    problem.message = plain(problem.message);
    for (const related of problem.relatedInformation ?? [])
      related.message = plain(related.message);
  }
  return problems;
}

export function plainCompletions(items: readonly vscode.CompletionItem[]): void {
  for (const item of items) plainCompletion(item);
}

/** Asks the server about an item by its own label. */
export async function plainResolved<T extends vscode.CompletionItem | undefined | null>(
  item: vscode.CompletionItem,
  ask: () => T | PromiseLike<T>,
): Promise<T> {
  const shown = item.label;
  item.label = ownLabels.get(item) ?? shown;
  try {
    const resolved = await ask();
    if (resolved) plainCompletion(resolved);
    return resolved;
  } finally {
    item.label = shown;
  }
}

/** Only what is shown changes: the item is found and inserted by its own label. */
function plainCompletion(item: vscode.CompletionItem): void {
  const { label, detail, documentation } = item;
  const own = typeof label === 'string' ? { label } : label;
  const shown = plainLabel(own);
  if (shown.label !== own.label) {
    item.filterText ??= own.label;
    item.insertText ??= own.label;
  }
  ownLabels.set(item, label);
  item.label = typeof label === 'string' ? shown.label : shown;
  if (detail !== undefined) item.detail = plainLine(detail);
  if (documentation instanceof vscode.MarkdownString) plainMarkdown(documentation);
}

function plainLabel({ label, ...others }: vscode.CompletionItemLabel): vscode.CompletionItemLabel {
  const shown: vscode.CompletionItemLabel = { label: plainLine(label) };
  if (others.detail !== undefined) shown.detail = plainLine(others.detail);
  if (others.description !== undefined) shown.description = plainLine(others.description);
  return shown;
}

function plainSymbol(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): void {
  symbol.name = plainLine(symbol.name);
  if ('containerName' in symbol) symbol.containerName = plainLine(symbol.containerName);
  if (!('children' in symbol)) return;
  symbol.detail = plainLine(symbol.detail);
  symbol.children.forEach(plainSymbol);
}

function plainMarkdown(markdown: vscode.MarkdownString): void {
  markdown.value = visibleMarkdown(markdown.value);
}
