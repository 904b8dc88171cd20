// The packaged extension, as a user installs it: nothing of the repository is loaded, and a query is
// answered by the local deployment that the package carries.
import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { launchBrowser } from '../../scripts/host/browser.ts';
import { focusEditor, readResults } from '../../scripts/host/driver.ts';
import { landingPageLink, stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { repository } from '../../scripts/host/paths.ts';
import { run } from '../../scripts/host/processes.ts';
import { createProfile } from '../../scripts/host/profile.ts';
import { installExtension, startVscodeServer } from '../../scripts/host/server.ts';
import { openWorkbench } from '../../scripts/host/workbench.ts';

it('the VSIX holds what it runs, installs and answers a query', { timeout: 600_000 }, async () => {
  const profile = await createProfile();
  const stops: (() => Promise<void>)[] = [profile.remove, () => stopLocalDeployment(profile)];
  try {
    const vsix = join(profile.root, 'aplomb.vsix');
    await run(process.execPath, ['scripts/package.ts', '--out', vsix], { cwd: repository });
    assert.ok((await stat(vsix)).size < 60e6);
    await installExtension(vsix, profile);
    const installed = await readdir(profile.extensionsDirectory, { recursive: true });
    assert.ok(installed.some((path) => path.endsWith('duckdb.node')));
    assert.ok(installed.some((path) => path.endsWith('docs/diagnostics/unknown-column.md')));
    const source = /\.ts$|\.map$|tsconfig|package-lock|(^|\/)(test|scripts|src)(\/|$)/;
    assert.deepEqual(
      installed.filter((path) => source.test(path)),
      [],
    );

    const folder = join(profile.root, 'workspace');
    const file = join(folder, 'first.apl');
    await mkdir(folder);
    await writeFile(file, 'print answer = 6 * 7, word = "forty-two"\n');
    const server = await startVscodeServer(profile);
    stops.push(server.stop);
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const { page } = await openWorkbench(browser, server, { folder, file });
    await focusEditor(page, 'first.apl');
    // The lens shows that the extension has started; until then the keys would only break the line.
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    await page.keyboard.press('Shift+Enter');
    const results = await readResults(page, (shown) => shown.rows.length === 1);
    assert.deepEqual(results.rows[0]?.slice(-2), ['42', 'forty-two']);
    // The page of the local deployment is found beside its bundle.
    const landing = await browser.newPage();
    await landing.goto((await landingPageLink(profile)) ?? 'about:blank');
    await landing.getByText('There are no datasets that this token may query').waitFor();
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
});
