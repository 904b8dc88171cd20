// A run waits for the pending edits of its document before it starts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { editing, settled } from '../../../client/src/languageServer/pendingEdits.ts';

describe('waiting for the edits of a document', () => {
  it('includes edits that start during the wait', async () => {
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

  it('ignores edits of other documents and edits already applied', async () => {
    const document = {};
    let make = () => {};
    void editing(document, new Promise<void>((resolve) => (make = resolve)));
    await settled({}, 60_000);
    make();
    await settled(document, 60_000);
    await settled(document, 60_000);
  });

  it('ends when an edit fails', async () => {
    const document = {};
    editing(document, Promise.reject(new Error('The window is gone.'))).catch(() => undefined);
    await settled(document, 60_000);
  });

  it('ends after the timeout even if an edit is still pending', async () => {
    const document = {};
    void editing(document, new Promise(() => undefined));
    const start = performance.now();
    await settled(document, 50);
    const waited = performance.now() - start;
    assert.ok(waited >= 45 && waited < 2_000, `${waited} ms`);
  });
});
