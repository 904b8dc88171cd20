// What helps while writing, in the editor itself: completion that quotes, values from the deployment and from a
// result, signature help, hover and inlay hints.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { completions, openApl, runQuery, until, workspaceFile } from '../editing.ts';

describe('assistance', () => {
  before(async () => {
    const events = [
      { status: 200, customer: 'mara', geo: { city: 'Lisbon' } },
      { status: 402, customer: "d'arcy", geo: { city: 'Kraków' } },
    ];
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const file = await workspaceFile('web-orders.ndjson', lines);
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'web-orders');
  });

  /** Types a text at the cursor as a person does, and accepts what is selected in the list. */
  async function accept(editor: vscode.TextEditor, label: string): Promise<string> {
    await until(label, async () => (await completions(editor)).get(label));
    await vscode.commands.executeCommand('editor.action.triggerSuggest');
    const before = editor.document.getText();
    return until(`${label} in the text`, async () => {
      await vscode.commands.executeCommand('acceptSelectedSuggestion');
      const text = editor.document.getText();
      return text === before ? undefined : text;
    });
  }

  it('inserts a dataset in its quotes, and a column with a dot in those it needs', async () => {
    assert.equal(await accept(await openApl('web-or$0\n'), 'web-orders'), "['web-orders']\n");
    const editor = await openApl("['web-orders']\n| where geo.ci$0\n");
    assert.equal(await accept(editor, 'city'), "['web-orders']\n| where ['geo.city']\n");
    const quoted = await openApl("['web-orders']\n| where ['ci$0']\n");
    assert.equal(await accept(quoted, 'geo.city'), "['web-orders']\n| where ['geo.city']\n");
  });

  /** What is offered at the end of a query once a value is there. */
  async function offeredWith(editor: vscode.TextEditor, label: string) {
    return until(label, async () => {
      const found = await completions(editor);
      return found.has(label) ? found : undefined;
    });
  }

  it('offers the values that the deployment has before any result, and writes them with their quotes', async () => {
    const query = "['web-orders']\n| where customer == ";
    const editor = await openApl(`${query}$0\n`);
    const offered = await offeredWith(editor, "'mara'");
    assert.ok(offered.has("'d\\'arcy'"));
    const inside = await openApl(`${query}'ma$0'\n`);
    assert.equal(await accept(inside, 'mara'), `${query}'mara'\n`);
  });

  it('offers only the values that a result has shown if the deployment is not to be asked', async () => {
    const query = "['web-orders']\n| where ['geo.city'] == ";
    const settings = vscode.workspace.getConfiguration('aplomb');
    const name = 'completion.valuesFromDeployment';
    await settings.update(name, false, vscode.ConfigurationTarget.Global);
    try {
      const before = await completions(await openApl(`${query}$0\n`));
      assert.ok(!before.has("'Lisbon'"));
      await runQuery("$0['web-orders']\n| take 10\n");
      await offeredWith(await openApl(`${query}$0\n`), "'Lisbon'");
    } finally {
      await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('shows the signature with the parameter at the cursor', async () => {
    const editor = await openApl("['web-orders']\n| extend x = iff(status == 200, $0\n");
    const help = await until('The signature', () =>
      vscode.commands.executeCommand<vscode.SignatureHelp | undefined>(
        'vscode.executeSignatureHelpProvider',
        editor.document.uri,
        editor.selection.active,
        ',',
      ),
    );
    const signature = help.signatures[help.activeSignature];
    assert.match(signature?.label ?? '', /^iff\(condition: bool, then: any, /);
    assert.equal(signature?.activeParameter ?? help.activeParameter, 1);
  });

  it('shows in a hover what flows into a stage and out of it', async () => {
    const editor = await openApl("['web-orders']\n| summ$0arize hits = count() by customer\n");
    const shown = await until('The hover', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        editor.document.uri,
        editor.selection.active,
      );
      const text = hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (typeof content === 'string' ? content : content.value))
        .join('\n');
      return text.includes('`status` long') ? text : undefined;
    });
    assert.match(shown, /Out: 2 columns: `customer` string, `hits` long/);
  });

  it('shows types and columns in the text once the settings say so', async () => {
    const { document } = await openApl("['web-orders']\n| extend code = strlen(customer)\n");
    const labels = async () => {
      const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        document.uri,
        new vscode.Range(0, 0, 3, 0),
      );
      return hints.map(({ label }) =>
        typeof label === 'string' ? label : label.map(({ value }) => value).join(''),
      );
    };
    assert.deepEqual(await labels(), []);
    const settings = vscode.workspace.getConfiguration('aplomb.inlayHints');
    const set = async (value: boolean | undefined) => {
      await settings.update('columnTypes', value, vscode.ConfigurationTarget.Global);
      await settings.update('resultColumns', value, vscode.ConfigurationTarget.Global);
    };
    try {
      await set(true);
      const shown = await until('The hints', async () => {
        const found = await labels();
        return found.some((label) => label.startsWith('→ ') && label.includes('customer'))
          ? found
          : undefined;
      });
      assert.ok(shown.includes(': long'));
    } finally {
      await set(undefined);
    }
  });

  it('names the type of a field as queries do', async () => {
    const editor = await openApl("['web-orders']\n| where $0\n");
    const items = await until('The fields', async () => {
      const found = await completions(editor);
      return found.has('status') ? found : undefined;
    });
    const { label } = items.get('status') ?? {};
    assert.equal(typeof label === 'object' ? label.description : label, 'long');
  });
});
