/**
 * Formatting over LSP: edits by line and column, with the options of the editor and the settings.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormattingOptions, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  documentEdits,
  formatOptions,
  rangeEdits,
  typedEdits,
} from '../../server/src/features/formatting.ts';
import { defaultSettings, settingKeys, settingsFrom } from '../../server/src/settings.ts';
import { cursor, snapshotOf } from './marked.ts';

const editor: FormattingOptions = { tabSize: 4, insertSpaces: true };
const options = formatOptions(editor, defaultSettings);

function applied(text: string, edits: TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('file:///a.apl', 'axiom-apl', 1, text), edits);
}

describe('formatting a document', () => {
  const messy = "['http-logs']|where status==500\r\n   |count\r\n";

  it("preserves the document's line endings", () => {
    assert.equal(
      applied(messy, documentEdits(snapshotOf(messy), options)),
      "['http-logs']\r\n| where status == 500\r\n| count\r\n",
    );
  });

  it('makes minimal edits, so that the cursor stays in its word', () => {
    const text = "['http-logs']\n|where status == 500\n";
    assert.deepEqual(documentEdits(snapshotOf(text), options), [
      {
        range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } },
        newText: ' ',
      },
    ]);
  });

  it('indents as the editor does, and adds a final line break only if requested', () => {
    const text = "['http-logs'] | project\n status, method";
    const tabs = formatOptions({ tabSize: 8, insertSpaces: false }, defaultSettings);
    assert.equal(
      applied(text, documentEdits(snapshotOf(text), tabs)),
      "['http-logs']\n| project\n\tstatus,\n\tmethod",
    );
    const ended = formatOptions({ ...editor, insertFinalNewline: true }, defaultSettings);
    assert.ok(applied(text, documentEdits(snapshotOf(text), ended)).endsWith('method\n'));
  });

  it('respects the width setting and falls back to 100 for invalid values', () => {
    const values = (width: unknown) =>
      settingsFrom(settingKeys.map((key) => (key === 'formatWidth' ? width : undefined)));
    assert.equal(values(60).formatWidth, 60);
    for (const wrong of ['60', 3, -1, 60.5, 1e9, null])
      assert.equal(values(wrong).formatWidth, 100);
    const text = "['http-logs']\n| project status, method, duration, code\n";
    const narrow = formatOptions(editor, values(30));
    assert.match(applied(text, documentEdits(snapshotOf(text), narrow)), /project\n {4}status,\n/);
    assert.deepEqual(documentEdits(snapshotOf(text), options), []);
  });
});

describe('formatting a selection', () => {
  it('formats only the stages on the selected lines', () => {
    const text = 'print 1\n\nlogs\n|where a==1\n|where b==2\n|where c==3\n';
    const range = { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } };
    assert.equal(
      applied(text, rangeEdits(snapshotOf(text), range, options)),
      'print 1\n\nlogs\n|where a==1\n| where b == 2\n|where c==3\n',
    );
  });
});

describe('formatting while typing', () => {
  const at = (marked: string) => {
    const { text, offset } = cursor(marked);
    const snapshot = snapshotOf(text);
    return applied(text, typedEdits(snapshot, snapshot.lines.positionAt(offset), options));
  };

  it('formats the line that Enter ends', () => {
    assert.equal(at('print 1\n\nlogs\n|where a==1\n$0\n'), 'print 1\n\nlogs\n| where a == 1\n\n');
  });

  it('aligns a pipe typed at the start of a line', () => {
    assert.equal(at('logs\n| where a\n      |$0'), 'logs\n| where a\n|');
  });
});
