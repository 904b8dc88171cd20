/** A new function or aggregate needs one file in the language and one in the planner. The compiler reports both. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ScratchCopy } from './scratchCompile.ts';

const rows = 'language/src/functions/string.ts';
const aggregateRows = 'language/src/functions/aggregates.ts';
const plans = 'local/src/planner/functions/string.ts';
const aggregatePlans = 'local/src/planner/aggregates.ts';
const planRegistry = 'local/src/planner/functions.ts';

let copy: ScratchCopy;
before(async () => {
  copy = await ScratchCopy.create();
});
after(() => copy.delete());

describe('a new function and a new aggregate', () => {
  it('with catalog rows only, cause errors in two files each', async () => {
    await copy.insertAfter(rows, "area('string', {", "pretended: fn([string('text')], 'long'),");
    await copy.insertAfter(
      aggregateRows,
      "'aggregation',\n  {",
      "pretended_count: fn([], 'long'),",
    );
    assert.deepEqual(
      await copy.filesWithErrors(),
      [rows, planRegistry, aggregateRows, aggregatePlans].sort(),
    );
  });

  it('with documentation and plans, compile without another change', async () => {
    const prose = 'ProseRow>> = {';
    await copy.insertAfter(rows, prose, "pretended: ['Pretends.', 'pretended(uri)'],");
    await copy.insertAfter(
      aggregateRows,
      prose,
      "pretended_count: ['Pretends.', 'pretended_count()'],",
    );
    await copy.insertAfter(
      plans,
      'export const stringFunctions = {',
      "pretended: simple(['string'], 'long', 'length'),",
    );
    await copy.insertAfter(
      aggregatePlans,
      'Record<AggregateName, Planned>> = {',
      "pretended_count: { plan: () => value(sql`count(*)`, 'long') },",
    );
    assert.deepEqual(await copy.filesWithErrors(), []);
  });
});
