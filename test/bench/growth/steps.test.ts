/** The arithmetic of the growth bench. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constant, type Grown, growthTable, perSize, steps } from './steps.ts';

const sizes = [1_000, 10_000, 100_000];
const row = (work: Grown['row']['work'], figures: readonly number[]): Grown => ({
  row: { name: 'count', unit: 'ms', work },
  figures,
});

test('time that grows as its work holds the bar at each step', () => {
  const found = steps('events', sizes, row(perSize('events'), [10, 100, 1_000]));
  assert.deepEqual(
    found.map(({ measure, ratio, holds }) => ({ measure, ratio, holds })),
    [
      { measure: 'events 1,000 to 10,000: count', ratio: 1, holds: true },
      { measure: 'events 10,000 to 100,000: count', ratio: 1, holds: true },
    ],
  );
});

test('quadratic time misses the bar', () => {
  const [first] = steps('events', sizes, row(perSize('events'), [10, 1_000, 100_000]));
  assert.deepEqual([first?.ratio, first?.holds], [10, false]);
});

test('an excess of at most five milliseconds is noise', () => {
  const found = steps('events', sizes, row(constant, [1, 6, 12]));
  assert.deepEqual(
    found.map(({ holds }) => holds),
    [true, false],
  );
});

test('the table has a figure per size and marks the ratios over the bar', () => {
  assert.deepEqual(growthTable('events', sizes, [row(constant, [100, 120, 480])]), [
    ['events', 'unit', 'work', '1,000', '10,000', 'growth/work', '100,000', 'growth/work'],
    ['count', 'ms', 'constant', '100', '120', '1.20', '480', '4.00 !'],
  ]);
});
