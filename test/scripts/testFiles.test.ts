/** How test files run: those that show a browser or VS Code with the windows, and what has its own process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kindOf, type TestKind, testFiles } from '../../scripts/testFiles.ts';
import { root } from '../house/sources.ts';

const kinds: Readonly<Record<TestKind, readonly string[]>> = {
  plain: ['test/language/queries.test.ts', 'test/language/fuzz.test.ts'],
  unit: [
    'test/local/answers.test.ts',
    'test/cli/resources.test.ts',
    'test/client/api/misbehaving.test.ts',
    'test/client/time/localTime.test.ts',
  ],
  page: ['test/client/results/view.test.ts', 'test/local/page/landing.test.ts'],
  window: ['test/host/results.test.ts', 'test/host/vsix.test.ts'],
};

describe('the test files', () => {
  it('are found in all folders', () => {
    const files = testFiles();
    assert.ok(files.length > 300);
    assert.deepEqual(files, [...new Set(files)]);
  });

  it('need ClickHouse only if a pattern names them', () => {
    const file = 'test/engines/server/life.test.ts';
    assert.ok(!testFiles().includes(file));
    assert.ok(testFiles(['test/engines/**/*.test.ts']).includes(file));
    assert.equal(kindOf(file), 'unit');
  });

  for (const [kind, files] of Object.entries(kinds))
    for (const file of files)
      it(`${file} is ${kind}`, () => {
        assert.ok(testFiles().includes(file));
        assert.equal(kindOf(file), kind);
      });

  it('are run only with known options', () => {
    const args = [join(root, 'scripts/tests.ts'), '--unknown'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /unit\|windows/);
  });
});
