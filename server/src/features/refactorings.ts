/** Offers refactorings of the query at a cursor or selection as code actions. */
import { type CodeAction, CodeActionKind, type Command } from 'vscode-languageserver';
import { type Refactoring, refactoringsAt } from '../../../language/src/editing.ts';
import { toTextEdits } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import { renameCommand, type WirePosition } from '../protocol.ts';
import type { ActionSource } from './actionSource.ts';

const kinds: Readonly<Record<Refactoring['kind'], CodeActionKind>> = {
  extract: CodeActionKind.RefactorExtract,
  inline: CodeActionKind.RefactorInline,
  rewrite: CodeActionKind.RefactorRewrite,
};

export const refactorings: ActionSource = {
  kinds: Object.values(kinds),
  actions({ snapshot, selection }) {
    const { uri, lines, queries } = snapshot;
    const query = queries.find(
      ({ start, end }) => start <= selection.start && selection.end <= end,
    );
    if (query === undefined) return [];
    const span = { start: selection.start - query.start, end: selection.end - query.start };
    return refactoringsAt(query.analysis, span).map(
      ({ kind, title, edits, rename }): CodeAction => ({
        title,
        kind: kinds[kind],
        edit: { changes: { [uri]: toTextEdits(lines, edits, query.start) } },
        ...(rename === undefined ? {} : { command: renaming(snapshot, query, rename) }),
      }),
    );
  },
};

function renaming(
  { uri, lines }: Snapshot,
  { start }: QueryState,
  { offset, behind }: NonNullable<Refactoring['rename']>,
): Command {
  const { line, character } = lines.positionAt(start + offset);
  const position: WirePosition = { line, character: character + behind };
  return { title: 'Rename', command: renameCommand, arguments: [uri, position] };
}
