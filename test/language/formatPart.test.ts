/** Formatting of a selection, between `«` and `»`, and on typing, before the cursor `$0`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRange, formatTyped } from '../../language/src/editing.ts';
import { applyEdits } from '../../language/src/index.ts';

/** Returns the text after its selection is formatted. */
function selected(marked: string): string {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const text = marked.replace(/[«»]/g, '');
  return applyEdits(text, formatRange(text, { start, end }));
}

/** Returns the text after formatting on typing, with the cursor in it. */
function typed(marked: string): string {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const edits = formatTyped(text, offset);
  assert.ok(edits.every(({ end }) => end <= offset));
  const moved = edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  const formatted = applyEdits(text, edits);
  return `${formatted.slice(0, offset + moved)}$0${formatted.slice(offset + moved)}`;
}

describe('formatting a selection', () => {
  it('changes whole stages and nothing else', () => {
    assert.equal(
      selected('logs\n  |where a==1\n  |w«here b»==2\n  |where c==3'),
      'logs\n  |where a==1\n| where b == 2\n  |where c==3',
    );
    assert.equal(selected('«logs|where   a»==1|take  5'), 'logs\n| where a == 1|take  5');
  });

  it('changes the stage at the cursor if the selection is empty', () => {
    assert.equal(selected('logs\n|where a==1\n|whe«»re b==2'), 'logs\n|where a==1\n| where b == 2');
  });

  it("doesn't change a line if the selection ends at the start of that line", () => {
    assert.equal(selected('logs\n«|where a==1\n»|take  5'), 'logs\n| where a == 1\n|take  5');
  });

  it('formats the selected statement, or the selected comments below a query', () => {
    assert.equal(selected('«let a=1;»\nlet b=2;\na'), 'let a = 1;\nlet b=2;\na');
    assert.equal(selected('logs\n|co«unt   // b\n   // c»'), 'logs\n| count // b\n// c');
  });

  it('changes only the queries that the selection touches', () => {
    assert.equal(
      selected('a|take  1\n\nb|tak«e  2\n\nc|tak»e  3\n\nd|take  4'),
      'a|take  1\n\nb | take 2\n\nc | take 3\n\nd|take  4',
    );
    assert.equal(selected('a|take  1\n\n«»\n\nb|take  2'), 'a|take  1\n\n\n\nb|take  2');
  });

  it("doesn't change broken stages", () => {
    assert.equal(selected('«logs\n|where   a==\n|take  5»'), 'logs\n|where   a==\n| take 5');
  });
});

describe('typing a line break', () => {
  it('formats the preceding stage', () => {
    assert.equal(typed("['logs']\n|where a==1\n$0"), "['logs']\n| where a == 1\n$0");
    assert.equal(typed('let  x=1;\n$0\nlogs'), 'let x = 1;\n$0\nlogs');
    assert.equal(typed('logs   |   count\n$0'), 'logs | count\n$0');
  });

  it('formats the previous stage if a pipe starts the new line', () => {
    assert.equal(typed('logs\n|where a==1\n| $0'), 'logs\n| where a == 1\n| $0');
  });

  it('changes nothing in the middle of a stage', () => {
    for (const text of [
      'logs\n|where a==1\n$0 and  b',
      'logs\n|where f(a,\n$0b)',
      'logs\n|where a==\n$0',
    ])
      assert.equal(typed(text), text);
  });

  it('keeps the line breaks of the formatted stage', () => {
    assert.equal(typed('logs|where a==1|take 5\n$0'), 'logs|where a==1| take 5\n$0');
    assert.equal(typed('logs\n| project a,\n  b\n$0'), 'logs\n| project a,\n    b\n$0');
  });

  it('formats stages of subqueries', () => {
    assert.equal(
      typed('logs\n| join (\nb\n|where x==1\n$0) on id'),
      'logs\n| join (\nb\n    | where x == 1\n$0) on id',
    );
  });
});

describe('typing a pipe', () => {
  it('aligns the pipe with its pipeline and formats the preceding stage', () => {
    assert.equal(typed('logs\n  |where a==1\n    |$0'), 'logs\n| where a == 1\n|$0');
    assert.equal(
      typed('logs\n| join (\n    b\n|$0\n) on id'),
      'logs\n| join (\n    b\n    |$0\n) on id',
    );
  });

  it('keeps the pipe on its line if a stage precedes the pipe there', () => {
    assert.equal(typed('logs |where a==1|$0'), 'logs | where a == 1|$0');
  });

  it('leaves the text after the pipe unchanged', () => {
    assert.equal(
      typed('logs\n|where a==1\n |$0 take  5\n|project   b'),
      'logs\n| where a == 1\n|$0 take  5\n|project   b',
    );
  });

  it('changes nothing in a string or a comment', () => {
    for (const text of [
      "logs\n|where x=='|$0'",
      'logs\n|where x==1 // a |$0',
      '// |$0\nlogs|  count',
      '|$0',
    ])
      assert.equal(typed(text), text);
  });
});

describe('formatting while typing', () => {
  it('changes nothing if no query precedes the cursor', () => {
    for (const text of ['$0', '\n$0\n', '$0logs|count']) assert.equal(typed(text), text);
  });
});
