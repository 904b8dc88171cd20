// Listeners are added and removed while an event is fired.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../client/src/host/emitter.ts';

describe('an emitter', () => {
  it('calls each listener with each value until the listener or the emitter is disposed', () => {
    const emitter = new Emitter<number>();
    const calls: string[] = [];
    const first = emitter.event((value) => calls.push(`first ${value}`));
    emitter.event((value) => calls.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    emitter.dispose();
    emitter.fire(3);
    assert.deepEqual(calls, ['first 1', 'second 1', 'second 2']);
  });

  it('calls a listener that was added during an event from the next event on', () => {
    const emitter = new Emitter<number>();
    const calls: number[] = [];
    const first = emitter.event(() => {
      first.dispose();
      emitter.event((value) => calls.push(value));
    });
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(calls, [2]);
  });
});
