// Queued work is done in batches with the same key.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchQueue } from '../../local/src/store/ingest/batchQueue.ts';

const never = new AbortController().signal;
const nothing = new Set<unknown>();

/** Creates a queue whose work records the items it receives. */
function queue(batchWeight = 10) {
  const batches = new BatchQueue<string, number>(batchWeight);
  const done: string[] = [];
  const work = async (items: readonly string[]) => {
    done.push(items.join(''));
    await sleep(5);
    if (items.includes('!')) throw new Error('broken');
    return items.length;
  };
  const run = (item: string, { key = 'k', signal = never, expected = nothing } = {}) =>
    batches.run({ key, item, weight: 1, work, signal }, expected);
  return { run, done };
}

describe('queued work', () => {
  it('runs as one batch when its turn comes', async () => {
    const { run, done } = queue();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd']);
    assert.deepEqual(results, [4, 4, 4, 4]);
    const first = run('e');
    await sleep(1);
    assert.deepEqual(await Promise.all([first, run('f'), run('g')]), [1, 2, 2]);
    assert.deepEqual(done, ['abcd', 'e', 'fg']);
  });

  it('is read one batch at a time, while at most one other batch is committed', async () => {
    const batches = new BatchQueue<string, number>(10);
    const started: { items: string; read: () => void; end: () => void }[] = [];
    const work = (items: readonly string[], read: () => void) =>
      new Promise<number>((resolve) =>
        started.push({ items: items.join(''), read, end: () => resolve(items.length) }),
      );
    const results: Promise<number>[] = [];
    const run = async (...items: string[]) => {
      for (const item of items)
        results.push(batches.run({ key: 'k', item, weight: 1, work, signal: never }, nothing));
      await sleep(1);
    };
    const batchesSoFar = () => started.map(({ items }) => items);
    await run('a');
    await run('b', 'c');
    assert.deepEqual(batchesSoFar(), ['a']);
    started[0]!.read();
    await sleep(1);
    await run('d');
    assert.deepEqual(batchesSoFar(), ['a', 'bc']);
    started[1]!.read();
    await sleep(1);
    assert.deepEqual(batchesSoFar(), ['a', 'bc']);
    started[0]!.end();
    await sleep(1);
    assert.deepEqual(batchesSoFar(), ['a', 'bc', 'd']);
    for (const { end } of started) end();
    assert.deepEqual(await Promise.all(results), [1, 2, 2, 1]);
  });

  it('is left for the next batch once a batch has twice the batch weight', async () => {
    const { run, done } = queue(2);
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd', 'ef']);
  });

  it('is batched only with work of the same key, in order of arrival', async () => {
    const { run, done } = queue();
    const keys = ['x', 'y', 'x', 'y', 'z'];
    await Promise.all(keys.map((key, index) => run(`${index}`, { key })));
    assert.deepEqual(done, ['02', '13', '4']);
  });

  it('fails if its batch fails, and later work succeeds', async () => {
    const { run, done } = queue();
    const broken = [run('a'), run('!')];
    for (const each of broken) await assert.rejects(each, /broken/);
    assert.equal(await run('b'), 1);
    assert.deepEqual(done, ['a!', 'b']);
  });

  it('is removed if it is aborted', async () => {
    const { run, done } = queue();
    const abort = new AbortController();
    const running = run('a');
    await sleep(1);
    const waiting = [run('b', { signal: abort.signal }), run('c')];
    abort.abort(new Error('given up'));
    await assert.rejects(waiting[0]!, /given up/);
    assert.deepEqual(await Promise.all([running, waiting[1]]), [1, 1]);
    assert.deepEqual(done, ['a', 'c']);
  });

  it('waits for expected work until the batch weight is reached', async () => {
    const { run, done } = queue(3);
    const expected = new Set<unknown>(['b', 'c', 'never']);
    const first = run('a', { expected });
    await sleep(20);
    assert.deepEqual(done, []);
    await Promise.all([first, run('b', { expected }), run('c', { expected })]);
    assert.deepEqual(done, ['abc']);
    await run('d', { expected });
    assert.deepEqual(done, ['abc', 'd']);
  });
});
