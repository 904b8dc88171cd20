/** How lines of Markdown notes are recognized, and how long that takes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  alignmentsIn,
  endsInBreak,
  headingIn,
  isTableRule,
  taskIn,
} from '../../../client/src/boards/view/markdownLines.ts';

describe('a line of a note', () => {
  it('is a heading only if it starts with one to six # and a space', () => {
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['# Errors', '1 Errors'],
      ['   ###  Errors per host ## ', '3 Errors per host'],
      ['# C#', '1 C'],
      ['## ', '2 '],
      ['####### seven', undefined],
      ['#tag', undefined],
      ['    # code', undefined],
      ['#', undefined],
    ];
    for (const [line, expected] of rows) {
      const found = headingIn(line);
      assert.equal(found && `${found.level} ${found.title}`, expected, line);
    }
  });

  it('is a task only if text follows [ ] or [x] and a space', () => {
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['[ ] page the owner', 'open page the owner'],
      ['[x] roll back', 'done roll back'],
      ['[X]  check', 'done check'],
      ['[ ]', undefined],
      ['[y] other', undefined],
      ['[x]without a space', undefined],
      ['[link](https://example.com)', undefined],
    ];
    for (const [item, expected] of rows) {
      const found = taskIn(item);
      assert.equal(found && `${found.isDone ? 'done' : 'open'} ${found.text}`, expected, item);
    }
  });

  it('defines the alignment of table columns with colons', () => {
    assert.deepEqual(alignmentsIn('| --- | :-- | :-: | --: |'), [
      undefined,
      'start',
      'center',
      'end',
    ]);
  });

  it('is the delimiter row of a table only if it consists of dashes, colons and pipes', () => {
    const rules = ['---', '| --- |', '|:-:|--:', ' a | -', '- x', '|', '', '    ---', '--|', '||'];
    assert.deepEqual(rules.filter(isTableRule), ['---', '| --- |', '|:-:|--:', '--|']);
  });

  it('is parsed within 200 ms, even with 50,000 spaces, # or dashes', () => {
    const spaces = ' '.repeat(50_000);
    const started = performance.now();
    headingIn(`# a${spaces}b`);
    headingIn(`# ${spaces}a\u2028b`);
    headingIn(`# ${'#'.repeat(50_000)} a`);
    isTableRule(`-${spaces}x`);
    isTableRule(`- |${'-'.repeat(50_000)}x`);
    assert.equal(endsInBreak(`a${spaces}b`), false);
    assert.ok(performance.now() - started < 200);
  });
});
