// What the editor does by itself while a query is typed: pipes on Enter, brackets and quotes, comments.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { completions, openApl, until } from '../editing.ts';

/** The text after typing at `$0`, with the cursor marked again; `expected` is waited for. */
async function types(marked: string, keys: string, expected: string): Promise<void> {
  const editor = await openApl(marked);
  for (const text of keys) await vscode.commands.executeCommand('type', { text });
  const shown = () => {
    const { document, selection } = editor;
    const text = document.getText();
    const at = document.offsetAt(selection.active);
    return `${text.slice(0, at)}$0${text.slice(at)}`;
  };
  // The pipe that Enter takes away goes a moment later.
  await until(expected, () => (shown() === expected ? true : undefined)).catch(() => {
    assert.equal(shown(), expected);
  });
}

describe('typing a query', () => {
  it('goes on with a pipe after a stage and after the dataset', async () => {
    await types("['http-logs']$0", '\n', "['http-logs']\n| $0");
    await types('logs\n| where a == 1$0', '\n', 'logs\n| where a == 1\n| $0');
    await types('logs\n  | count$0', '\n', 'logs\n  | count\n  | $0');
    await types('logs\n| where a > 1 // big$0', '\n', 'logs\n| where a > 1 // big\n| $0');
  });

  it('goes on without one where the stage is not done', async () => {
    await types('logs\n| where a and$0', '\n', 'logs\n| where a and\n$0');
    await types('logs\n| summarize$0', '\n', 'logs\n| summarize\n$0');
    await types('logs\n| project a,$0', '\n', 'logs\n| project a,\n$0');
    await types('let a = 1;$0', '\n', 'let a = 1;\n$0');
  });

  it('ends the query with a blank line on an empty stage, in one step of undo', async () => {
    await types('logs\n  | count\n  | $0', '\n', 'logs\n  | count\n\n$0');
    await types('logs\n| count\n| $0', '\n', 'logs\n| count\n\n$0');
    await vscode.commands.executeCommand('undo');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'logs\n| count\n| ');
  });

  it('leaves the pipeline on an empty stage before a closing bracket', async () => {
    const before = 'logs\n| join (\n    a\n    | count\n    ';
    await types(`${before}| $0\n) on b`, '\n', `${before}$0\n) on b`);
  });

  it('has one pipe where a stage is pasted after the pipe of Enter', async () => {
    const editor = await openApl('logs$0\n');
    await vscode.commands.executeCommand('type', { text: '\n' });
    await vscode.env.clipboard.writeText('| where a == 1\n| count');
    await vscode.commands.executeCommand('editor.action.clipboardPasteAction');
    const pasted = 'logs\n| where a == 1\n| count\n';
    await until(pasted, () => editor.document.getText() === pasted || undefined);
  });

  it('has one pipe where a second is typed after that of Enter', async () => {
    await types('logs$0', '\n|', 'logs\n|$0');
    await types('logs\n  | count$0', '\n|', 'logs\n  | count\n  |$0');
    await types("logs\n| where a == '$0'", '|', "logs\n| where a == '|$0'");
  });

  it('offers operators after the pipe of Enter once a letter is typed, and not before', async () => {
    const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    const accepted = async () => {
      await vscode.commands.executeCommand('acceptSelectedSuggestion');
      return /\| \w\w/.test(text()) || undefined;
    };
    await types("['http-logs']$0", '\n', "['http-logs']\n| $0");
    // A list that was asked for is answered before completions that are asked for after it.
    const { activeTextEditor } = vscode.window;
    if (activeTextEditor) await completions(activeTextEditor);
    assert.equal(await accepted(), undefined);
    await vscode.commands.executeCommand('type', { text: 'w' });
    await until('An operator', accepted);
    assert.match(text(), /\| where /);
  });

  /** An editor where an operator was chosen from a list that was asked for. */
  async function withOperator(): Promise<vscode.TextEditor> {
    const editor = await openApl("['http-logs']\n| $0");
    await vscode.commands.executeCommand('editor.action.triggerSuggest');
    await until('An operator', async () => {
      await vscode.commands.executeCommand('acceptSelectedSuggestion');
      return /\| \S/.test(editor.document.getText()) || undefined;
    });
    return editor;
  }

  it('opens no list after a blank that was typed twice where the editor keeps lists closed', async () => {
    const settings = vscode.workspace.getConfiguration('editor');
    for (const [name, value] of [
      ['suggestOnTriggerCharacters', false],
      ['quickSuggestions', { other: 'off' }],
    ] as const) {
      await settings.update(name, value, vscode.ConfigurationTarget.Global);
      try {
        const editor = await withOperator();
        const accepted = editor.document.getText();
        await vscode.commands.executeCommand('hideSuggestWidget');
        await vscode.commands.executeCommand('type', { text: ' ' });
        await until(accepted, () => editor.document.getText() === accepted || undefined);
        // A list that was asked for is answered before completions that are asked for after it.
        await completions(editor);
        await vscode.commands.executeCommand('acceptSelectedSuggestion');
        assert.equal(editor.document.getText(), accepted, name);
      } finally {
        await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
      }
    }
  });

  it('has one blank where a second is typed after that of a completion', async () => {
    const editor = await withOperator();
    const text = () => editor.document.getText();
    const accepted = text();
    assert.match(accepted, /\| \S+ $/);
    await vscode.commands.executeCommand('type', { text: ' ' });
    await vscode.commands.executeCommand('type', { text: 'x' });
    await until(`${accepted}x`, () => (text() === `${accepted}x` ? true : undefined)).catch(() => {
      assert.equal(text(), `${accepted}x`);
    });
    await vscode.commands.executeCommand('type', { text: ' ' });
    await vscode.commands.executeCommand('type', { text: ' ' });
    assert.equal(text(), `${accepted}x  `);
  });

  it('offers no words of the text where it has nothing to offer', () => {
    const scope = { languageId: 'axiom-apl' };
    const words = vscode.workspace.getConfiguration('editor', scope).get('wordBasedSuggestions');
    assert.equal(words, 'off');
  });

  it('makes room for a stage before one that is there', async () => {
    await types('logs$0\n| count', '\n', 'logs\n| $0\n| count');
  });

  it('continues a comment that is split', async () => {
    await types('// one $0two', '\n', '// one \n// $0two');
  });

  it('closes brackets and quotes, but not inside of a text or a comment', async () => {
    await types('logs | where x in $0', "('", "logs | where x in ('$0')");
    await types('$0', "['", "['$0']");
    await types("print 'a$0'", '(', "print 'a($0'");
    await types('// a$0', "('", "// a('$0");
  });

  it('indents inside of brackets and comes back', async () => {
    await types('logs\n| join ($0)', '\n', 'logs\n| join (\n    $0\n)');
  });

  it('selects a name with its dash as one word', async () => {
    const { document } = await openApl('logs | project-away größe');
    const word = (at: number) =>
      document.getText(document.getWordRangeAtPosition(new vscode.Position(0, at)));
    assert.equal(word(9), 'project-away');
    assert.equal(word(22), 'größe');
  });
});
