/** Lines of the Markdown of notes: what they are, and that none takes long. */
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
  it('is recognized as a heading or not', () => {
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

  it('is recognized as an open task, a completed task or no task', () => {
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

  it('aligns the columns of a table', () => {
    assert.deepEqual(alignmentsIn('| --- | :-- | :-: | --: |'), [
      undefined,
      'start',
      'center',
      'end',
    ]);
  });

  it('is recognized as the delimiter row of a table or not', () => {
    const rules = ['---', '| --- |', '|:-:|--:', ' a | -', '- x', '|', '', '    ---', '--|', '||'];
    assert.deepEqual(rules.filter(isTableRule), ['---', '| --- |', '|:-:|--:', '--|']);
  });

  it('is parsed quickly, however many spaces it has', () => {
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
