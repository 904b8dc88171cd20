/** An earlier answer in a comparison has the filters of the current answer. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import { ResultTabs } from '../../../client/src/answers/tabs.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import { HeldTables } from '../../../client/src/results/host/heldTables.ts';
import type { AnswersHostParts } from '../../../client/src/results/host/parts.ts';
import { byMethod } from './chartSamples.ts';
import { bodyOf, result } from './samples.ts';

it('an earlier answer in a comparison has the filters of the current answer until they are cleared', async () => {
  const store = new ResultsStore({
    worker: new URL('../../../client/src/answers/worker/main.ts', import.meta.url),
    maxBytes: 1_000_000_000,
  });
  try {
    const tables = new HeldTables({
      store,
      tabs: new ResultTabs(),
      arrangements: new Arrangements({ get: () => undefined, update: async () => {} } as never),
    } as unknown as AnswersHostParts);
    const held = async (bins: number) => {
      const about = {
        title: 'query',
        query: 'query',
        deployment: 'Local',
        startTime: 'now-1h',
        endTime: 'now',
        rangeLabel: 'last 1 hour',
        askedAt: 0,
        statesColumnOrder: false,
      };
      const arriving = store.begin(about, false);
      await arriving.write(Buffer.from(bodyOf(result([byMethod(bins)]))));
      return (await arriving.finish({ roundTripMilliseconds: 1 })).id;
    };
    const [now, earlier] = [await held(60), await held(30)];
    const place = { answer: earlier, table: 0 };
    const methods = async () => {
      const span = { from: 0, to: 200, columns: [1], timeZone: 'utc' } as const;
      const { rows } = await store.rows('window', { ...place, ...span });
      return [...new Set(rows.flat())];
    };
    const filters = [
      { column: 1, kind: 'values', values: [{ kind: 'text', text: 'GET' }] },
    ] as const;
    tables.updateView(now, 0, (view) => ({ ...view, filters }));
    await tables.filterAs(place, now);
    assert.deepEqual(await methods(), ['GET']);
    tables.updateView(now, 0, (view) => ({ ...view, filters: [] }));
    await tables.filterAs(place, now);
    assert.equal((await methods()).length, 5);
  } finally {
    await store.dispose();
  }
});
