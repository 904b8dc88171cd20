// Work that would wait for its turn is done in one go, by key and in lots.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Together } from '../../local/src/store/ingest/together.ts';

const never = new AbortController().signal;
const nothing = new Set<unknown>();

/** A queue whose work notes the items it is handed. */
function queue(enough = 10, atOnce = 1) {
  const together = new Together<string, number>(enough, atOnce);
  const done: string[] = [];
  const work = async (items: readonly string[]) => {
    done.push(items.join(''));
    await sleep(5);
    if (items.includes('!')) throw new Error('broken');
    return items.length;
  };
  const run = (item: string, { key = 'k', signal = never, coming = nothing } = {}) =>
    together.run({ key, item, weight: 1, work, signal }, coming);
  return { run, done };
}

describe('work that waits', () => {
  it('is done in one go when its turn comes', async () => {
    const { run, done } = queue();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd']);
    assert.deepEqual(results, [4, 4, 4, 4]);
    const first = run('e');
    await sleep(1);
    assert.deepEqual(await Promise.all([first, run('f'), run('g')]), [1, 2, 2]);
    assert.deepEqual(done, ['abcd', 'e', 'fg']);
  });

  it('is done in as many lots at once as may be', async () => {
    const together = new Together<string, number>(10, 2);
    const lots: { items: string; end: () => void }[] = [];
    const work = (items: readonly string[]) =>
      new Promise<number>((end) =>
        lots.push({ items: items.join(''), end: () => end(items.length) }),
      );
    const run = async (item: string) => {
      const result = together.run({ key: 'k', item, weight: 1, work, signal: never }, nothing);
      await sleep(1);
      return { result };
    };
    const results = [await run('a'), await run('b'), await run('c'), await run('d')];
    assert.deepEqual(
      lots.map(({ items }) => items),
      ['a', 'b'],
    );
    lots[1]!.end();
    assert.equal(await results[1]!.result, 1);
    await sleep(1);
    assert.equal(lots[2]!.items, 'cd');
    for (const { end } of lots) end();
    assert.deepEqual(await Promise.all(results.map(({ result }) => result)), [1, 1, 2, 2]);
  });

  it('leaves to the next lot what is more than twice enough', async () => {
    const { run, done } = queue(2);
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => run(item)));
    assert.deepEqual(done, ['abcd', 'ef']);
  });

  it('goes with what has its key only, in the order in which it came', async () => {
    const { run, done } = queue();
    const keys = ['x', 'y', 'x', 'y', 'z'];
    await Promise.all(keys.map((key, index) => run(`${index}`, { key })));
    assert.deepEqual(done, ['02', '13', '4']);
  });

  it('fails together, and what comes later does not', async () => {
    const { run, done } = queue();
    const broken = [run('a'), run('!')];
    for (const each of broken) await assert.rejects(each, /broken/);
    assert.equal(await run('b'), 1);
    assert.deepEqual(done, ['a!', 'b']);
  });

  it('is left out once it is given up', async () => {
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

  it('waits for what is known to come, until it is enough', async () => {
    const { run, done } = queue(3);
    const coming = new Set<unknown>(['b', 'c', 'never']);
    const first = run('a', { coming });
    await sleep(20);
    assert.deepEqual(done, []);
    await Promise.all([first, run('b', { coming }), run('c', { coming })]);
    assert.deepEqual(done, ['abc']);
    await run('d', { coming });
    assert.deepEqual(done, ['abc', 'd']);
  });
});
