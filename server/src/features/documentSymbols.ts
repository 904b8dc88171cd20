/** Builds a document's outline: its queries, each with its `let` statements, parameters, source and stages. */
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { type OutlineItem, outlineOf } from '../../../language/src/editing.ts';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { commentAbove, shownName, titleOf } from './queryTitle.ts';

export const documentSymbolsFeature: Feature = {
  capabilities: { documentSymbolProvider: { label: 'APL' } },
  register(connection, workspace) {
    connection.onDocumentSymbol(workspace.answering([], documentSymbols));
  },
};

const kinds: Readonly<Record<OutlineItem['kind'], SymbolKind>> = {
  let: SymbolKind.Variable,
  table: SymbolKind.Struct,
  parameter: SymbolKind.TypeParameter,
  source: SymbolKind.Class,
  stage: SymbolKind.Operator,
};

export function documentSymbols(snapshot: Snapshot): DocumentSymbol[] {
  return snapshot.queries.map((query) => querySymbol(snapshot, query));
}

function querySymbol(snapshot: Snapshot, query: QueryState): DocumentSymbol {
  const { tree, bound } = query.analysis;
  const items = outlineOf(bound);
  const first = tree.tokens[0] ?? { start: 0, end: 0 };
  const source = items.find(({ kind }) => kind === 'source');
  // Show the source as the detail only if the title is a comment. Any other title starts with the source.
  const untitled = commentAbove(tree.text) === '';
  return {
    name: titleOf(tree.text, tree),
    detail: source === undefined || untitled ? '' : source.name,
    kind: SymbolKind.Function,
    range: toRange(snapshot.lines, query),
    selectionRange: toRange(snapshot.lines, first, query.start),
    children: items.map((item) => itemSymbol(snapshot, query, item)),
  };
}

function itemSymbol(snapshot: Snapshot, query: QueryState, item: OutlineItem): DocumentSymbol {
  return {
    name: shownName(item.name, item.kind),
    detail: item.detail,
    kind: kinds[item.kind],
    range: toRange(snapshot.lines, item, query.start),
    selectionRange: toRange(snapshot.lines, item.selection, query.start),
    children: item.children.map((child) => itemSymbol(snapshot, query, child)),
  };
}
