// Makes the language server's responses plain. The server escapes foreign text in its Markdown. This module removes
// icons from labels, and makes invisible characters visible.
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { applyRules, lineRule, linesRule } from './guarded.ts';
import { visibleMarkdown } from './plain.ts';

/** The server's labels for items that VS Code shows with a different label. */
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
  provideDocumentSymbols: (document, token, next) => eachPlain(next(document, token), plainSymbol),
  provideWorkspaceSymbols: (query, token, next) => eachPlain(next(query, token), plainSymbol),
  provideCodeActions: (document, range, context, token, next) =>
    eachPlain(next(document, range, context, token), (action) =>
      applyRules(action, { title: lineRule }),
    ),
  provideInlayHints: (document, range, token, next) =>
    eachPlain(next(document, range, token), (hint) =>
      applyRules(hint, { label: lineRule, tooltip: markdownRule }),
    ),
} satisfies Middleware;

async function eachPlain<List extends readonly unknown[]>(
  answer: vscode.ProviderResult<List>,
  makePlain: (item: List[number]) => void,
): Promise<List | null | undefined> {
  const found = await answer;
  for (const item of found ?? []) makePlain(item);
  return found;
}

export function plainHover<T extends vscode.Hover | undefined | null>(hover: T): T {
  hover?.contents.forEach(markdownRule);
  return hover;
}

/** Makes the messages of problems plain, because they may quote the service. */
export function plainProblems<List extends readonly vscode.Diagnostic[]>(problems: List): List {
  for (const problem of problems) {
    for (const part of [problem, ...(problem.relatedInformation ?? [])])
      applyRules(part, { message: linesRule });
  }
  return problems;
}

export function plainCompletions(items: readonly vscode.CompletionItem[]): void {
  for (const item of items) plainCompletion(item);
}

/** Resolves an item by the label that the server knows. */
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

/** Changes only the visible label. The item is still found and inserted by its original label. */
function plainCompletion(item: vscode.CompletionItem): void {
  const { label } = item;
  const own = typeof label === 'string' ? { label } : label;
  const shown = applyRules({ ...own }, labelRules);
  if (shown.label !== own.label) {
    item.filterText ??= own.label;
    item.insertText ??= own.label;
  }
  ownLabels.set(item, label);
  item.label = typeof label === 'string' ? shown.label : shown;
  applyRules(item, { detail: lineRule, documentation: markdownRule });
}

const labelRules = { label: lineRule, detail: lineRule, description: lineRule };
const symbolRules = { name: lineRule, containerName: lineRule, detail: lineRule };

function plainSymbol(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): void {
  applyRules(symbol, symbolRules);
  if ('children' in symbol) symbol.children.forEach(plainSymbol);
}

function markdownRule(value: unknown): unknown {
  if (value instanceof vscode.MarkdownString) value.value = visibleMarkdown(value.value);
  return value;
}
