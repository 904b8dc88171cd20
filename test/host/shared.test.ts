// What tests of pages share: one browser with a context for each page, and each bundle made once.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { bundlePage, sharedBundles } from '../../scripts/host/bundles.ts';
import { pageBrowser, type Shared, startShared } from '../../scripts/host/shared.ts';

describe('what tests of pages share', () => {
  let shared: Shared;
  const own = { ...process.env };
  before(async () => {
    shared = await startShared();
    Object.assign(process.env, shared.env);
  });
  after(async () => {
    process.env = own;
    await shared?.stop();
  });

  it('keeps the pages of one file open when another file closes its own', async () => {
    const [one, other] = await Promise.all([pageBrowser(), pageBrowser()]);
    const page = await other.newPage();
    await one.newPage();
    await one.close();
    assert.equal(await page.evaluate('1 + 1'), 2);
    assert.equal(other.contexts().length, 1);
    await other.close();
  });

  it('stores each bundle in the folder, and reads it from there', async () => {
    const folder = shared.env[sharedBundles] ?? '';
    const { script, style } = await bundlePage('client/src/fields/view/main.ts');
    assert.match(script, /acquireVsCodeApi/);
    assert.notEqual(style, '');
    assert.deepEqual(readdirSync(folder), ['client-src-fields-view-main-ts']);
  });

  it('is gone after it is stopped', async () => {
    await shared.stop();
    assert.equal(existsSync(shared.env[sharedBundles] ?? ''), false);
    await assert.rejects(pageBrowser());
  });
});
