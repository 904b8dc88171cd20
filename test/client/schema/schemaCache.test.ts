// What the client keeps of datasets and fields: results correct a list that is out of date, and a failed
// request is repeated and never kept.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failed, type Outcome } from '../../../client/src/api/failure.ts';
import {
  type FetchedFields,
  fetchDatasets,
  fetchFields,
  type KnownSchema,
} from '../../../client/src/api/schema.ts';
import { SchemaCache } from '../../../client/src/schemaCache.ts';
import { json, LoopbackServer } from '../loopback.ts';

const field = { name: 'status', type: 'integer', unit: 'none', hidden: false, description: '' };
const views = { path: '/v2/views', status: 200 };

/** A cache over the client's own requests to a server whose datasets and failures change. */
async function setUp(server: LoopbackServer) {
  const service = server.service();
  const changes: (readonly string[] | undefined)[] = [];
  let notify: () => void = () => undefined;
  const cache = new SchemaCache(
    {
      datasets: (): Promise<Outcome<KnownSchema>> => fetchDatasets(service),
      fields: (dataset, hint): Promise<Outcome<FetchedFields>> =>
        fetchFields(service, dataset, hint),
    },
    {
      changed: (datasets) => {
        changes.push(datasets);
        notify();
      },
      learned: () => undefined,
      stateChanged: () => undefined,
    },
    { retryDelays: [5] },
  );
  const nextChange = () =>
    new Promise<void>((resolve) => {
      notify = resolve;
    });
  return { cache, changes, nextChange };
}

async function withServer(
  body: (
    state: { datasets: string[]; listStatus: number; viewStatus: number; fieldStatus: number },
    setup: Awaited<ReturnType<typeof setUp>>,
  ) => Promise<void>,
): Promise<void> {
  const state = { datasets: ['logs'], listStatus: 200, viewStatus: 200, fieldStatus: 200 };
  await using server = await LoopbackServer.start((response, { url }) => {
    const answer = (status: number, value: unknown) =>
      json(response, status, status === 200 ? value : { code: status, message: 'no' });
    if (url.startsWith(views.path)) return answer(state.viewStatus, []);
    if (url.startsWith('/v1/datasets/_fields')) {
      const list = state.datasets.map((datasetName) => ({ datasetName, fields: [field] }));
      return answer(state.listStatus, list);
    }
    if (url.startsWith('/v2/datasets')) {
      if (url.includes('/fields')) return answer(state.fieldStatus, [field]);
      return answer(state.listStatus, []);
    }
    return answer(state.fieldStatus, []);
  });
  const setup = await setUp(server);
  try {
    await body(state, setup);
  } finally {
    setup.cache.dispose();
  }
}

describe('a list of datasets', () => {
  const names = async (cache: SchemaCache) =>
    (await cache.datasets())?.datasets.map(({ name }) => name);

  it('is fetched again when a result names a dataset that it lacks', async () => {
    await withServer(async (state, { cache, changes }) => {
      assert.deepEqual(await names(cache), ['logs']);
      state.datasets.push('new');
      cache.resultNamed(['new']);
      assert.deepEqual(changes, [['new']]);
      assert.deepEqual(await names(cache), ['logs', 'new']);
      assert.deepEqual(await cache.fields('new'), {
        fields: [{ name: 'status', type: 'integer' }],
        complete: true,
      });
      cache.resultNamed(['new', 'logs']);
      assert.equal(changes.length, 1);
    });
  });

  it('includes a dataset that a result named even where the service does not list it', async () => {
    await withServer(async (_, { cache, changes }) => {
      cache.resultNamed(['unlisted']);
      assert.deepEqual(await names(cache), ['logs', 'unlisted']);
      cache.invalidate(['logs']);
      assert.deepEqual(await names(cache), ['logs', 'unlisted']);
      cache.resultNamed(['unlisted']);
      cache.resultNamed(['unlisted']);
      assert.deepEqual(changes, [['logs']]);
      cache.invalidate();
      assert.deepEqual(await names(cache), ['logs']);
    });
  });

  it('does not include a dataset that a result named and that was deleted since', async () => {
    await withServer(async (state, { cache, changes }) => {
      state.datasets.push('old');
      cache.resultNamed(['old']);
      assert.deepEqual(await names(cache), ['logs', 'old']);
      state.datasets.pop();
      cache.deleted('old');
      assert.deepEqual(changes, [['old']]);
      assert.deepEqual(await names(cache), ['logs']);
    });
  });

  it('that cannot be fetched is null, and is fetched again', async () => {
    await withServer(async (state, { cache, nextChange }) => {
      state.listStatus = 500;
      const changed = nextChange();
      assert.equal(await cache.datasets(), null);
      assert.equal(cache.state.kind, 'failed');
      state.listStatus = 200;
      await changed;
      assert.deepEqual(await names(cache), ['logs']);
      assert.equal(cache.state.kind, 'known');
    });
  });

  it('without views because they failed is completed later', async () => {
    await withServer(async (state, { cache, nextChange }) => {
      state.viewStatus = 500;
      const changed = nextChange();
      assert.equal((await cache.datasets())?.complete, false);
      state.viewStatus = 200;
      await changed;
      assert.equal((await cache.datasets())?.complete, true);
    });
  });
});

describe('fields', () => {
  it('that cannot be fetched are null, and are fetched again', async () => {
    await withServer(async (state, { cache, nextChange, changes }) => {
      state.fieldStatus = 500;
      await cache.datasets();
      const changed = nextChange();
      assert.equal(await cache.fields('elsewhere'), null);
      state.fieldStatus = 200;
      await changed;
      assert.deepEqual(changes, [['elsewhere']]);
      assert.equal((await cache.fields('elsewhere'))?.complete, true);
    });
  });

  it('are fetched again when the failure was an exception of the connection', async () => {
    const unreachable = failed({ kind: 'unreachable', host: 'h', message: 'Cannot reach h.' });
    let attempts = 0;
    let notify: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      notify = resolve;
    });
    const cache = new SchemaCache(
      {
        datasets: async () => unreachable,
        fields: async () => {
          attempts += 1;
          return unreachable;
        },
      },
      { changed: () => notify(), learned: () => undefined, stateChanged: () => undefined },
      { retryDelays: [5] },
    );
    assert.equal(await cache.fields('logs'), null);
    await changed;
    assert.equal(await cache.fields('logs'), null);
    assert.equal(attempts, 2);
    cache.dispose();
  });
});
