// The checks of the contract, and the world that they run in.
import assert from 'node:assert/strict';
import { constraintChecks } from './cases/constraints.ts';
import { edgeChecks } from './cases/edges.ts';
import { rowChecks } from './cases/rows.ts';
import { ruleChecks } from './cases/rules.ts';
import { type Check, granted, type World } from './check.ts';
import { Requests, type Target } from './target.ts';

export const checks: readonly Check[] = [
  ...rowChecks,
  ...constraintChecks,
  ...ruleChecks,
  ...edgeChecks,
];

/** Times of the events, so that ranges can be asked for. */
export const START = '2026-01-01T00:00:00Z';
export const END = '2026-01-02T00:00:00Z';
export const EVENTS = 50;

/** Makes what checks need. `close` removes it again. */
export async function openWorld(
  target: Target,
): Promise<World & { readonly close: () => Promise<void> }> {
  const requests = new Requests(target);
  const dataset = requests.name();
  await granted(requests, 'createDataset', { body: { name: dataset, description: 'contract' } });
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    _time: new Date(Date.parse(START) + i * 60_000).toISOString(),
    n: i,
    host: `h${i % 3}`,
    'geo.city': 'Porto',
  }));
  const params = { dataset_name: dataset };
  const { ingested } = await granted(requests, 'ingest', { params, body: events });
  assert.equal(ingested, EVENTS);
  return {
    requests,
    dataset,
    close: async () => {
      await requests.call('deleteDataset', { params: { dataset_id: dataset } });
    },
  };
}

/** Whether a check can be made of a target. */
export function isPossible({ personal }: Check, target: Target): boolean {
  return personal !== true || target.personalToken !== undefined;
}
