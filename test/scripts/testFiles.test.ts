/** The two sets of test files: each file is in one of them, and those that show a window run with the windows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testFiles } from '../../scripts/testFiles.ts';
import { filesBelow, importsOf, root } from '../house/sources.ts';

/** Modules that open a browser or VS Code. */
const openers = ['scripts/host/browser.ts', '@vscode/test-electron'];

const sources = new Map(
  ['test', 'scripts'].flatMap((folder) =>
    filesBelow(folder, ['.ts']).map((file) => [file.path, file]),
  ),
);

/** Whether a file imports one of the openers, or a file that does. */
function opensWindow(path: string, seen = new Set<string>()): boolean {
  const file = sources.get(path);
  if (file === undefined || seen.has(path)) return false;
  seen.add(path);
  return importsOf(file).some((target) => openers.includes(target) || opensWindow(target, seen));
}

describe('the test files', () => {
  it('are each in one set', () => {
    const all = [...sources.keys()].filter((path) => /^test\/.*\.test\.ts$/.test(path));
    assert.ok(all.length > 100);
    assert.deepEqual([...testFiles('unit'), ...testFiles('windows')].sort(), all.sort());
  });

  it('that open a browser or VS Code are those with windows', () => {
    const opening = [...sources.keys()].filter((path) => path.endsWith('.test.ts'));
    assert.deepEqual(
      opening.filter((path) => opensWindow(path) && testFiles('unit').includes(path)),
      [],
    );
    assert.ok(opensWindow('test/client/results/view.test.ts'));
    assert.ok(opensWindow('test/host/results.test.ts'));
  });

  it('are run by a set that is named, and by no other word', () => {
    const args = [join(root, 'scripts/tests.ts'), 'all'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /unit\|windows/);
  });
});
