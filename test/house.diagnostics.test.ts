/**
 * Compares the pages of diagnostics with the language: there is exactly one page for each row, each page is
 * complete, and its examples report its code. `UPDATE_GOLDENS=1` rewrites the index.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { analyze } from '../language/src/index.ts';
import { type ProblemCode, problemRows } from '../language/src/problems.ts';
import {
  diagnosticsTable,
  pageCodes,
  readPage,
  schema,
  shownMessage,
} from './house/problemPages.ts';
import { read, root } from './house/sources.ts';

const codes = Object.keys(problemRows) as ProblemCode[];

/** Words that the pages and messages once used in place of standard terms. */
const jargon =
  /\b(?:anew|behind|mend\w*|silence\w*|stands?|texts|told|tells|unheard|(?<!there )(?:is|are) no|of its own|save those)\b/i;

/** The codes that a file of queries reports, without duplicates. */
function reported(text: string): string[] {
  return [...new Set(analyze(text, schema).problems.map(({ code }) => code))].sort();
}

describe('the pages of problems', () => {
  it('are one for each row and no other', () => {
    assert.deepEqual(pageCodes().sort(), [...codes].sort());
  });

  for (const code of codes) {
    it(`explain ${code}`, () => {
      const { text, headings, bad, good } = readPage(code);
      const title = `# ${code}\n\n**${problemRows[code].severity}** · ${shownMessage(code)}\n\n`;
      assert.equal(text.slice(0, title.length), title);
      assert.deepEqual(headings, ['Bad', 'Good', 'How to fix it', 'When to suppress it']);
      const suppressing = `To suppress it, add \`// aplomb-disable-next-line ${code}\` on the line above, or add \`${code}\` to the setting \`aplomb.diagnostics.disabled\`.\n`;
      assert.ok(text.endsWith(`\n\n${suppressing}`), 'how to suppress it');
      assert.doesNotMatch(text.replace(/```[\s\S]*?```|`[^`]*`|^# .*/gm, ''), jargon);
      assert.deepEqual(reported(bad), [code], bad);
      assert.deepEqual(reported(good), [], good);
    });
  }
});

describe('the table of problems', () => {
  it('has every problem with its severity, message and examples', () => {
    const path = 'docs/diagnostics.md';
    const expected = diagnosticsTable();
    if (process.env.UPDATE_GOLDENS) writeFileSync(join(root, path), expected);
    assert.equal(read(path), expected);
  });
});
