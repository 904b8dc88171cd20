// A process that runs plain test files one after another, as the runner names them. A file must leave no global
// changed, or the order of files would decide what passes.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { globalChanges, globalState } from './globals.ts';
import { endOfFile, type RunRequest } from './messages.ts';

// Starts Node's runner, which adds listeners to the process.
before(() => {});

process.on('message', async ({ file }: RunRequest) => {
  const state = globalState();
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    it('loads', () => {
      throw error;
    });
  }
  // Cases of one level run in their order, so this one ends the file.
  it(endOfFile, () => assert.deepEqual(globalChanges(state), []));
});
