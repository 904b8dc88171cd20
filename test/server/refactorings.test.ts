/** Refactorings as code actions: their kinds, positions among several queries, and edits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeAction } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '../../server/src/features/codeActions.ts';
import { defaultSettings } from '../../server/src/settings.ts';
import { cursor, snapshotOf } from './marked.ts';

function actions(marked: string, only?: string[]): CodeAction[] {
  const { text, offset } = cursor(marked);
  const snapshot = snapshotOf(text);
  const at = snapshot.lines.positionAt(offset);
  const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
  return codeActions(snapshot, { range: { start: at, end: at }, context }, defaultSettings);
}

/** Returns the text after the action whose title starts with `title`. */
function changed(marked: string, title: string): string {
  const { text } = cursor(marked);
  const action = actions(marked).find((one) => one.title.startsWith(title));
  const [edits] = Object.values(action?.edit?.changes ?? {});
  const document = TextDocument.create('file:///query.apl', 'axiom-apl', 1, text);
  return TextDocument.applyEdits(document, edits ?? assert.fail(`no ${title}`));
}

describe('refactorings', () => {
  const two = "print 1\n\n['http-logs']\n| where duration > 5$000\n| count\n";

  it('change only the query at the cursor', () => {
    assert.equal(
      changed(two, 'Extract value'),
      "print 1\n\nlet number = 500;\n['http-logs']\n| where duration > number\n| count\n",
    );
    assert.equal(
      changed(two, 'Extract query'),
      "print 1\n\nlet rows = ['http-logs']\n| where duration > 500;\nrows\n| count\n",
    );
  });

  it("pass the position of an extracted let's name to the rename command", () => {
    const action = actions(two).find(({ title }) => title.startsWith('Extract value'));
    assert.deepEqual(action?.command?.arguments, ['file:///query.apl', { line: 2, character: 4 }]);
  });

  it('replace the use of a let with its value', () => {
    assert.equal(
      changed("let number$0 = 500;\n['http-logs']\n| where duration > number", 'Inline'),
      "['http-logs']\n| where duration > 500",
    );
  });

  it('are limited to the requested kinds', () => {
    assert.deepEqual(
      [...new Set(actions(two, ['refactor.extract']).map(({ kind }) => kind))],
      ['refactor.extract'],
    );
    assert.deepEqual(actions(two, ['refactor.inline']), []);
    const rewrites = actions("['http-logs'] | project st$0atus", ['refactor']);
    assert.ok(rewrites.some(({ kind }) => kind === 'refactor.rewrite'));
    assert.deepEqual(actions(two, ['quickfix']), []);
  });

  it('are not offered between queries', () => {
    assert.deepEqual(actions('print 1\n\n\n$0\n\nprint 2', ['refactor']), []);
  });
});
