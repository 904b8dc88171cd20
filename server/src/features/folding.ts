/** Finds foldable ranges: queries, statements, brackets, stages, comments, and `// #region` to `// #endregion`. */
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import { commentFolds, type Fold, foldsOf } from '../../../language/src/editing.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';

export const foldingFeature: Feature = {
  capabilities: { foldingRangeProvider: true },
  register(connection, workspace) {
    connection.onFoldingRanges(workspace.answering([], foldingRanges));
  },
};

const kinds: Readonly<Record<Fold['kind'], { kind?: FoldingRangeKind }>> = {
  code: {},
  comment: { kind: FoldingRangeKind.Comment },
  region: { kind: FoldingRangeKind.Region },
};

/** Returns at most one range per start line, because editors show one fold control per line. */
export function foldingRanges(snapshot: Snapshot): FoldingRange[] {
  const found = new Map<number, FoldingRange>();
  for (const fold of commentFolds(snapshot.text)) add(snapshot, fold, 0, found);
  for (const query of snapshot.queries)
    for (const fold of foldsOf(query.analysis.tree)) add(snapshot, fold, query.start, found);
  return [...found.values()].sort((a, b) => a.startLine - b.startLine);
}

function add(
  { lines, text }: Snapshot,
  fold: Fold,
  base: number,
  found: Map<number, FoldingRange>,
): void {
  const end = base + fold.end;
  const last = lines.positionAt(end);
  // If the closing bracket starts its line, keep that line visible when the range is folded.
  const before = text.slice(end - last.character, end);
  const endLine = fold.keepsEnd && before.trim() === '' ? last.line - 1 : last.line;
  const startLine = lines.positionAt(base + fold.start).line;
  if (endLine > startLine && !found.has(startLine))
    found.set(startLine, { startLine, endLine, ...kinds[fold.kind] });
}
