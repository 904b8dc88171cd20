/** Tabs after a reload of the window: the tab of the latest run stays active while earlier tabs are restored. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type * as vscode from 'vscode';
import { ResultTabs, type TabQuery } from '../../../client/src/answers/tabs.ts';
import type { Log } from '../../../client/src/host/log.ts';
import { KeptTabs } from '../../../client/src/results/keptTabs.ts';
import { bodyOf } from '../../table/tables.ts';
import { arrive, newStore } from './stores.ts';

const body = bodyOf([['id', 'integer', ['1', '2']]]);
const log = { warn: (message: string) => assert.fail(message) } as unknown as Log;

const query = (line: number, title = `query ${line}`): TabQuery => ({
  text: title,
  title,
  place: {
    uri: 'file:///a.apl',
    range: { start: { line, character: 0 }, end: { line: line + 1, character: 0 } },
  },
});

/** Opens windows of one workspace, one after the other. */
async function workspace(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tabs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const values = new Map<string, unknown>();
  const memory = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as unknown as vscode.Memento;
  return () => {
    const store = newStore({ disk: { folder, maxBytes: 10_000_000 } });
    const tabs = new ResultTabs();
    const kept = new KeptTabs({ memory, tabs, store, log });
    t.after(() => store.dispose());
    const run = async (asked: TabQuery) => {
      const { tab, run } = tabs.start(asked, { startedAt: 1, deployment: '', rangeLabel: '' });
      const { id } = await arrive(store, body, { title: asked.title, keep: true });
      assert.ok(tabs.settle(run, { kind: 'result', answer: id }));
      return tab;
    };
    const titles = () => tabs.tabs.map(({ title }) => title);
    const close = async () => {
      kept.dispose();
      await store.dispose();
    };
    return { tabs, kept, run, titles, close };
  };
}

describe('tabs after a reload', () => {
  it('are restored to the left of a query that runs during the restore, which stays active', async (t) => {
    const open = await workspace(t);
    const before = open();
    for (const line of [0, 2, 4]) await before.run(query(line));
    await before.close();
    const after = open();
    // The run shows the view, and ends before the earlier tabs are restored.
    const restoring = after.kept.restore();
    const ran = await after.run(query(8));
    await restoring;
    assert.deepEqual(after.titles(), ['query 0', 'query 2', 'query 4', 'query 8']);
    assert.equal(after.tabs.active?.id, ran);
    await after.close();
    const again = open();
    await again.kept.restore();
    assert.equal(again.tabs.active?.title, 'query 8');
  });

  it('have the same active tab as before if nothing was run', async (t) => {
    const open = await workspace(t);
    const before = open();
    const first = await before.run(query(0));
    await before.run(query(2));
    before.tabs.activate(first);
    await before.close();
    const after = open();
    await after.kept.restore();
    assert.deepEqual(after.titles(), ['query 0', 'query 2']);
    assert.equal(after.tabs.active?.title, 'query 0');
  });

  it('omit the previous result of a query that was run again, unless it is pinned', async (t) => {
    const open = await workspace(t);
    const before = open();
    await before.run(query(0, 'again'));
    const pinned = await before.run(query(2, 'pinned'));
    before.tabs.pin(pinned, true);
    await before.close();
    const after = open();
    await after.run(query(0, 'again'));
    const ran = await after.run(query(2, 'pinned'));
    await after.kept.restore();
    assert.deepEqual(after.titles(), ['pinned', 'again', 'pinned']);
    assert.equal(after.tabs.active?.id, ran);
  });

  it('keep the tab active that the user selects during the restore', async (t) => {
    const open = await workspace(t);
    const before = open();
    for (const line of [0, 2, 4]) await before.run(query(line));
    await before.close();
    const after = open();
    after.tabs.onDidChange(() => {
      const second = after.tabs.tabs[1];
      if (after.tabs.tabs.length === 2 && second) after.tabs.activate(second.id);
    });
    await after.kept.restore();
    assert.equal(after.tabs.active?.title, 'query 2');
  });
});
