/** The most used functions are planned, except those that cannot run locally. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { aggregatePlans } from '../../../local/src/planner/aggregates.ts';
import { functionPlans } from '../../../local/src/planner/functions.ts';
import { mostUsed } from './mostUsed.ts';

/** Rejected with a reason. */
const refused = ['geo_info_from_ip_address', 'parse_sql'];

it("the most used functions are supported, except two that can't run locally", () => {
  const plans: Readonly<Record<string, object>> = { ...functionPlans, ...aggregatePlans };
  const supported = mostUsed.filter(([name]) => {
    const plan = plans[name];
    return plan !== undefined && !('unsupported' in plan);
  });
  const names = new Set(supported.map(([name]) => name));
  assert.equal(supported.length, mostUsed.length - refused.length);
  assert.deepEqual(
    mostUsed.map(([name]) => name).filter((name) => !names.has(name)),
    refused,
  );
});
