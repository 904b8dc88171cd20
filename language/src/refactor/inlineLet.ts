/**
 * Replaces every use of a `let` statement with its value, and removes the statement. Refuses a scalar value if it may
 * differ between uses, such as `rand()`, or if a name in it is also the name of a column at one of the uses.
 */
import { remove } from '../edits.ts';
import type { LetStatement } from '../syntax/tree.ts';
import { pathAt } from '../syntax/visit.ts';
import { isFree } from './extractValue.ts';
import { inlinedTable } from './inlineTable.ts';
import { inlinedValue } from './inlineValue.ts';
import type { Place, Refactoring } from './refactoring.ts';

export function inlineLet(place: Place): readonly Refactoring[] {
  const statement = letAt(place);
  if (statement === undefined || statement.name.kind === 'Missing') return [];
  const { name } = statement.name;
  const { analysis } = place;
  const named = analysis.bound.references.filter(
    ({ meaning }) => meaning.kind === 'let' && meaning.name === name,
  );
  const uses = named.filter(({ definition }) => !definition);
  if (uses.length === 0) return [];
  const table = named.some(({ meaning }) => meaning.kind === 'let' && meaning.type === 'table');
  if (!table && !isFree(place, statement.value)) return [];
  const edits = [];
  for (const use of uses) {
    const path = pathAt(analysis.tree, use.start);
    const edit = (table ? inlinedTable : inlinedValue)(place, statement, path);
    if (edit === undefined) return [];
    edits.push(edit);
  }
  const places = uses.length === 1 ? '' : ` (${uses.length} uses)`;
  // Remove only the statement and the whitespace after it, to keep the comments before and after the statement.
  const gap = /^\s*/.exec(place.text.slice(statement.end))?.[0].length ?? 0;
  const removal = remove(statement.start, statement.end + gap);
  return [{ kind: 'inline', title: `Inline let ${name}${places}`, edits: [removal, ...edits] }];
}

/**
 * Returns the `let` statement declared or used at the cursor. Returns undefined if another statement has the same name.
 */
function letAt({ analysis, span }: Place): LetStatement | undefined {
  const reference = analysis.bound.references.find(({ start, end, meaning }) => {
    return meaning.kind === 'let' && start <= span.start && span.end <= end;
  });
  if (reference === undefined) return undefined;
  const named = analysis.tree.statements.filter((node): node is LetStatement => {
    return (
      node.kind === 'LetStatement' && node.name.kind === 'Name' && node.name.name === reference.name
    );
  });
  return named.length === 1 ? named[0] : undefined;
}
