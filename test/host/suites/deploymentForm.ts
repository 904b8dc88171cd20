// Add Deployment as a person goes through it: steps forward and back, the organization of a personal
// token, and the page that says who the token is.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import { fillInput } from '../../../scripts/host/driver.ts';
import { startHttps } from '../../client/certificates/server.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { boardFrame } from '../boardFrame.ts';
import { startAnother } from '../describeDeployments.ts';
import { context, endOf, openApl, until } from '../editing.ts';
import type { OtherDeployment } from '../otherDeployment.ts';
import { inThemes } from '../themes.ts';
import { withWindow } from '../window.ts';

const box = (page: Page, text: string) => page.locator('.quick-input-widget', { hasText: text });

/** Goes through the questions for a deployment at one address. */
async function enter(page: Page, url: string, name: string, token: string): Promise<void> {
  await fillInput(page, 'Add Deployment: Region', 'Other address');
  await fillInput(page, 'URL of the API', url);
  await fillInput(page, 'URL of the edge deployment', url);
  await fillInput(page, 'Add Deployment: Name', name);
  await fillInput(page, 'Add Deployment: Production', 'No');
  await fillInput(page, 'Add Deployment: Token', token);
}

/** Answers dialogs, which a window under test refuses to show. Returns what they said, with their buttons. */
async function answering(answer: string | undefined, work: () => Promise<void>): Promise<string[]> {
  const shown: string[] = [];
  const real = vscode.window.showWarningMessage;
  const window = vscode.window as { showWarningMessage: unknown };
  window.showWarningMessage = async (text: string, options: unknown, ...buttons: string[]) => {
    const { modal, detail } = (options ?? {}) as vscode.MessageOptions;
    if (!modal) return real(text, options as string, ...buttons);
    shown.push(`${text} ${detail} [${buttons.join(', ')}]`);
    return buttons.find((button) => button === answer);
  };
  try {
    await work();
  } finally {
    window.showWarningMessage = real;
  }
  return shown;
}

describe('the form for a deployment', () => {
  let other: OtherDeployment;

  before(async () => {
    other = await startAnother();
    await other.ask('POST', '/v2/datasets', { name: 'shipments' });
  });

  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await vscode.workspace
      .getConfiguration('aplomb')
      .update('deployments', undefined, vscode.ConfigurationTarget.Global);
    await other.stop();
  });

  it('goes back a step with what was entered', async () => {
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      const back = () => page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', 'not a url');
      await box(page, 'must look like https://api.example.com').waitFor();
      await fillInput(page, 'Add Deployment: Address', other.url);
      await box(page, 'URL of the edge deployment').waitFor();
      await back();
      await box(page, 'URL of the API').waitFor();
      const input = page.locator('.quick-input-widget input:visible').first();
      assert.equal(await input.inputValue(), other.url);
      await back();
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', other.url);
      await fillInput(page, 'URL of the edge deployment', `${other.url}/edge/us-east-1`);
      await fillInput(page, 'Add Deployment: Name', 'Local');
      await box(page, "'Local' is the built-in deployment").waitFor();
      await fillInput(page, 'Add Deployment: Name', 'Live shipping');
      await box(page, 'Add Deployment: Production').waitFor();
      const proposed = page.locator('.quick-input-list .monaco-list-row.focused');
      assert.match((await proposed.textContent()) ?? '', /^Yes, mark as production/);
      await back();
      await box(page, 'Add Deployment: Name').waitFor();
      assert.equal(await input.inputValue(), 'Live shipping');
      await fillInput(page, 'Add Deployment: Name', 'Shipping');
      await box(page, 'Add Deployment: Production').waitFor();
      assert.match((await proposed.textContent()) ?? '', /^No/);
      await page.keyboard.press('Enter');
      await box(page, 'Add Deployment: Token').waitFor();
      await input.fill(other.token);
      await box(page, 'API token: it has its own capabilities').waitFor();
      await inThemes(page, 'deployment-form-token');
      await page.keyboard.press('Enter');
    });
    assert.equal(await added, 'Shipping');
    assert.equal(context().deployments.active.name, 'Shipping');
  });

  it('asks nothing about the organization where a personal token has one, and uses it', async () => {
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', other.url);
      await fillInput(page, 'URL of the edge deployment', `${other.url}/edge/us-east-1`);
      await fillInput(page, 'Add Deployment: Name', 'Personal');
      await fillInput(page, 'Add Deployment: Production', 'No');
      await box(page, 'Add Deployment: Token').waitFor();
      await page.locator('.quick-input-widget input:visible').first().fill(other.personalToken);
      await box(page, 'Personal token: it has the capabilities of your user').waitFor();
      await page.keyboard.press('Enter');
    });
    assert.equal(await added, 'Personal');
    const { active } = context().deployments;
    assert.ok(active.kind === 'hosted');
    assert.equal(active.organization, 'local');
  });

  it('asks for the organization where a personal token reaches several, and sends it', async () => {
    const organizations = ['Acme', 'Beta'].map((name) => ({ id: name.toLowerCase(), name }));
    await using server = await LoopbackServer.start((response, { method, url }) =>
      method === 'GET'
        ? json(response, 200, url.startsWith('/v2/orgs') ? organizations : [])
        : json(response, 404, { message: 'The dataset does not exist' }),
    );
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      await enter(page, server.url, 'Several', 'xapt-of-several-organizations');
      await box(page, 'Add Deployment: Organization').waitFor();
      await inThemes(page, 'deployment-form-organization');
      await fillInput(page, 'Add Deployment: Organization', 'Beta');
    });
    assert.equal(await added, 'Several');
    const { active } = context().deployments;
    assert.ok(active.kind === 'hosted');
    assert.equal(active.organization, 'beta');
    const lists = server.received.filter(({ url }) => url.startsWith('/v2/datasets'));
    assert.ok(lists.length > 0);
    for (const { headers } of lists) assert.equal(headers['x-axiom-org-id'], 'beta');
  });

  it('stores nothing where it is given up', async () => {
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      await fillInput(page, 'Add Deployment: Region', 'EU Central 1');
      await box(page, 'Add Deployment: Name').waitFor();
      await page.keyboard.press('Escape');
    });
    assert.equal(await added, undefined);
    assert.equal(context().deployments.find('EU Central 1'), undefined);
  });

  it('leaves no token in the settings', () => {
    const settings = vscode.workspace.getConfiguration('aplomb').inspect('deployments');
    assert.doesNotMatch(JSON.stringify(settings), /xa[ap]t-/);
    assert.match(JSON.stringify(settings), /Shipping/);
  });

  it('leads to the page Who Am I', async () => {
    await vscode.commands.executeCommand('aplomb.whoAmI', 'Personal');
    const tab = await until('The page', () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ label }) => label === 'Who Am I: Personal'),
    );
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.access li.yes');
      await frame.locator('h1', { hasText: 'Personal' }).waitFor();
      await frame.locator('dd', { hasText: 'local-user@localhost' }).first().waitFor();
      assert.ok((await frame.locator('.access li.yes').count()) >= 8);
      await inThemes(page, 'who-am-i');
      await frame.locator('a', { hasText: 'Edit Deployment' }).click();
      await box(page, 'Edit Personal').waitFor();
      await page.keyboard.press('Escape');
    });
    await vscode.window.tabGroups.close(tab);
  });

  for (const [name, says, choices] of [
    [
      'self-signed',
      /self-signed, and this machine does not trust it/,
      /Test Again, Change Address/,
    ],
    ['expired', /has expired .*Have it renewed/, /Test Again, Change Address/],
    ['wrong-name', /is for another host name .*Check the address/, /Change Address, Test Again/],
  ] as const) {
    it(`names a certificate that is not right, and so does a query: ${name}`, async () => {
      const { extensionPath } = context().extension;
      const folder = join(extensionPath, 'test', 'client', 'certificates');
      await using server = await startHttps(name, folder);
      const dialogs = await answering('Add Anyway', async () => {
        const added = vscode.commands.executeCommand('aplomb.addDeployment');
        await withWindow((page) => enter(page, server.url, name, 'xaat-for-a-certificate'));
        assert.equal(await added, name);
      });
      assert.match(dialogs.join(), says);
      assert.match(dialogs.join(), choices);
      const { document } = await openApl(`// deployment: ${name}\nprint 1`);
      const end = await endOf('aplomb.runQuery', document.uri);
      assert.ok(end.kind === 'failed');
      assert.match(end.message, says);
      assert.deepEqual(server.tokens, []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  it('accepts a certificate of an authority that is added to those of the machine', async () => {
    const { extensionPath } = context().extension;
    const folder = join(extensionPath, 'test', 'client', 'certificates');
    await using server = await startHttps('valid', folder);
    const dialogs = await answering(undefined, async () => {
      const added = vscode.commands.executeCommand('aplomb.addDeployment');
      await withWindow((page) => enter(page, server.url, 'valid', 'xaat-for-a-certificate'));
      assert.equal(await added, 'valid');
    });
    assert.deepEqual(dialogs, []);
    assert.ok(server.tokens.length > 0);
  });

  it('says where a deployment stays marked as production after the workspace has removed its mark', async () => {
    const entry = { name: 'Marked', url: other.url, edgeUrl: other.url, production: true };
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const write = (target: vscode.ConfigurationTarget, value: unknown) =>
      vscode.workspace.getConfiguration('aplomb').update('deployments', value, target);
    // Alone, the test is the first to need it.
    await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
    await write(Global, [entry]);
    await write(Workspace, [entry]);
    try {
      // A window under test shows no notifications.
      const shown: string[] = [];
      const real = vscode.window.showWarningMessage;
      const window = vscode.window as { showWarningMessage: unknown };
      const unmark = async () => {
        window.showWarningMessage = async (text: string) => void shown.push(text);
        const edited = vscode.commands.executeCommand('aplomb.editDeployment');
        await withWindow(async (page) => {
          for (const text of ['Marked', 'Unmark as Production']) {
            const row = page.locator('.quick-input-list .monaco-list-row', { hasText: text });
            await row.first().click();
          }
        });
        await edited;
        window.showWarningMessage = real;
        return shown.splice(0);
      };
      assert.deepEqual(await unmark(), [
        'Marked is still marked as production by its entry in your user settings, which workspace settings cannot override. Remove the mark in your user settings.',
      ]);
      const found = vscode.workspace.getConfiguration('aplomb').inspect('deployments');
      assert.deepEqual(found?.workspaceValue, [{ ...entry, production: false }]);
      assert.deepEqual(found?.globalValue, [entry]);
      await write(Workspace, undefined);
      assert.deepEqual(await unmark(), []);
      const own = context().deployments.find('Marked');
      assert.ok(own?.kind === 'hosted' && !own.production);
    } finally {
      await write(Workspace, undefined);
      await write(Global, undefined);
    }
  });
});
