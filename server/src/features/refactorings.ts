/** Refactorings of the query at a cursor or selection as code actions. */
import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { type Refactoring, refactoringsAt } from '../../../language/src/index.ts';
import { toTextEdits } from '../convert.ts';
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
      ({ kind, title, edits }): CodeAction => ({
        title,
        kind: kinds[kind],
        edit: { changes: { [uri]: toTextEdits(lines, edits, query.start) } },
      }),
    );
  },
};
