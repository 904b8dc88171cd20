// Resources that checks use: one dataset with events at known times, and one for storing events.
import assert from 'node:assert/strict';
import { granted, type World } from './check.ts';
import { Requests, type Target } from './target.ts';

/** The range of the event times, including its start. */
export const START = '2026-01-01T00:00:00Z';
export const END = '2026-01-02T00:00:00Z';
export const EVENTS = 50;

/** The maximum time until queries find stored events. */
const VISIBLE_MS = 30_000;

/** Creates the resources that checks need. `close` deletes them. */
export async function openWorld(
  target: Target,
): Promise<World & { readonly close: () => Promise<void> }> {
  const requests = new Requests(target);
  const [dataset, scratch] = [requests.name(), requests.name()];
  for (const name of [dataset, scratch]) {
    await granted(requests, 'createDataset', { body: { name, description: 'contract' } });
  }
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    _time: new Date(Date.parse(START) + i * 60_000).toISOString(),
    n: i,
    host: `h${i % 3}`,
    geo: { city: 'Porto' },
  }));
  const params = { dataset_name: dataset };
  const { ingested } = await granted(requests, 'ingest', { params, body: events });
  assert.equal(ingested, EVENTS);
  await visible(requests, dataset);
  return {
    requests,
    dataset,
    scratch,
    close: async () => {
      for (const dataset_id of [dataset, scratch]) {
        await requests.call('deleteDataset', { params: { dataset_id } });
      }
    },
  };
}

/** Resolves after queries find the events, because the service stores them with a delay. */
async function visible(requests: Requests, dataset: string): Promise<void> {
  const deadline = Date.now() + VISIBLE_MS;
  const body = { apl: `['${dataset}'] | count`, startTime: START, endTime: END };
  for (;;) {
    const answer = await granted(requests, 'queryEdge', { query: '?format=tabular', body });
    const count = answer.tables[0].columns[0][0];
    if (count === EVENTS) return;
    assert.ok(Date.now() < deadline, `${count} of ${EVENTS} events are found`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
