/** The colors of series: each keeps its own in a tab, and they are as different as the palette allows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ColorMemory } from '../../../client/src/charts/view/module.ts';
import { palettes } from '../../../client/src/charts/view/palette.ts';
import { maxRemembered, slotsOf } from '../../../client/src/charts/view/seriesColors.ts';

const colorCount = palettes.light.length;

function memory(): ColorMemory & { readonly writes: number } {
  let slots: ReturnType<ColorMemory['read']> = [];
  let writes = 0;
  return {
    get writes() {
      return writes;
    },
    read: () => slots,
    write: (next) => {
      slots = next;
      writes += 1;
    },
  };
}

const keys = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `series ${from + index}`);

/** Counts the series of each color. */
function uses(slots: ReadonlyMap<string, number>): number[] {
  const counts = Array.from({ length: colorCount }, () => 0);
  for (const slot of slots.values())
    counts[slot % colorCount] = (counts[slot % colorCount] ?? 0) + 1;
  return counts;
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the colors of series', () => {
  it('are assigned in the order of the palette', () => {
    assert.deepEqual(
      [...slotsOf(['c', 'a', 'b'], memory())],
      [
        ['c', 0],
        ['a', 1],
        ['b', 2],
      ],
    );
  });

  it('are kept when series are reordered, removed and added', () => {
    const kept = memory();
    slotsOf(['a', 'b', 'c'], kept);
    assert.deepEqual(Object.fromEntries(slotsOf(['c', 'd', 'a'], kept)), { a: 0, c: 2, d: 3 });
    assert.deepEqual(Object.fromEntries(slotsOf(['d', 'c', 'b', 'a'], kept)), {
      a: 0,
      b: 1,
      c: 2,
      d: 3,
    });
  });

  it('are written only if series were added', () => {
    const kept = memory();
    slotsOf(['a', 'b'], kept);
    slotsOf(['b'], kept);
    assert.equal(kept.writes, 1);
  });

  it('start with the first color in a chart of new series, and do not change earlier series', () => {
    const kept = memory();
    slotsOf(keys(5), kept);
    assert.deepEqual([...slotsOf(['other'], kept).values()], [0]);
    assert.deepEqual([...slotsOf(keys(5), kept).values()], [0, 1, 2, 3, 4]);
  });

  it('are used equally often, and no two series share color and dash, whatever was shown before', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed);
      const kept = memory();
      for (let round = 0; round < 12; round++) {
        const shown = new Set(keys(1 + next(30)).map((_, index) => `series ${next(40) + index}`));
        const slots = slotsOf([...shown], kept);
        assert.equal(slots.size, shown.size);
        const most = Math.ceil(shown.size / colorCount);
        assert.ok(Math.max(...uses(slots)) <= most, `${seed}: ${uses(slots)}`);
        assert.equal(new Set(slots.values()).size, shown.size, 'no two have color and dash alike');
        assert.deepEqual(
          slotsOf([...shown].reverse(), kept),
          new Map([...slots].reverse()),
          'the same series have the same colors in any order',
        );
      }
    }
  });

  it('are kept when a few of many series are replaced', () => {
    const kept = memory();
    const before = slotsOf(keys(100), kept);
    const after = slotsOf([...keys(97), ...keys(3, 200)].reverse(), kept);
    for (const key of keys(97)) assert.equal(after.get(key), before.get(key), key);
  });

  it('are remembered for a limited number of series, including all visible ones', () => {
    const kept = memory();
    const shown = keys(50);
    slotsOf(shown, kept);
    for (let round = 0; round < 20; round++)
      slotsOf([...shown, ...keys(50, 1_000 + round * 50)], kept);
    assert.equal(kept.read().length, maxRemembered);
    assert.deepEqual(
      kept
        .read()
        .slice(0, 50)
        .map(([key]) => key),
      shown,
    );
  });
});
