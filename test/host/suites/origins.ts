// A token goes to the address it was entered for and nowhere else; and a query that is cancelled is
// cancelled at the service too. The service here is a server of the test's own, so that it can be slow.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunEnd } from '../../../client/src/query/runner.ts';
import { endOf, openApl, until } from '../editing.ts';
import { startService } from '../service.ts';
import { withWindow } from '../window.ts';

const name = 'Somewhere';
const token = 'xaat-entered-for-one-address';

async function describeDeployment(
  url: string | undefined,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  const value = url === undefined ? undefined : [{ name, url }];
  await vscode.workspace.getConfiguration('aplomb').update('deployments', value, target);
}

/** Runs the query of a new document, answering the question for a token, if one is expected. */
async function run(apl: string, answer?: { prompt: string; type: string }): Promise<RunEnd> {
  await openApl(apl);
  const running = endOf('aplomb.runQuery');
  if (answer) {
    await withWindow(async (page) => {
      const box = page.locator('.quick-input-widget', { hasText: answer.prompt });
      await box.waitFor();
      if (answer.type === '') return page.keyboard.press('Escape');
      await page.locator('.quick-input-widget input:visible').first().fill(answer.type);
      return page.keyboard.press('Enter');
    });
  }
  return running;
}

describe('a token', () => {
  let home: Awaited<ReturnType<typeof startService>>;
  let elsewhere: Awaited<ReturnType<typeof startService>>;

  before(async () => {
    home = await startService();
    elsewhere = await startService();
    await describeDeployment(home.url, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('aplomb.selectDeployment', name);
  });

  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await describeDeployment(undefined, vscode.ConfigurationTarget.Workspace);
    await describeDeployment(undefined, vscode.ConfigurationTarget.Global);
    for (const { server } of [home, elsewhere]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('is asked for once, naming where it will go, and sent there', async () => {
    const first = await run('print 1', { prompt: home.url, type: token });
    assert.equal(first.kind, 'result');
    const second = await run('print 2');
    assert.equal(second.kind, 'result');
    const queries = home.asked.filter(({ apl }) => apl !== undefined);
    assert.deepEqual(
      queries.map(({ authorization }) => authorization),
      [`Bearer ${token}`, `Bearer ${token}`],
    );
  });

  it('stays when the workspace gives the deployment another address', async () => {
    await describeDeployment(elsewhere.url, vscode.ConfigurationTarget.Workspace);
    const state = await run('print 3', { prompt: elsewhere.url, type: '' });
    assert.equal(state.kind, 'failed');
    assert.match(state.message, /No token is stored/);
    assert.deepEqual(elsewhere.asked, []);
    await describeDeployment(undefined, vscode.ConfigurationTarget.Workspace);
    assert.equal((await run('print 4')).kind, 'result');
  });

  it('is in no setting', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb').inspect('deployments');
    assert.doesNotMatch(JSON.stringify(settings), /xaat-/);
  });

  it('is forgotten on signing out', async () => {
    const signedOut = vscode.commands.executeCommand('aplomb.signOut');
    await withWindow(async (page) => {
      await page.locator('.quick-input-widget', { hasText: 'Sign Out' }).waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
    });
    await signedOut;
    const state = await run('print 5', { prompt: home.url, type: '' });
    assert.equal(state.kind, 'failed');
    assert.equal((await run('print 6', { prompt: home.url, type: token })).kind, 'result');
  });

  it('does not keep a slow query from being cancelled, at the service too', async () => {
    await openApl('print slow = 1');
    const running = endOf('aplomb.runQuery');
    const asked = await until('The slow query at the service', () =>
      home.asked.find(({ apl }) => apl?.includes('slow')),
    );
    await vscode.commands.executeCommand('aplomb.cancelQuery');
    assert.equal((await running).kind, 'cancelled');
    await until('The end of its connection', () => (asked.closed ? true : undefined));
    assert.equal((await run('print 7')).kind, 'result');
  });
});
