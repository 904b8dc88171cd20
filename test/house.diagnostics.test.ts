/**
 * The pages of problems against the language: a page for each row and none besides, each with its parts,
 * and examples that report what they are there to show. `UPDATE_GOLDENS=1` writes the table anew.
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

/** What a file of queries reports, each code once. */
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
      assert.deepEqual(headings, ['Bad', 'Good', 'How to mend it', 'When to silence it']);
      assert.ok(text.includes(`\`// aplomb-disable-next-line ${code}\``), 'how it is silenced');
      assert.ok(text.includes('`aplomb.diagnostics.disabled`'), 'the setting');
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
