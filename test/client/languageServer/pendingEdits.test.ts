// How long a run waits for the edits of its document.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { editing, settled } from '../../../client/src/languageServer/pendingEdits.ts';

describe('the edits of a document', () => {
  it('are waited for, including those that start meanwhile', async () => {
    const document = {};
    const done: string[] = [];
    const second = async () => {
      await delay(20);
      done.push('second');
    };
    const first = async () => {
      await delay(20);
      void editing(document, second());
      done.push('first');
    };
    void editing(document, first());
    await settled(document);
    assert.deepEqual(done, ['first', 'second']);
  });

  it('are not waited for by other documents or after they are applied', async () => {
    const document = {};
    let make = () => {};
    void editing(document, new Promise<void>((resolve) => (make = resolve)));
    await settled({}, 60_000);
    make();
    await settled(document, 60_000);
    await settled(document, 60_000);
  });

  it('can fail', async () => {
    const document = {};
    editing(document, Promise.reject(new Error('The window is gone.'))).catch(() => undefined);
    await settled(document, 60_000);
  });

  it('are no longer waited for after a timeout', async () => {
    const document = {};
    void editing(document, new Promise(() => undefined));
    const start = performance.now();
    await settled(document, 50);
    const waited = performance.now() - start;
    assert.ok(waited >= 45 && waited < 2_000, `${waited} ms`);
  });
});
