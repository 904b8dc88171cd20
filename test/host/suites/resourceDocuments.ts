// Resources as documents: opened, edited, saved, and what happens when somebody else changed them, when the service
// refuses, when another deployment is selected, and when one was deleted by mistake.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { treeRow } from '../../../scripts/host/driver.ts';
import { answering } from '../dialogs.ts';
import { completions, context, openApl, problem, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { takePictures } from '../pictures.ts';
import { withWindow } from '../window.ts';

interface Listed {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

type Stored = Record<string, unknown>;

const monitor = {
  name: 'Too many errors',
  type: 'Threshold',
  aplQuery: "['orders']\n| where status >= 500\n| count",
  operator: 'Above',
  threshold: 10,
  intervalMinutes: 5,
  rangeMinutes: 5,
  unknownToClients: { a: [1, { b: null }] },
};

async function stored(path: string): Promise<Stored> {
  return (await askLocal('GET', path)) as Stored;
}

async function make(path: string, body: object): Promise<Stored> {
  return (await askLocal('POST', path, body)) as Stored;
}

async function openAs(command: string, item: Listed): Promise<vscode.TextDocument> {
  const uri = await vscode.commands.executeCommand<vscode.Uri | undefined>(command, item);
  assert.ok(uri, 'The document opens.');
  return until(`The document of ${item.name}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.toString() === uri.toString() ? document : undefined;
  });
}

const openJson = (item: Listed) => openAs('aplomb.openResource', item);

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Changes the JSON of a document. */
async function change(document: vscode.TextDocument, to: (value: Stored) => void): Promise<void> {
  const value = JSON.parse(document.getText()) as Stored;
  to(value);
  await replace(document, `${JSON.stringify(value, null, 2)}\n`);
}

/** Waits for a message. They are listed first: a window under test shows none by itself. */
async function message(text: RegExp): Promise<string> {
  return until(`A message that matches ${text}`, async () => {
    await vscode.commands.executeCommand('notifications.showList');
    return withWindow(async (page) => {
      const items = page.locator('.notifications-center .notification-list-item');
      const texts = await items.allTextContents();
      return texts.find((one) => text.test(one));
    });
  });
}

/** Waits longer than the delay of auto save, and fails if a save has. */
async function showsNoError(): Promise<void> {
  await new Promise((done) => setTimeout(done, 1_000));
  await vscode.commands.executeCommand('notifications.showList');
  const texts = await withWindow((page) =>
    page.locator('.notifications-center .notification-list-item').allTextContents(),
  );
  await vscode.commands.executeCommand('notifications.hideList');
  assert.deepEqual(
    texts.filter((text) => /Auto save|Failed to save/.test(text)),
    [],
  );
}

/** Presses a button of a message, once it is there. */
async function press(text: RegExp, button: string): Promise<void> {
  await message(text);
  await withWindow((page) =>
    page
      .locator('.notifications-center .notification-list-item', { hasText: text })
      .first()
      .getByRole('button', { name: button, exact: true })
      .click(),
  );
  await vscode.commands.executeCommand('notifications.hideList');
}

/** Saves a document. A failure says what the window shows. */
async function save(document: vscode.TextDocument): Promise<void> {
  if (await document.save()) return;
  assert.fail(await message(/Failed to save/));
}

const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');

async function revertAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'aplomb') continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('notifications.clearAll');
  await closeAll();
}

/** Undefined gives the default of VS Code. */
async function setAutoSave(autoSave?: string, autoSaveDelay?: number): Promise<void> {
  const settings = vscode.workspace.getConfiguration('files');
  await settings.update('autoSave', autoSave, vscode.ConfigurationTarget.Global);
  await settings.update('autoSaveDelay', autoSaveDelay, vscode.ConfigurationTarget.Global);
}

describe('documents of resources', () => {
  let item: Listed;
  const path = () => `/v2/monitors/${item.id}`;

  before(async () => {
    // VS Code in a browser saves after a second by itself, and a save that is asked for then joins that one.
    await setAutoSave('off');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await until('The local deployment', async () => {
      await vscode.commands.executeCommand('aplomb.refreshMonitors');
      return context().deployments.local.state === 'running' || undefined;
    });
    await askLocal('POST', '/v2/datasets', { name: 'orders' }).catch(() => undefined);
    await askLocal('POST', '/v1/ingest/orders', [{ status: 500, region: 'eu', total: 1.5 }]);
    context().schema.invalidate();
  });

  after(() => setAutoSave());

  beforeEach(async () => {
    const { id, name } = await make('/v2/monitors', monitor);
    item = { kind: 'monitors', id: String(id), name: String(name) };
  });

  afterEach(async () => {
    await revertAll();
    await askLocal('DELETE', path()).catch(() => undefined);
  });

  it('a monitor is changed by a save, with all members that nobody knows', async () => {
    const document = await openJson(item);
    assert.ok(!/createdAt|"id"/.test(document.getText()), 'Members of the service are left out.');
    await change(document, (value) => {
      value.threshold = 99;
    });
    assert.ok(document.isDirty);
    await save(document);
    const now = await stored(path());
    assert.equal(now.threshold, 99);
    assert.deepEqual(now.unknownToClients, monitor.unknownToClients);
    await until('The saved document', () => (document.isDirty ? undefined : true));
  });

  it('integers of 64 bits come back with their digits', async () => {
    const text = (await openJson(item)).getText();
    const document = await openJson(item);
    await replace(document, text.replace('"a": [', '"big": 9007199254740993,\n    "a": ['));
    assert.ok(await document.save());
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('The digits', () => document.getText().includes('9007199254740993') || undefined);
  });

  it('a query is saved back into its resource', async () => {
    const document = await openAs('aplomb.openResourceQuery', item);
    assert.equal(document.languageId, 'axiom-apl');
    assert.equal(document.getText(), monitor.aplQuery);
    await replace(document, "['orders']\n| summarize count()\n");
    assert.ok(await document.save());
    const now = await stored(path());
    assert.equal(now.aplQuery, "['orders']\n| summarize count()\n");
    assert.equal(now.threshold, 10);
  });

  it('the query of one chart of a dashboard is saved back into it', async () => {
    const charts = ['one', 'two'].map((id) => ({
      id,
      type: 'TimeSeries',
      name: `Chart ${id}`,
      query: { apl: "['orders'] | count" },
    }));
    const dashboard = { name: 'Board', charts, layout: [], big: 1 };
    await make('/v2/dashboards', { uid: 'edited-board', dashboard });
    const board = { kind: 'dashboards', id: 'edited-board', name: 'Board' };
    const json = await openJson(board);
    const lenses = await until('The lenses', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        json.uri,
        10,
      );
      const open = found.filter(({ command }) => command?.title === 'Open Query');
      return open.length === 2 ? open : undefined;
    });
    const { command, arguments: given = [] } = lenses[1]?.command ?? { command: '' };
    const uri = await vscode.commands.executeCommand<vscode.Uri>(command, ...given);
    assert.match(uri.path, /Board · Chart two\.apl$/);
    const apl = await vscode.workspace.openTextDocument(uri);
    await replace(apl, "['orders'] | take 5");
    assert.ok(await apl.save());
    const now = (await stored('/v2/dashboards/uid/edited-board')) as {
      dashboard: typeof dashboard;
    };
    assert.deepEqual(
      now.dashboard.charts.map(({ query }) => query.apl),
      ["['orders'] | count", "['orders'] | take 5"],
    );
    await until('The JSON with the new query', () =>
      json.getText().includes('take 5') ? true : undefined,
    );
    await askLocal('DELETE', '/v2/dashboards/uid/edited-board');
  });

  it('an unchanged document sends nothing', async () => {
    const document = await openJson(item);
    const before = (await stored(path())).updatedAt;
    await askLocal('DELETE', path());
    // A request for what is gone would fail.
    await vscode.commands.executeCommand('workbench.action.files.save');
    assert.equal(document.isDirty, false);
    assert.equal(before, undefined);
  });

  it('what the service refuses keeps the text and says why', async () => {
    const document = await openJson(item);
    await change(document, (value) => {
      value.type = 'Nonsense';
    });
    const saving = document.save();
    const shown = await message(/Failed to save.*type/s);
    assert.equal(await saving, false);
    assert.match(shown, /The monitor 'Too many errors' was not saved to Local\. .* save again/s);
    assert.doesNotMatch(shown, /aplomb:|FileSystemError/);
    await takePictures('failed-save');
    assert.ok(document.isDirty);
    assert.match(document.getText(), /Nonsense/);
    assert.equal((await stored(path())).type, 'Threshold');
  });

  it('changes that were not saved stay so, whoever else asks for the state of the file', async () => {
    const document = await openJson(item);
    await change(document, (value) => {
      value.type = 'Nonsense';
    });
    let isSaved = false;
    const asking = (async () => {
      // Some are told of the failure, which must not keep it from the editor.
      while (!isSaved) await Promise.allSettled([vscode.workspace.fs.stat(document.uri)]);
    })();
    try {
      await document.save();
    } finally {
      isSaved = true;
      await asking;
    }
    await message(/The monitor 'Too many errors' was not saved to Local\. .* save again/s);
    await until('The changes', () => document.isDirty || undefined);
    assert.match(document.getText(), /Nonsense/);
    assert.equal((await stored(path())).type, 'Threshold');
  });

  it('text that is not JSON is not sent', async () => {
    const document = await openJson(item);
    await replace(document, '{ "name": ');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.equal((await stored(path())).name, monitor.name);
  });

  describe('when somebody else changed it', () => {
    let document: vscode.TextDocument;

    beforeEach(async () => {
      document = await openJson(item);
      await change(document, (value) => {
        value.threshold = 11;
      });
    });

    const theirs = (more: object) => askLocal('PUT', path(), { ...monitor, ...more });
    const comparison = () =>
      until('The comparison', () => {
        const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return input instanceof vscode.TabInputTextDiff ? input : undefined;
      });
    const choose = (choice: 'merge' | 'overwrite' | 'reload') =>
      vscode.commands.executeCommand(`aplomb.${choice}Conflict`, document.uri);
    const lenses = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        20,
      );
      return found.flatMap(({ command }) => command?.title ?? []);
    };

    it('changes of different members are merged by a save, without a question', async () => {
      await theirs({ description: 'theirs' });
      assert.ok(await document.save());
      const now = await stored(path());
      assert.equal(now.threshold, 11);
      assert.equal(now.description, 'theirs');
      await until('The merged text', () => /theirs/.test(document.getText()) || undefined);
      assert.equal(document.isDirty, false);
    });

    it('the query and the JSON of one window never conflict', async () => {
      const query = await openAs('aplomb.openResourceQuery', item);
      await replace(query, "['orders'] | take 3");
      assert.ok(await query.save());
      assert.ok(await document.save());
      const now = await stored(path());
      assert.equal(now.threshold, 11);
      assert.equal(now.aplQuery, "['orders'] | take 3");
      await until('The text of both', () => /take 3/.test(document.getText()) || undefined);
    });

    it('a conflict shows both sides, leaves the tab unsaved, and follows the deployment', async () => {
      await theirs({ threshold: 12 });
      assert.equal(await document.save(), false);
      const { original } = await comparison();
      await message(/was changed on Local.*Choose Merge, Overwrite or Reload/s);
      await takePictures('conflict');
      assert.ok(document.isDirty);
      assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty);
      const shown = await vscode.workspace.openTextDocument(original);
      assert.match(shown.getText(), /"threshold": 12/);
      await theirs({ threshold: 13 });
      await until('Their new value', () => /"threshold": 13/.test(shown.getText()) || undefined);
    });

    it('a save overwrites what is there when that is chosen', async () => {
      await theirs({ threshold: 12, description: 'theirs' });
      assert.equal(await document.save(), false);
      await choose('overwrite');
      const now = await stored(path());
      assert.equal(now.threshold, 11);
      assert.equal(now.description, undefined);
      await until('The saved document', () => (document.isDirty ? undefined : true));
    });

    it('a save takes what is there when that is chosen', async () => {
      await theirs({ threshold: 12 });
      assert.equal(await document.save(), false);
      await choose('reload');
      await until('Their text', () => /"threshold": 12/.test(document.getText()) || undefined);
      assert.equal(document.isDirty, false);
      assert.equal((await stored(path())).threshold, 12);
      assert.ok(!(await lenses()).includes('Reload'));
    });

    it('a merge marks what both have changed, and sends nothing until that is resolved', async () => {
      await theirs({ threshold: 12 });
      assert.equal(await document.save(), false);
      await choose('merge');
      await until('The marks', () => /<<<<<<< Your changes/.test(document.getText()) || undefined);
      await message(/Failed to save/);
      await takePictures('marks');
      assert.equal((await stored(path())).threshold, 12);
      assert.equal(await document.save(), false, 'A text with marks is not sent.');
      const sides = (await lenses()).filter((title) => /Keep|Take/.test(title));
      assert.deepEqual(sides, ['Keep Yours', 'Take Theirs']);
      await vscode.commands.executeCommand('aplomb.chooseSide', document.uri, 0, 'mine');
      assert.doesNotMatch(document.getText(), /[<=>]{7}/);
      assert.ok(await document.save());
      assert.equal((await stored(path())).threshold, 11);
    });

    it('the choices stay in the editor when the comparison was closed', async () => {
      await theirs({ threshold: 12 });
      assert.equal(await document.save(), false);
      await comparison();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.window.showTextDocument(document);
      const overwrite = /^Overwrite$/;
      assert.ok((await lenses()).some((title) => overwrite.test(title)));
      await takePictures('conflict-lasts');
      await withWindow(async (page) => {
        const titles = page.locator('.editor-actions');
        await titles.getByRole('button', { name: 'Compare with Deployment' }).click();
        await titles.getByRole('button', { name: 'Overwrite on Deployment' }).waitFor();
      });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.window.showTextDocument(document);
      await withWindow(async (page) => {
        const lens = page.locator('.codelens-decoration a', { hasText: overwrite });
        // A lens is drawn before it takes clicks, and is gone after one that it took.
        await until('The choice', async () => {
          const visible = lens.filter({ visible: true });
          await visible.click({ timeout: 1_000 }).catch(() => undefined);
          return (await stored(path())).threshold === 11 || undefined;
        });
      });
      await until('The saved document', () => (document.isDirty ? undefined : true));
      assert.ok(!(await lenses()).some((title) => overwrite.test(title)));
    });

    it('a merge that is taken back asks again', async () => {
      await theirs({ threshold: 12 });
      const mine = document.getText();
      assert.equal(await document.save(), false);
      await choose('merge');
      await until('The marks', () => /<<<<<<< Your changes/.test(document.getText()) || undefined);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      await until('The text before the merge', () => document.getText() === mine || undefined);
      assert.equal(await document.save(), false);
      await choose('reload');
      assert.equal((await stored(path())).threshold, 12);
      await vscode.commands.executeCommand('aplomb.refreshMonitors');
      await vscode.commands.executeCommand('aplomb.monitors.focus');
      await withWindow((page) => treeRow(page, 'Monitors', /Too many errors\s*> 12/));
    });
  });

  it('Open Query opens the query of the editor, of a draft as well', async () => {
    const document = await openJson(item);
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await change(document, (value) => {
      value.aplQuery = "['orders'] | take 4";
    });
    const openQuery = async (of: vscode.TextDocument) => {
      const lens = await until('The lens', async () => {
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          of.uri,
          10,
        );
        return found.find(({ command }) => command?.title === 'Open Query')?.command;
      });
      const uri = await vscode.commands.executeCommand<vscode.Uri>(
        lens.command,
        ...(lens.arguments ?? []),
      );
      return vscode.workspace.openTextDocument(uri);
    };
    const query = await openQuery(document);
    assert.equal(query.getText(), "['orders'] | take 4");
    assert.ok(query.isDirty);
    const uri = await vscode.commands.executeCommand<vscode.Uri>('aplomb.duplicateResource', item);
    const draft = await vscode.workspace.openTextDocument(uri);
    const part = await openQuery(draft);
    assert.equal(part.getText(), monitor.aplQuery);
    await replace(part, "['orders']\n| take 9");
    assert.ok(await part.save());
    assert.equal(JSON.parse(draft.getText()).aplQuery, "['orders']\n| take 9");
  });

  it('a query that cannot run is saved only after a question, and Cancel is not an error', async () => {
    for (const aplQuery of ['', "['orders'] | wher status == 1"]) {
      const document = await openJson(item);
      await change(document, (value) => {
        value.threshold = 71;
        value.aplQuery = aplQuery;
      });
      const cancelled = await answering([undefined], async () => {
        await document.save();
      });
      assert.match(
        cancelled.join(),
        /^Save the monitor 'Too many errors' to Local although its query/,
      );
      await until('The changes', () => document.isDirty || undefined);
      assert.equal((await stored(path())).threshold, 10);
      await vscode.commands.executeCommand('notifications.showList');
      await withWindow(async (page) => {
        const items = page.locator('.notification-list-item', { hasText: 'Failed to save' });
        assert.equal(await items.count(), 0);
      });
      await revertAll();
    }
  });

  it('the problems of a draft go with it', async () => {
    const uri = await vscode.commands.executeCommand<vscode.Uri>('aplomb.duplicateResource', item);
    const draft = await vscode.workspace.openTextDocument(uri);
    await change(draft, (value) => {
      value.aplQuery = "['orders'] | wher status == 1";
    });
    await problem(draft, /wher/);
    await vscode.window.showTextDocument(draft);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(
      'No problems',
      () => vscode.languages.getDiagnostics(uri).length === 0 || undefined,
    );
  });

  it('a renamed resource renames its tab, saved as JSON or renamed in the tree', async () => {
    const titles = () =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    const document = await openJson(item);
    await change(document, (value) => {
      value.name = 'Far too many errors';
    });
    assert.ok(await document.save());
    const named = (title: string) =>
      until(`${title}, not ${titles()}`, () => titles().join() === title || undefined);
    await named('Far too many errors.json');
    const renaming = vscode.commands.executeCommand('aplomb.renameResource', item);
    await withWindow(async (page) => {
      await page.locator('.quick-input-widget', { hasText: 'Rename' }).waitFor();
      await page.locator('.quick-input-widget input:visible').first().fill('Errors');
      await page.keyboard.press('Enter');
    });
    await renaming;
    assert.equal((await stored(path())).name, 'Errors');
    await named('Errors.json');
    await vscode.commands.executeCommand('aplomb.copyResourceName', { ...item, name: 'Errors' });
    assert.equal(await vscode.env.clipboard.readText(), 'Errors');
  });

  it('a save merges with the new version of a dashboard that changed meanwhile', async () => {
    const dashboard = { name: 'Versions', charts: [], layout: [] };
    await make('/v2/dashboards', { uid: 'versions', dashboard });
    const document = await openJson({ kind: 'dashboards', id: 'versions', name: 'Versions' });
    await askLocal('PUT', '/v2/dashboards/uid/versions', {
      dashboard: { ...dashboard, refreshTime: 15 },
      version: 1,
    });
    await change(document, (value) => {
      (value.dashboard as Stored).description = 'mine';
    });
    assert.ok(await document.save());
    const now = (await stored('/v2/dashboards/uid/versions')) as { dashboard: Stored };
    assert.equal(now.dashboard.description, 'mine');
    assert.equal(now.dashboard.refreshTime, 15);
    await askLocal('DELETE', '/v2/dashboards/uid/versions');
  });

  it('a document is saved to the deployment that it was opened from', async () => {
    const document = await openJson(item);
    const settings = vscode.workspace.getConfiguration('aplomb');
    const other = { name: 'Elsewhere', url: 'http://127.0.0.1:9' };
    await settings.update('deployments', [other], vscode.ConfigurationTarget.Global);
    try {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Elsewhere');
      await change(document, (value) => {
        value.threshold = 77;
      });
      assert.ok(await document.save());
      assert.equal((await stored(path())).threshold, 77);
    } finally {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('a deployment marked as production is asked for before anything is written', async () => {
    const { deployments } = context();
    const local = await deployments.service();
    assert.ok(local.ok);
    const { general, token } = local.value.connection;
    const secret = await token(new URL(general).origin);
    assert.ok(secret);
    const settings = vscode.workspace.getConfiguration('aplomb');
    const production = { name: 'Prod', url: general, production: true };
    await settings.update('deployments', [production], vscode.ConfigurationTarget.Global);
    await deployments.credentials.store([new URL(general).origin], 'Prod', secret);
    try {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Prod');
      const document = await openJson(item);
      await change(document, (value) => {
        value.threshold = 55;
      });
      const cancelled = await answering([undefined], async () => {
        await document.save();
      });
      assert.match(cancelled.join(), /Change monitors on Prod\?[\s\S]*marked as production/);
      await until('The changes', () => document.isDirty || undefined);
      await vscode.commands.executeCommand('notifications.showList');
      await withWindow(async (page) => {
        const items = page.locator('.notification-list-item', { hasText: 'Failed to save' });
        assert.equal(await items.count(), 0, 'Cancel is not an error.');
      });
      assert.equal((await stored(path())).threshold, 10);
      await answering(['Change monitors'], async () => assert.ok(await document.save()));
      assert.equal((await stored(path())).threshold, 55);
    } finally {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('JSON is checked and completed with the schema, and the APL in it with the fields', async () => {
    const document = await openJson(item);
    await change(document, (value) => {
      value.operator = 'Sideways';
      value.aplQuery = '[\'orders\']\n| where regoin == "eu"\n| coutn';
    });
    await problem(document, /not accepted|Valid values/);
    const unknown = await problem(document, /regoin|coutn|count/);
    assert.match(document.getText(unknown.range), /regoin|coutn/);
    await change(document, (value) => {
      value.aplQuery = '[\'orders\']\n| where "\\t" != reg';
    });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const at = document.getText().indexOf('!= reg') + '!= reg'.length;
    const position = document.positionAt(at);
    editor.selection = new vscode.Selection(position, position);
    const offered = await until('The fields', async () => {
      const found = await completions(editor);
      return found.has('region') ? found : undefined;
    });
    const range = offered.get('region')?.range;
    const replaced = range instanceof vscode.Range ? range : range?.replacing;
    assert.equal(replaced && document.getText(replaced), 'reg');
    // VS Code asks for no lenses while another part of the window has the focus.
    await withWindow((page) =>
      page
        .locator('.codelens-decoration', { hasText: 'Open Query' })
        .filter({ visible: true })
        .first()
        .waitFor(),
    );
    await vscode.commands.executeCommand('aplomb.datasets.focus');
    await takePictures('document');
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(document.getText().indexOf('where')),
    );
    assert.ok(hover, 'An operator in the string has a hover.');
  });

  it('a misspelled column in the JSON has its fix, and identifiers are completed by name', async () => {
    const notifier = await make('/v2/notifiers', {
      name: 'On call',
      properties: { email: { emails: ['a@example.com'] } },
    });
    const document = await openJson(item);
    await change(document, (value) => {
      value.aplQuery = '[\'orders\']\n| where regoin == "eu"';
      value.notifierIds = [];
    });
    const found = await problem(document, /regoin/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
    );
    const fix = actions.find(({ title }) => /'?region'?/.test(title));
    assert.ok(fix?.edit, actions.map(({ title }) => title).join());
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.equal(JSON.parse(document.getText()).aplQuery, '[\'orders\']\n| where region == "eu"');
    const at = document.positionAt(document.getText().indexOf('"notifierIds": [') + 16);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
    );
    const offered = list.items.find(({ label }) => label === 'On call');
    assert.equal(offered?.insertText, JSON.stringify(notifier.id));
    await change(document, (value) => {
      value.notifierIds = [notifier.id];
    });
    // The schema has a hover as well.
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(document.getText().indexOf(String(notifier.id)) + 2),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((part) => (part as vscode.MarkdownString).value),
    );
    assert.match(texts.join(), /The notifier \\'On call\\'/);
    await askLocal('DELETE', `/v2/notifiers/${notifier.id}`);
  });

  it('the name of a notifier in place of its identifier is marked with a fix', async () => {
    const notifier = await make('/v2/notifiers', {
      name: 'Mail',
      properties: { email: { emails: ['a@example.com'] } },
    });
    const document = await openJson(item);
    await change(document, (value) => {
      value.notifierIds = [notifier.id, 'Mail', 'nobody'];
    });
    const unknown = await problem(document, /^Local has no notifier with the identifier 'nobody'/);
    assert.equal(document.getText(unknown.range), 'nobody');
    const warning = await problem(document, /^'Mail' is the name of a notifier/);
    assert.equal(warning.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(document.getText(warning.range), 'Mail');
    const about = vscode.languages.getDiagnostics(document.uri).map(({ message: said }) => said);
    assert.equal(about.filter((said) => said.includes('notifier')).length, 2, about.join());
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      warning.range,
    );
    const fix = actions.find(({ title }) => title === "Replace with the identifier of 'Mail'");
    assert.ok(fix?.edit, actions.map(({ title }) => title).join());
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    const { notifierIds } = JSON.parse(document.getText());
    assert.deepEqual(notifierIds, [notifier.id, notifier.id, 'nobody']);
    await until('The end of the warning', () => {
      const left = vscode.languages.getDiagnostics(document.uri);
      return !left.some(({ message: said }) => said.includes("'Mail'")) || undefined;
    });
    await askLocal('DELETE', `/v2/notifiers/${notifier.id}`);
  });

  it('identifiers of notifiers are not marked if the token may not read notifiers', async () => {
    const { deployments } = context();
    const local = await deployments.service();
    assert.ok(local.ok);
    const { general } = local.value.connection;
    const made = await make('/v2/tokens', {
      name: 'restricted',
      orgCapabilities: { monitors: ['read', 'update'] },
      datasetCapabilities: { orders: { query: ['read'] } },
    });
    const settings = vscode.workspace.getConfiguration('aplomb');
    const restricted = { name: 'Restricted', url: general };
    await settings.update('deployments', [restricted], vscode.ConfigurationTarget.Global);
    await deployments.credentials.store(
      [new URL(general).origin],
      'Restricted',
      String(made.token),
    );
    try {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Restricted');
      const document = await openJson(item);
      await change(document, (value) => {
        value.notifierIds = ['nobody'];
        value.treshold = 1;
      });
      await problem(document, /Unknown member 'treshold'/);
      // The fixes are ready once the attempt to read the notifiers has ended.
      const at = document.positionAt(document.getText().indexOf('nobody'));
      await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(at, at),
      );
      const about = vscode.languages.getDiagnostics(document.uri).map(({ message: said }) => said);
      assert.ok(!about.some((said) => said.includes('notifier')), about.join());
    } finally {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
      await askLocal('DELETE', `/v2/tokens/${made.id}`);
    }
  });

  it('a misspelled member is marked with a fix, and those of the service are not', async () => {
    const document = await openJson(item);
    await replace(document, document.getText().replace('"threshold"', '"treshold"'));
    const warning = await problem(
      document,
      /Unknown member 'treshold'\. Did you mean 'threshold'\?/,
    );
    assert.equal(warning.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(document.getText(warning.range), 'treshold');
    const about = vscode.languages.getDiagnostics(document.uri).map(({ message: said }) => said);
    assert.ok(!about.some((said) => said.includes('unknownToClients')), about.join());
    await takePictures('misspelled');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      warning.range,
    );
    const fix = actions.find(({ title }) => title === "Rename to 'threshold'");
    assert.ok(fix?.edit);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.match(document.getText(), /"threshold": 10/);
    await until('The end of the warning', () => {
      const left = vscode.languages.getDiagnostics(document.uri);
      return !left.some(({ message: said }) => said.includes('Unknown member')) || undefined;
    });
  });

  it('a deleted monitor comes back by Undo, with its new identifier', async () => {
    await openJson(item);
    await vscode.commands.executeCommand('aplomb.monitors.focus');
    const asked = await answering(['Delete'], async () => {
      assert.equal(await vscode.commands.executeCommand('aplomb.deleteResource', item), true);
    });
    assert.match(asked.join(), /Delete the monitor 'Too many errors' from Local\?/);
    await assert.rejects(stored(path()));
    await withWindow((page) =>
      until('The keyboard in the tree', async () =>
        (await page.evaluate(() =>
          document.activeElement?.closest('.pane')?.textContent?.startsWith('Monitors'),
        ))
          ? true
          : undefined,
      ),
    );
    await press(/Deleted the monitor/, 'Undo');
    const fresh = await until('The restored monitor', async () => {
      const [found] = await vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors');
      return found;
    });
    assert.notEqual(fresh.id, item.id);
    assert.match(await message(/Its identifier is now/), new RegExp(fresh.id));
    item = fresh;
    const now = await stored(path());
    assert.deepEqual(now.unknownToClients, monitor.unknownToClients);
  });

  it('a deleted notifier is named with the monitors that refer to it, which refer to it again after Undo', async () => {
    const notifier = await make('/v2/notifiers', {
      name: 'Night shift',
      properties: { email: { emails: ['a@example.com'] } },
    });
    const before = await stored(path());
    const { name: _, ...rest } = before;
    await askLocal('PUT', path(), { ...rest, name: 'Night errors', notifierIds: [notifier.id] });
    const asked = await answering(['Delete'], async () => {
      const deleted = { kind: 'notifiers', id: notifier.id, name: 'Night shift' };
      const done = vscode.commands.executeCommand('aplomb.deleteResource', deleted);
      assert.equal(await done, true);
    });
    assert.match(asked.join(), /The monitor 'Night errors' refers to it\. You can undo this/);
    await press(/Deleted the notifier/, 'Undo');
    const said = await message(/Restored the notifier/);
    const [, fresh = ''] =
      /Its identifier is now (\S+)\. The monitor 'Night errors' refers to it\. Update everything else that refers to/.exec(
        said,
      ) ?? [];
    assert.notEqual(fresh, '');
    assert.deepEqual((await stored(path())).notifierIds, [fresh]);
    await askLocal('PUT', path(), before);
    await askLocal('DELETE', `/v2/notifiers/${fresh}`);
    await vscode.commands.executeCommand('aplomb.refreshMonitors');
  });

  it('the document of a deleted monitor is closed, or can be saved again after Undo', async () => {
    const tabs = (count: number) =>
      until(`${count} tabs`, () => {
        const open = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
        return open.length === count || undefined;
      });
    await openJson(item);
    const deleteItem = () =>
      answering(['Delete'], async () => {
        assert.equal(await vscode.commands.executeCommand('aplomb.deleteResource', item), true);
      });
    const undo = async () => {
      await press(/Deleted the monitor/, 'Undo');
      item = await until('The restored monitor', async () => {
        const [found] = await vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors');
        return found;
      });
      await message(/Restored the monitor/);
      await vscode.commands.executeCommand('notifications.clearAll');
    };
    await deleteItem();
    await tabs(0);
    await undo();
    await tabs(0);

    const document = await openJson(item);
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await change(document, (value) => {
      value.threshold = 31;
    });
    const query = await openAs('aplomb.openResourceQuery', item);
    await replace(query, "['orders'] | take 7");
    await tabs(2);
    await deleteItem();
    await undo();
    await tabs(2);
    const changed = () => vscode.workspace.textDocuments.filter((one) => one.isDirty);
    await until(
      'The changes in the documents of the restored monitor',
      () => (!document.isDirty && !query.isDirty && changed().length === 2) || undefined,
    );
    for (const one of changed()) assert.ok(await one.save());
    const now = await stored(path());
    assert.equal(now.threshold, 31);
    assert.equal(now.aplQuery, "['orders'] | take 7");
  });

  it('a copy is a draft until it is saved', async () => {
    const uri = await vscode.commands.executeCommand<vscode.Uri>('aplomb.duplicateResource', item);
    const draft = await vscode.workspace.openTextDocument(uri);
    assert.ok(draft.isDirty);
    assert.match(draft.getText(), /"name": "Too many errors copy"/);
    const count = async () =>
      (await vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors')).length;
    assert.equal(await count(), 1);
    await save(draft);
    assert.equal(await count(), 2);
    const document = await until('The document in place of the draft', () => {
      const active = vscode.window.activeTextEditor?.document;
      return active && active.uri.toString() !== uri.toString() ? active : undefined;
    });
    assert.equal(document.isDirty, false);
    const items = await vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors');
    for (const { id } of items.filter(({ id }) => id !== item.id)) {
      await askLocal('DELETE', `/v2/monitors/${id}`);
    }
  });

  describe('with auto save', () => {
    beforeEach(() => setAutoSave('afterDelay', 50));
    afterEach(() => setAutoSave('off'));

    it('a document is written by an explicit save alone, without an error', async () => {
      const document = await openJson(item);
      await change(document, (value) => {
        value.threshold = 1;
      });
      await showsNoError();
      await takePictures('auto-save');
      let attempts = 0;
      const subscription = vscode.workspace.onWillSaveTextDocument(() => {
        attempts += 1;
      });
      for (const typed of [12, 123, 1234]) {
        await change(document, (value) => {
          value.threshold = typed;
        });
        await new Promise((done) => setTimeout(done, 200));
      }
      subscription.dispose();
      assert.equal(attempts, 0, 'Each attempt would show an error.');
      assert.ok(document.isDirty);
      assert.equal((await stored(path())).threshold, 10);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.save');
      assert.equal((await stored(path())).threshold, 1234);
      await until('The saved document', () => (document.isDirty ? undefined : true));
    });

    it('a document that was not saved can be saved without formatting, and reverted', async () => {
      const document = await openJson(item);
      await change(document, (value) => {
        value.threshold = 21;
      });
      await showsNoError();
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
      assert.equal((await stored(path())).threshold, 21);
      await change(document, (value) => {
        value.threshold = 22;
      });
      await showsNoError();
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      assert.equal(document.isDirty, false);
      assert.match(document.getText(), /"threshold": 21/);
    });

    it('a query is written by an explicit save alone', async () => {
      const document = await openAs('aplomb.openResourceQuery', item);
      await replace(document, "['orders']\n| cou");
      await showsNoError();
      assert.equal((await stored(path())).aplQuery, monitor.aplQuery);
      await replace(document, "['orders']\n| count");
      assert.ok(await document.save());
      assert.equal((await stored(path())).aplQuery, "['orders']\n| count");
    });

    it('a draft is created by an explicit save alone', async () => {
      const uri = await vscode.commands.executeCommand<vscode.Uri>(
        'aplomb.duplicateResource',
        item,
      );
      await showsNoError();
      const draft = await vscode.workspace.openTextDocument(uri);
      assert.ok(draft.isDirty);
      const list = () => vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors');
      assert.equal((await list()).length, 1);
      assert.ok(await draft.save());
      const [made] = (await list()).filter(({ id }) => id !== item.id);
      assert.ok(made, 'Saved by the person, it is created.');
      await askLocal('DELETE', `/v2/monitors/${made.id}`);
    });
  });

  it('a view is created from the query at the cursor', async () => {
    await openApl("['orders']\n| where status >= 500$0");
    const creating = vscode.commands.executeCommand<vscode.Uri>('aplomb.createFromQuery');
    await withWindow(async (page) => {
      const input = page.locator('.quick-input-widget input:visible').first();
      await page.locator('.quick-input-widget', { hasText: 'Create from Query' }).waitFor();
      await input.fill('View');
      await page.keyboard.press('Enter');
      await page.locator('.quick-input-widget', { hasText: 'New View on Local' }).waitFor();
      await input.fill('failed-orders');
      await page.keyboard.press('Enter');
    });
    const draft = await vscode.workspace.openTextDocument(await creating);
    assert.deepEqual(JSON.parse(draft.getText()).datasets, ['orders']);
    await save(draft);
    const view = await stored('/v2/views/failed-orders');
    assert.match(String(view.aplQuery), /status >= 500/);
    await askLocal('DELETE', '/v2/views/failed-orders');
  });

  describe('created from a query', () => {
    /** Creates a monitor under the name that is offered, and returns the draft. */
    async function monitorOf(apl: string): Promise<vscode.TextDocument> {
      await openApl(apl);
      const creating = vscode.commands.executeCommand<vscode.Uri>('aplomb.createFromQuery');
      await withWindow(async (page) => {
        const input = page.locator('.quick-input-widget input:visible').first();
        await page.locator('.quick-input-widget', { hasText: 'Create from Query' }).waitFor();
        await input.fill('Monitor');
        await page.keyboard.press('Enter');
        await page.locator('.quick-input-widget', { hasText: 'New Monitor on Local' }).waitFor();
        await page.keyboard.press('Enter');
      });
      return vscode.workspace.openTextDocument(await creating);
    }

    it('a monitor has the title as its name, no other comments, and its threshold selected', async () => {
      const query = "['orders']\n// client errors\n| where status >= 400\n| count";
      const draft = await monitorOf(
        `// deployment: Local\n// Pages somebody.\n// Bad orders\n// range: 7d\n${query}$0`,
      );
      const made = JSON.parse(draft.getText());
      assert.equal(made.name, 'Bad orders');
      assert.equal(made.description, 'Pages somebody.');
      assert.equal(made.aplQuery, query);
      assert.equal(made.type, 'Threshold');
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document, draft);
      assert.equal(draft.getText(editor?.selection), '0');
      assert.equal(editor?.options.tabSize, 2);
      assert.match(draft.lineAt(editor?.selection.start.line ?? 0).text, /"threshold"/);
      await takePictures('draft');
    });

    it('a monitor of a query for events looks for events, without a threshold', async () => {
      const draft = await monitorOf("['orders']\n| where status >= 500$0");
      const made = JSON.parse(draft.getText());
      assert.equal(made.type, 'MatchEvent');
      assert.equal(made.threshold, undefined);
      assert.ok(await draft.save());
      const items = await vscode.commands.executeCommand<Listed[]>('aplomb.refreshMonitors');
      const other = items.find(({ id }) => id !== item.id);
      assert.ok(other);
      await askLocal('DELETE', `/v2/monitors/${other.id}`);
    });
  });
});
