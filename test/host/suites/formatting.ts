// Format Document, Format Selection and format on type in the real editor: tidy text, one undo, a cursor
// that stays in its word.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openApl, until } from '../editing.ts';

const messy = [
  '// slow ones',
  "['sample-http-logs']|where status==500 and method=='GET' // errors",
  '   |extend a=1,',
  '  b = 2',
  '|summarize  count( ) by   bin(_time,1m)|take  5',
  '',
].join('\n');

const tidy = [
  '// slow ones',
  "['sample-http-logs']",
  "| where status == 500 and method == 'GET' // errors",
  '| extend',
  '    a = 1,',
  '    b = 2',
  '| summarize count() by bin(_time, 1m)',
  '| take 5',
  '',
].join('\n');

/** Runs a command of the editor until it has made the text so; the server may still be starting. */
async function formatsTo(editor: vscode.TextEditor, command: string, wanted: string) {
  await until(`The text after ${command}`, async () => {
    await vscode.commands.executeCommand(command);
    return editor.document.getText() === wanted || undefined;
  });
}

describe('formatting', () => {
  it('a document gives tidy text, keeps the cursor in its word, and one undo restores it', async () => {
    const editor = await openApl(messy.replace('summarize', 'summ$0arize'));
    // VS Code would guess the indentation from the messy text.
    editor.options = { tabSize: 4, insertSpaces: true };
    await formatsTo(editor, 'editor.action.formatDocument', tidy);
    const { document, selection } = editor;
    const before = document.lineAt(selection.active.line).text.slice(0, selection.active.character);
    assert.equal(before, '| summ');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), messy);
  });

  it('a selection leaves the other stages alone', async () => {
    const editor = await openApl('logs\n  |where a==1\n  |where b==2\n  |where c==3\n');
    editor.selection = new vscode.Selection(2, 0, 2, 10);
    await formatsTo(
      editor,
      'editor.action.formatSelection',
      'logs\n  |where a==1\n| where b == 2\n  |where c==3\n',
    );
  });

  it('on type tidies the stage that Enter ends', async () => {
    const editor = await openApl('logs\n|where a==1$0');
    const setting = vscode.workspace.getConfiguration('editor', editor.document);
    await setting.update('formatOnType', true, vscode.ConfigurationTarget.Global);
    try {
      await formatsWhileTyping(editor);
    } finally {
      await setting.update('formatOnType', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

/** Types a line break, which may first bring a pipe, and waits for the line above it. */
async function formatsWhileTyping(editor: vscode.TextEditor): Promise<void> {
  await vscode.commands.executeCommand('type', { text: '\n' });
  await until('The formatted line', () => {
    return editor.document.lineAt(1).text === '| where a == 1' || undefined;
  });
  assert.equal(editor.selection.active.line, 2);
}
