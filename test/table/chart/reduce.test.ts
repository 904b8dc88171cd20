/** Reduces series that have more points than a screen can show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reducedIndexes, reducedTogether } from '../../../table/src/chart/reduce.ts';
import { patient } from '../tables.ts';

/** Returns a generator of the same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a reduced series', () => {
  it('keeps the first, minimum, maximum and last point of every interval unchanged', async () => {
    const next = random(7);
    const count = 50_000;
    const times = Float64Array.from({ length: count }, (_, at) => at * 10 + Math.floor(next() * 9));
    const values = Float64Array.from({ length: count }, () =>
      next() < 0.05 ? Number.NaN : next() - 0.5,
    );
    values[12_345] = 1_000;
    values[40_001] = -1_000;
    const kept = await reducedIndexes(times, values, 400, patient);
    assert.ok(kept.length <= 400, String(kept.length));
    assert.deepEqual(
      [...kept],
      [...kept].sort((left, right) => left - right),
    );
    const isKept = new Set(kept);
    assert.ok(isKept.has(12_345) && isKept.has(40_001));
    const width = ((times[count - 1] as number) - (times[0] as number)) / 100;
    for (let span = 0; span < 100; span++) {
      const inside = Array.from(times.keys()).filter(
        (at) =>
          Math.min(99, Math.floor(((times[at] as number) - (times[0] as number)) / width)) ===
            span && !Number.isNaN(values[at]),
      );
      const numbers = inside.map((at) => values[at] as number);
      const keptHere = inside.filter((at) => isKept.has(at)).map((at) => values[at] as number);
      assert.equal(Math.min(...keptHere), Math.min(...numbers));
      assert.equal(Math.max(...keptHere), Math.max(...numbers));
      assert.ok(isKept.has(inside[0] as number) && isKept.has(inside.at(-1) as number));
    }
  });

  it('keeps a gap that is longer than an interval', async () => {
    const times = Float64Array.from({ length: 1_000 }, (_, at) => at);
    const values = times.map((_, at) => (at >= 400 && at < 600 ? Number.NaN : at));
    const kept = await reducedIndexes(times, values, 40, patient);
    assert.ok([...kept].some((at) => Number.isNaN(values[at])));
  });

  it('has one point if the series has a single time or no values', async () => {
    assert.deepEqual(
      [...(await reducedIndexes(Float64Array.of(5), Float64Array.of(1), 4, patient))],
      [0],
    );
    const nulls = new Float64Array(10).fill(Number.NaN);
    assert.equal(
      (
        await reducedIndexes(
          nulls.map((_, at) => at),
          nulls,
          4,
          patient,
        )
      ).length,
      1,
    );
  });
});

describe('a reduced stack', () => {
  it('keeps the extremes of each series and of the sum, at common times', async () => {
    const next = random(11);
    const times = Float64Array.from({ length: 10_000 }, (_, at) => at);
    const series = Array.from({ length: 20 }, () => times.map(() => next()));
    for (const [index, values] of series.entries()) values[index * 401 + 7] = 50 + index;
    const kept = await reducedTogether(times, series, 400, patient);
    assert.ok(kept.length <= 420, String(kept.length));
    for (const values of series) {
      const all = [...kept].map((at) => values[at] as number);
      assert.equal(Math.max(...all), Math.max(...values));
      assert.equal(Math.min(...all), Math.min(...values));
    }
    const sums = times.map((_, at) =>
      series.reduce((sum, values) => sum + (values[at] as number), 0),
    );
    assert.ok([...kept].includes(sums.indexOf(Math.max(...sums))));
  });
});
