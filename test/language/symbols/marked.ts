/**
 * Marked queries for navigation: `$0` is the cursor. Under a line, `^^^` marks where a name is read and `~~~` where
 * it is defined. Columns count the line as shown, including the cursor mark.
 */
import assert from 'node:assert/strict';
import { analyzeQuery, type QueryAnalysis } from '../../../language/src/analysis.ts';
import { applyEdits } from '../../../language/src/edits.ts';
import type { Schema } from '../../../language/src/schema.ts';
import { definitionsAt, occurrencesAt } from '../../../language/src/symbols/occurrences.ts';
import { renameEdits } from '../../../language/src/symbols/rename.ts';
import { schema } from '../binding/marked.ts';

interface Place {
  readonly start: number;
  readonly end: number;
  readonly write: boolean;
}

export interface Marked {
  readonly text: string;
  readonly offset: number;
  readonly places: readonly Place[];
}

const cursorMark = '$0';

export function readMarked(marked: string): Marked {
  const lines = marked
    .replace(/^\n/, '')
    .replace(/\n\s*$/, '')
    .split('\n');
  const text: string[] = [];
  const places: Place[] = [];
  let lineStart = 0;
  let next = 0;
  let cursorIn = -1;
  let offset = 0;
  for (const line of lines) {
    if (/^[\s^~]*[\^~][\s^~]*$/.test(line)) {
      for (const match of line.matchAll(/\^+|~+/g)) {
        const at = (column: number) => {
          const hidden =
            cursorIn < 0 ? 0 : Math.min(cursorMark.length, Math.max(0, column - cursorIn));
          return lineStart + column - hidden;
        };
        const end = at(match.index + match[0].length);
        places.push({ start: at(match.index), end, write: match[0].startsWith('~') });
      }
      continue;
    }
    const plain = line.replace(cursorMark, '');
    cursorIn = line.indexOf(cursorMark);
    if (cursorIn >= 0) offset = next + cursorIn;
    lineStart = next;
    next += plain.length + 1;
    text.push(plain);
  }
  return { text: text.join('\n'), offset, places };
}

function analyzed(marked: string, known: Schema | undefined): Marked & { analysis: QueryAnalysis } {
  const read = readMarked(marked);
  return { ...read, analysis: analyzeQuery(read.text, known) };
}

function shown(text: string, places: readonly Place[]): string[] {
  return [...places]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(
      ({ start, end, write }) => `${write ? 'made' : 'read'} ${start}: ${text.slice(start, end)}`,
    );
}

/** Asserts that the occurrences of the name at the cursor are exactly the marked ranges. */
export function checkOccurrences(marked: string, known: Schema | undefined = schema): void {
  const { text, offset, places, analysis } = analyzed(marked, known);
  assert.deepEqual(shown(text, occurrencesAt(analysis.bound, offset)), shown(text, places), text);
}

/** Asserts that the name at the cursor is defined at the `~~~` marks, or nowhere. */
export function checkDefinition(marked: string, known: Schema | undefined = schema): void {
  const { text, offset, places, analysis } = analyzed(marked, known);
  const found = definitionsAt(analysis.bound, offset).map((span) => ({ ...span, write: true }));
  assert.deepEqual(shown(text, found), shown(text, places), text);
}

/** Returns the query after a rename at the cursor, or `refused: ` and the reason. */
export function renamed(marked: string, name: string, known: Schema | undefined = schema): string {
  const { text, offset, analysis } = analyzed(marked, known);
  const edits = renameEdits(analysis, offset, name, known);
  return 'refusal' in edits ? `refused: ${edits.refusal}` : applyEdits(text, edits);
}
