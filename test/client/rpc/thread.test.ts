/** Calls to a worker thread: transfer, progress, streams, cancellation, and threads that end. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../../../client/src/rpc/calls.ts';
import { ThreadClient } from '../../../client/src/rpc/thread.ts';
import type { EchoEvents, EchoMethods } from './echoWorker.ts';

function open({ idleMilliseconds = 60_000 } = {}) {
  const crashes: string[] = [];
  const client = new ThreadClient<EchoMethods, EchoEvents>({
    path: new URL('./echoWorker.ts', import.meta.url),
    name: 'echo',
    title: 'The echo',
    endedMessage: 'The echo was ended.',
    errorOf: ({ code, message }: Failure) => Object.assign(new Error(message), { code }),
    onCrash: (message) => crashes.push(message),
    idleMilliseconds,
  });
  return { client, crashes };
}

describe('a worker thread', () => {
  const { client } = open();
  before(() => client.call('double', 1));
  after(() => client.end());

  it('answers concurrent calls, and rejects a failed one with its error code', async () => {
    const calls = [1, 2, -1, 3].map((number) => client.call('double', number));
    const settled = await Promise.allSettled(calls);
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
      [2, 4, 'RangeError', 6],
    );
    assert.ok(client.isIdle);
  });

  it('transfers buffers in both directions', async () => {
    const sent = new Uint8Array([1, 2, 3]).buffer;
    const received = await client.call('bytes', sent, { transfer: [sent] });
    assert.equal(sent.byteLength, 0);
    assert.deepEqual([...new Uint8Array(received)], [1, 2, 3]);
  });

  it('reports progress at most ten times a second', async () => {
    const reports: number[] = [];
    const onProgress = ({ counted }: { readonly counted: number }) => reports.push(counted);
    const startedAt = performance.now();
    await client.call('count', 50, { onProgress });
    const most = (performance.now() - startedAt) / 100;
    assert.ok(reports.length >= 1 && reports.length <= most, `${reports} in ${most}`);
  });

  it('rejects a call whose signal is aborted during the call or before it', async () => {
    const controller = new AbortController();
    const call = client.call('count', 10_000, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(call, { code: 'cancelled' });
    const late = client.call('double', 1, { signal: controller.signal });
    await assert.rejects(late, { code: 'cancelled' });
    assert.ok(client.isIdle);
  });

  it('rejects a call or stream whose parameters cannot be cloned, without waiting for a reply', async () => {
    const { signal } = new AbortController();
    const unsendable = (() => 1) as never;
    await assert.rejects(client.call('double', unsendable, { signal }), { name: 'DataCloneError' });
    const stream = client.stream('numbers', unsendable);
    await assert.rejects(stream.next(), { name: 'DataCloneError' });
    assert.ok(client.isIdle);
    assert.equal(await client.call('double', 4), 8);
  });

  it('streams items in order, at most three items ahead of a slow reader', async () => {
    const read: number[] = [];
    for await (const number of client.stream('numbers', 8)) {
      read.push(number);
      if (number !== 2) continue;
      await sleep(20);
      // Three items were read, two are in transit, and one waits for credit.
      assert.ok((await client.call('made', null)).items <= 3 + 2 + 1);
    }
    assert.deepEqual(read, [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('delivers the items of a stream that precede its failure', async () => {
    const read: number[] = [];
    await assert.rejects(
      async () => {
        for await (const number of client.stream('numbers', 20)) read.push(number);
      },
      { code: 'RangeError', message: 'Thirteen.' },
    );
    assert.equal(read.length, 13);
  });

  it('ends a stream when its reader stops reading or its signal is aborted', async () => {
    const { ended } = await client.call('made', null);
    for await (const number of client.stream('numbers', 10)) if (number === 3) break;
    await sleep(10);
    assert.equal((await client.call('made', null)).ended, ended + 1);
    const controller = new AbortController();
    await assert.rejects(
      async () => {
        for await (const number of client.stream('numbers', 10, { signal: controller.signal }))
          if (number === 3) controller.abort();
      },
      { code: 'cancelled' },
    );
    assert.equal((await client.call('made', null)).ended, ended + 2);
    assert.ok(client.isIdle);
  });
});

describe('a worker thread that ends', () => {
  it('unexpectedly rejects pending calls and streams, reports one crash, and restarts with the next call', async (t) => {
    const { client, crashes } = open();
    t.after(() => client.end());
    const stream = client.stream('numbers', 10);
    await stream.next();
    const pending = [client.call('count', 10_000), client.call('exit', 3)];
    for (const call of pending)
      await assert.rejects(call, { code: 'gone', message: /The echo ended unexpectedly: .*3/ });
    await assert.rejects(
      async () => {
        for await (const _ of stream);
      },
      { code: 'gone' },
    );
    assert.equal(crashes.length, 1);
    assert.ok(client.isIdle);
    assert.equal(await client.call('double', 21), 42);
  });

  it('on request rejects pending calls without reporting a crash, and restarts with the next call', async (t) => {
    const { client, crashes } = open();
    t.after(() => client.end());
    const call = client.call('count', 10_000);
    const failed = assert.rejects(call, { code: 'gone', message: 'The echo was ended.' });
    await client.end();
    await failed;
    assert.deepEqual(crashes, []);
    assert.equal(await client.call('double', 4), 8);
  });

  it('does not restart for an event, which concerns an earlier call', async () => {
    const { client, crashes } = open();
    await client.call('double', 1);
    await client.end();
    client.send('exit', 4);
    await sleep(100);
    assert.deepEqual(crashes, []);
    await client.call('double', 1);
    client.send('exit', 4);
    while (crashes.length === 0) await sleep(5);
    assert.match(crashes[0] ?? '', /exit code 4/);
  });

  it('because it was idle restarts with the next call', async (t) => {
    const { client, crashes } = open({ idleMilliseconds: 10 });
    t.after(() => client.end());
    assert.equal((await client.call('made', null)).ended, 0);
    for await (const _ of client.stream('numbers', 1));
    await sleep(50);
    assert.equal((await client.call('made', null)).ended, 0);
    assert.deepEqual(crashes, []);
  });
});
