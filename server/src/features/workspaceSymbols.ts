/** Finds queries by name in all open documents and workspace files. */
import { SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver';
import { type Lines, oncePer, type QuerySpan } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import type { WorkspaceFile } from '../workspaceFiles.ts';
import { titleOf } from './queryTitle.ts';

export const workspaceSymbolsFeature: Feature = {
  capabilities: { workspaceSymbolProvider: true },
  register(connection, workspace) {
    connection.onWorkspaceSymbol(async ({ query }) => {
      const files = await workspace.closedFiles(connection);
      return workspaceSymbols(query, workspace.snapshots(), files);
    });
  },
};

/** Maximum number of symbols in a response. Typing requests a new list, so more symbols aren't needed. */
const maxSymbols = 500;

/** Returns the queries whose names contain the letters of `wanted` in order. */
export function workspaceSymbols(
  wanted: string,
  open: readonly Snapshot[],
  files: readonly WorkspaceFile[],
): WorkspaceSymbol[] {
  const letters = wanted.toLowerCase().replace(/\s+/g, '');
  const found: WorkspaceSymbol[] = [];
  for (const source of [...open, ...files]) {
    for (const { name, span } of namedQueries(source)) {
      if (found.length === maxSymbols) return found;
      if (!hasLetters(name.toLowerCase(), letters)) continue;
      const range = toRange(source.lines, span);
      found.push({ name, kind: SymbolKind.Function, location: { uri: source.uri, range } });
    }
  }
  return found;
}

interface Source {
  readonly text: string;
  readonly lines: Lines;
  readonly queries: readonly QuerySpan[];
}

/** Query names, cached per document, because every typed letter requests them again. */
const namedQueries = oncePer(({ text, queries }: Source) =>
  queries.map((span) => ({ name: titleOf(text.slice(span.start, span.end)), span })),
);

function hasLetters(name: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
