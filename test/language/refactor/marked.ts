/**
 * Marked queries for refactorings: `$0` marks the cursor, or `^^^` under a line marks the selection.
 */
import assert from 'node:assert/strict';
import { analyzeQuery } from '../../../language/src/analysis.ts';
import { applyEdits } from '../../../language/src/edits.ts';
import { type Refactoring, refactoringsAt } from '../../../language/src/refactor/index.ts';
import { readMarks, schema } from '../binding/marked.ts';

export interface Offered {
  readonly text: string;
  readonly refactorings: readonly Refactoring[];
}

/** Returns the refactorings offered at the mark, with the schema of the binding tests. */
export function offered(marked: string): Offered {
  const trimmed = marked.replace(/^\n/, '');
  const cursor = trimmed.indexOf('$0');
  if (cursor >= 0) {
    const text = trimmed.replace('$0', '');
    const span = { start: cursor, end: cursor };
    return { text, refactorings: refactoringsAt(analyzeQuery(text, schema), span) };
  }
  // readMarks expects a word after each mark; the word is ignored here.
  const { text, marks } = readMarks(trimmed.replace(/^(\s*\^+)$/gm, '$1 selected'));
  const [span] = marks;
  assert.ok(span !== undefined, 'the text has no mark');
  return { text, refactorings: refactoringsAt(analyzeQuery(text, schema), span) };
}

/** Applies the one refactoring whose title contains `title` and returns the text. */
export function refactored(marked: string, title: string): string {
  const { text, refactorings } = offered(marked);
  const found = refactorings.filter((one) => one.title.includes(title));
  assert.equal(found.length, 1, `${title} among ${JSON.stringify(titles(marked))}`);
  return applyEdits(text, (found[0] as Refactoring).edits);
}

export function titles(marked: string): string[] {
  return offered(marked).refactorings.map(({ title }) => title);
}

/** Asserts that no refactoring with these words in its title is offered. */
export function refused(marked: string, title: string): void {
  assert.deepEqual(
    titles(marked).filter((one) => one.includes(title)),
    [],
    marked,
  );
}
