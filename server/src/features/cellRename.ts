/** Extends an accepted rename of a `let` statement to the cells below that use it. */
import type { TextEdit } from 'vscode-languageserver';
import type { Refusal } from '../../../language/src/editing.ts';
import { analyzeQuery, applyEdits, type Edit, quoteName } from '../../../language/src/index.ts';
import { type CellLet, letsIn } from '../cells.ts';
import { toTextEdits } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';

/** Returns a rename's edits in other cells, by URI. Refuses a new name that has another meaning in one of them. */
export function renameBelow(
  declaring: Snapshot,
  offset: number,
  newName: string,
  cells: readonly Snapshot[],
): { readonly changes: Record<string, TextEdit[]> } | Refusal {
  const renamed = letAt(declaring, offset);
  if (renamed === undefined) return { changes: {} };
  const changes: Record<string, TextEdit[]> = {};
  for (const cell of cells) {
    const declared = cell.scope?.lets.get(renamed.name);
    if (declared?.uri !== declaring.uri || declared.index !== renamed.index) continue;
    for (const query of cell.queries) {
      const edits = usesOf(query, renamed.name, quoteName(newName));
      if (edits.length === 0) continue;
      if (changesMeaning(cell, query, edits, declared, newName)) {
        return {
          refusal: `A cell below uses '${renamed.name}', and '${newName}' means something else there. Choose another name.`,
        };
      }
      const textEdits = toTextEdits(cell.lines, edits, query.start);
      changes[cell.uri] = [...(changes[cell.uri] ?? []), ...textEdits];
    }
  }
  return { changes };
}

function letAt(snapshot: Snapshot, offset: number): { name: string; index: number } | undefined {
  const found = snapshot.at(offset);
  if (found === undefined) return undefined;
  const { query, at } = found;
  const use = query.analysis.bound.references.find(({ start, end }) => start <= at && at <= end);
  if (use?.meaning.kind !== 'let') return undefined;
  const { name } = use.meaning;
  const index = letsIn(snapshot).findLastIndex(
    (placed) => placed.query === query && placed.bound.name === name,
  );
  return index < 0 ? undefined : { name, index };
}

function usesOf({ analysis }: QueryState, name: string, text: string): Edit[] {
  const { references, lets } = analysis.bound;
  if (lets.some((own) => own.name === name)) return [];
  return references.flatMap(({ meaning, definition, start, end }) =>
    meaning.kind === 'let' && meaning.name === name && !definition ? [{ start, end, text }] : [],
  );
}

function changesMeaning(
  { schema, scope }: Snapshot,
  { analysis }: QueryState,
  edits: readonly Edit[],
  { outer }: CellLet,
  newName: string,
): boolean {
  if (scope?.lets.has(newName) || analysis.bound.lets.some(({ name }) => name === newName))
    return true;
  const lets = analysis.bound.outer.map((one) => (one === outer ? { ...one, name: newName } : one));
  const { problems, bound } = analyzeQuery(applyEdits(analysis.tree.text, edits), schema, { lets });
  const errors = (list: typeof problems) => list.filter(({ severity }) => severity === 'error');
  if (errors(problems).length > errors(analysis.problems).length) return true;
  const named = bound.references.filter(
    ({ meaning, name }) => meaning.kind === 'let' && name === newName,
  );
  return named.length !== edits.length;
}
