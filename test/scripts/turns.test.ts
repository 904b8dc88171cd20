/** The turns of the longest test files: each runs on one day of ten. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindOf, testFiles } from '../../scripts/testFiles.ts';
import { readTurns, turnLine, turnOf } from '../../scripts/tests/turns.ts';

const inTurns = readTurns().flat();

describe('the turns of the longest test files', () => {
  it('list existing files, each once', () => {
    const files = new Set(testFiles());
    assert.deepEqual(
      inTurns.filter((file, index) => !files.has(file) || inTurns.indexOf(file) !== index),
      [],
    );
  });

  it('run every file within ten consecutive days', () => {
    const days = Array.from({ length: 10 }, (_, day) => turnOf(String(20260101 + day)));
    assert.deepEqual(days.flatMap(({ files }) => files).sort(), [...inTurns].sort());
  });

  it('exclude the files of the nine other turns', () => {
    const { files, others } = turnOf('20261204');
    assert.deepEqual(files, readTurns()[4]);
    assert.deepEqual([...files, ...others].sort(), [...inTurns].sort());
    assert.ok(!files.some((file) => others.has(file)));
  });

  it('contain all files that start VS Code, except the test of the packaged extension', () => {
    const windows = testFiles(['test/{host,security}/**/*.test.ts']).filter(
      (file) => kindOf(file) === 'window',
    );
    assert.deepEqual(
      windows.filter((file) => !inTurns.includes(file)),
      ['test/host/vsix.test.ts'],
    );
  });

  it('are printed with the option that runs all files', () => {
    assert.match(
      turnLine(turnOf('20261204')),
      new RegExp(`^Turn 4 of 10: 5 of the ${inTurns.length} longest files\\..*npm test -- --all`),
    );
  });
});
