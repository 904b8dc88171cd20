/** The text that carries a chart to its page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartText, parseChart } from '../../../client/src/charts/chartText.ts';
import { packNumbers, unpackNumbers } from '../../../client/src/charts/packedNumbers.ts';
import type { ChartData, TimeSeriesData } from '../../../table/src/chart/chart.ts';

/** Returns numbers from 0 to 1 that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const minute = 60_000;
const start = Date.UTC(2026, 10, 21, 9);

describe('packed numbers', () => {
  const cases: readonly (readonly [name: string, numbers: readonly (number | null)[]])[] = [
    ['no numbers', []],
    ['one zero', [0]],
    ['nulls alone', [null, null]],
    ['counts with gaps', [3, null, 0, null, null, 12, 12, 11]],
    ['decimals', [0.1, 0.25, -0.001, 99.999999, null, -3]],
    ['times', [start, start + minute, start + 2 * minute]],
    ['fractions with all digits', [1 / 3, null, Math.PI, -2 / 7, 5e-324]],
    ['numbers beyond the limit for steps', [2 ** 50 + 1, -(2 ** 53), 1e300, Number.MAX_VALUE]],
    ['a large number next to decimals', [2 ** 49, 0.125]],
    ['the greatest steps', [2 ** 50, -(2 ** 50), 2 ** 50]],
  ];
  for (const [name, numbers] of cases)
    it(`are equal after packing: ${name}`, () => {
      assert.deepEqual(unpackNumbers(packNumbers(numbers)), numbers);
    });

  it('are equal after packing with any number of decimals', () => {
    const random = randomFrom(7);
    for (let digits = 0; digits <= 12; digits++) {
      const numbers = Array.from({ length: 200 }, () => {
        const size = 10 ** Math.floor(random() * 14);
        return random() < 0.1 ? null : Number(((random() - 0.5) * size).toFixed(digits)) + 0;
      });
      assert.deepEqual(unpackNumbers(packNumbers(numbers)), numbers, `${digits} decimals`);
    }
  });

  it('are equal after packing for random doubles and their neighbors', () => {
    const random = randomFrom(13);
    const below = (end: number) => Math.floor(random() * end);
    const bits = new DataView(new ArrayBuffer(8));
    /** Returns the double that follows the number by `steps` representable doubles. */
    const neighbor = (number: number, steps: number) => {
      bits.setFloat64(0, number);
      bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(steps));
      return bits.getFloat64(0);
    };
    const kinds = [
      () => {
        for (let at = 0; at < 8; at++) bits.setUint8(at, below(256));
        return bits.getFloat64(0);
      },
      () => neighbor(2 ** (1 + below(60)), below(5) - 2),
      () => neighbor(below(1e6) / 10 ** below(8) + 1, below(3) - 1),
      () => (2 ** 50 - below(3)) / 10 ** below(8),
      () => [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 5e-324][below(5)]!,
      () => -below(1_000) / 8,
    ];
    for (let round = 0; round < 20_000; round++) {
      const used = [kinds[below(kinds.length)]!, kinds[below(kinds.length)]!];
      const numbers = Array.from({ length: below(6) }, () =>
        below(8) === 0 ? null : used[below(2)]!(),
      );
      const expected = numbers.map((of) => (of === null || Number.isNaN(of) ? null : of + 0));
      assert.deepEqual(unpackNumbers(packNumbers(numbers)), expected, numbers.join());
    }
  });

  it('contain zero for negative zero, as JSON does', () => {
    for (const numbers of [
      [-0, 1],
      [-0, 1 / 3],
    ])
      assert.ok(Object.is(unpackNumbers(packNumbers(numbers))[0], 0));
  });

  it('take less than half of the length of JSON for values with three decimals that change little', () => {
    const random = randomFrom(11);
    let value = 100;
    const numbers = Array.from({ length: 1_000 }, () => {
      value += random() * 10 - 5;
      return Math.round(value * 1_000) / 1_000;
    });
    assert.ok(packNumbers(numbers).length * 2 < JSON.stringify(numbers).length);
  });
});

describe('the text of a chart', () => {
  const common = { column: 2, figures: { points: 2, min: '1', max: '2.5' } };
  const timeSeries: TimeSeriesData = {
    kind: 'timeSeries',
    series: [
      { ...common, key: 'a', name: 'a', y: [1, null, 2.5] },
      { ...common, key: 'b', name: 'b', x: [start, start + 1], y: [1 / 3, 7], folded: 3 },
    ],
    times: [start, start + minute, start + 2 * minute],
    binMilliseconds: minute,
    partial: { first: true, last: false },
    missing: 1,
    reduced: false,
    skipped: 0,
  };
  const scatter: ChartData = {
    kind: 'scatter',
    x: { column: 0, name: 'x', isTime: false },
    y: { column: 1, name: 'y' },
    series: [{ key: 'a', name: 'a', points: [[1, 2.5]] }],
    points: 1,
    skipped: 0,
  };
  for (const data of [timeSeries, scatter])
    it(`is read as the same chart: ${data.kind}`, () => {
      assert.deepEqual(parseChart(chartText(data)), data);
    });
});
