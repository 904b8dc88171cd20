// Calls every function and aggregate with arguments of 7 MB: a canceled query frees the processor
// quickly, so none makes the deployment restart.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawn } from '../drawn.ts';
import { Deployment } from './deployment.ts';
import { cancelled, fillHuge, hugeCalls } from './hugeArguments.ts';

/** Maximum processor time of a query after its cancellation, in seconds. */
const SECONDS_MAX = 2;

/** On a loaded machine, the same query may take several times as long. */
const ATTEMPTS = 3;

/** A loaded machine may need longer than the default before a restart. */
const STUCK_MS = 60_000;

let local: Deployment;
let stuck = 0;
before(async () => {
  const onStuck = () => void stuck++;
  local = await Deployment.open({ memoryLimit: '3GB', stuckMs: STUCK_MS, onStuck });
  await fillHuge(local);
});
after(() => local.close());

async function isFreedSoon(apl: string): Promise<void> {
  const seconds: number[] = [];
  while (seconds.length < ATTEMPTS) {
    seconds.push(await cancelled(local, apl, 1));
    if (seconds.at(-1)! <= SECONDS_MAX) break;
  }
  assert.ok(Math.min(...seconds) <= SECONDS_MAX, `${apl}: ${seconds.join(', ')} s`);
  assert.equal(stuck, 0, apl);
}

describe('canceling a call with huge arguments frees the processor', () => {
  for (const { name, queries } of drawn(hugeCalls)) {
    it(name, async () => {
      for (const apl of queries) await isFreedSoon(apl);
    });
  }
});

describe('canceling mv-expand of huge arrays and objects in many rows frees the processor', () => {
  const rows = 'huge | mv-expand copy = range(1, 50, 1)';
  const expansions = {
    numbers: 'mv-expand item = numbers | count',
    'typed numbers': 'mv-expand item = numbers to typeof(long) | summarize sum(item)',
    strings: 'mv-expand item = addresses | where item == "10.1.2.3" | count',
    objects: 'mv-expand item = messages | summarize count() by tostring(item.role)',
    'members of an object': 'mv-expand item = members | count',
    'pairs of an object': 'mv-expand kind=array item = members | count',
    'two arrays':
      'mv-expand with_itemindex=place a = numbers, b = addresses | summarize max(place)',
  };
  for (const [name, expansion] of drawn(Object.entries(expansions))) {
    it(name, () => isFreedSoon(`${rows} | ${expansion}`));
  }
});

const ranges = Array.from({ length: 20_000 }, (_, i) => `"10.${i >> 8}.${i & 255}.0/24"`).join(
  ', ',
);
const lists = { arguments: ranges, array: `dynamic([${ranges}])` };
const versions = ['ipv4', 'ipv6'];

describe('canceling a membership test on 20,000 IP ranges', () => {
  const rows = 'print i = range(1, 4000, 1) | mv-expand i to typeof(long)';
  const cases = versions.flatMap((version) =>
    Object.entries(lists).map(([form, list]) => ({ version, form, list })),
  );
  for (const { version, form, list } of drawn(cases)) {
    const call = (address: string) => `${version}_is_in_any_range(${address}, ${list})`;
    it(`frees the processor (constant ${version} address, ranges as ${form})`, async () => {
      await isFreedSoon(`print x = ${call('"11.0.0.1"')}`);
    });
    it(`frees the processor (${version} addresses from a column, ranges as ${form})`, async () => {
      const addresses = `${rows} | extend a = strcat("11.0.0.", tostring(i % 200))`;
      await isFreedSoon(`${addresses} | summarize countif(${call('a')})`);
    });
  }
});
