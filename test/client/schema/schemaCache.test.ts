// The client's cache of datasets and fields: results correct an outdated list, and failed requests are repeated and
// never cached.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SchemaCache } from '../../../client/src/schema/schemaCache.ts';
import type { KeptSchema, SchemaToKeep } from '../../../client/src/schema/schemaFile.ts';
import { failed, type Outcome } from '../../../client/src/service/failure.ts';
import {
  type FetchedFields,
  fetchDatasets,
  fetchFields,
  type KnownSchema,
} from '../../../client/src/service/schema.ts';
import { json, LoopbackServer } from '../loopback.ts';

const field = { name: 'status', type: 'integer', unit: 'none', hidden: false, description: '' };
const views = { path: '/v2/views', status: 200 };

/** Creates a cache that fetches from the server, and records its notifications. */
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

  it('includes a dataset that a result named even if the service does not list it', async () => {
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

  it('omits a dataset that a result named but that was deleted since', async () => {
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

  it('is null after a failed request, which is repeated', async () => {
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

  it('is incomplete while views cannot be fetched, and complete after a successful retry', async () => {
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
  it('are null after a failed request, which is repeated', async () => {
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

  it('are fetched again if the deployment was unreachable', async () => {
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

describe('the stored schema', () => {
  const earlier: KeptSchema = {
    list: { at: 5, datasets: [{ name: 'logs', kind: 'dataset' }] },
    names: ['logs'],
    evidence: (dataset) =>
      dataset === 'logs'
        ? { list: { at: 5, fields: [{ name: 'old', type: 'string' }] } }
        : undefined,
  };
  const unreachable = failed({ kind: 'unreachable', host: 'h', message: 'Cannot reach h.' });
  const listed = (...names: string[]): Outcome<KnownSchema> => ({
    ok: true,
    value: {
      datasets: names.map((name) => ({ name, kind: 'dataset' })),
      complete: true,
      fields: new Map(),
    },
  });
  const fieldsOf = (...names: string[]): Outcome<FetchedFields> => ({
    ok: true,
    value: {
      sources: { list: names.map((name) => ({ name, type: 'string' })), virtual: [], maps: [] },
      complete: true,
    },
  });

  /** Creates a cache whose fetches wait for the gates, and records its notifications and writes. */
  function setUpKept(kept: KeptSchema | null = earlier) {
    const gates = {
      datasets: gate<Outcome<KnownSchema>>(),
      fields: gate<Outcome<FetchedFields>>(),
    };
    const told: unknown[] = [];
    const written: SchemaToKeep[] = [];
    const cache = new SchemaCache(
      { datasets: () => gates.datasets.promise, fields: () => gates.fields.promise },
      {
        changed: (datasets) => told.push(['changed', datasets]),
        learned: (datasets) => told.push(['learned', datasets]),
        stateChanged: () => undefined,
      },
      {
        retryDelays: [60_000],
        patience: 5,
        patienceAnswering: 200,
        writeAfter: 60_000,
        refreshAfter: 0,
        disk: {
          read: async () => kept ?? undefined,
          write: async (schema) => void written.push(schema),
        },
      },
    );
    return { cache, gates, told, written };
  }

  function gate<T>() {
    let open: (value: T) => void = () => undefined;
    const promise = new Promise<T>((resolve) => {
      open = resolve;
    });
    return { promise, open };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('is used while the deployment does not respond, and is marked incomplete', async () => {
    const { cache } = setUpKept();
    assert.deepEqual(await cache.datasetsNow(), {
      datasets: [{ name: 'logs', kind: 'dataset' }],
      complete: false,
    });
    assert.deepEqual(await cache.fieldsNow('logs'), {
      fields: [{ name: 'old', type: 'string' }],
      complete: false,
    });
    assert.deepEqual(cache.state, { kind: 'loading', earlier: { fetchedAt: 5, datasets: 1 } });
    cache.dispose();
  });

  it('is replaced when the current list and fields arrive, with one notification for each', async () => {
    const { cache, gates, told } = setUpKept();
    await cache.datasetsNow();
    await cache.fieldsNow('logs');
    gates.datasets.open(listed('logs', 'more'));
    gates.fields.open(fieldsOf('new'));
    await settled();
    assert.deepEqual(told, [
      ['learned', []],
      ['learned', ['logs']],
    ]);
    assert.deepEqual(await cache.fieldsNow('logs'), {
      fields: [{ name: 'new', type: 'string' }],
      complete: true,
    });
    assert.equal((await cache.datasetsNow())?.complete, true);
    cache.dispose();
  });

  it('is not used for a dataset that just changed if the new fields arrive soon', async () => {
    const { cache, gates } = setUpKept(null);
    gates.datasets.open(listed('logs'));
    gates.fields.open(fieldsOf('old'));
    await cache.datasetsNow();
    await cache.fieldsNow('logs');
    gates.fields = gate();
    cache.invalidate(['logs']);
    setTimeout(() => gates.fields.open(fieldsOf('new')), 40);
    assert.deepEqual((await cache.fieldsNow('logs'))?.fields, [{ name: 'new', type: 'string' }]);
    cache.dispose();
  });

  it('is not returned to callers that request the current schema', async () => {
    const { cache, gates } = setUpKept();
    gates.datasets.open(unreachable);
    gates.fields.open(unreachable);
    assert.equal(await cache.datasets(), null);
    assert.equal(await cache.fields('logs'), null);
    assert.equal(cache.state.kind, 'failed');
    assert.deepEqual((await cache.fieldsNow('logs'))?.fields.length, 1);
    cache.dispose();
  });

  it('is written after fields were learned, but not after a failed request', async () => {
    const { cache, gates, written } = setUpKept(null);
    gates.datasets.open(unreachable);
    gates.fields.open(unreachable);
    assert.equal(await cache.fieldsNow('logs'), null);
    await cache.flush();
    assert.equal(written.length, 0);
    await cache.learn('logs', 'answer', 9, [{ name: 'seen', type: 'string' }]);
    await cache.flush();
    assert.deepEqual(
      written.map(({ evidence, list }) => [[...evidence.keys()], list]),
      [[['logs'], undefined]],
    );
    cache.dispose();
  });

  it('contains the datasets and fields of answers if listing fails', async () => {
    const { cache, gates, told } = setUpKept(null);
    gates.datasets.open(unreachable);
    gates.fields.open(unreachable);
    assert.equal(await cache.datasetsNow(), null);
    assert.equal(await cache.fieldsNow('logs'), null);
    cache.resultNamed(['logs']);
    await cache.learn('logs', 'answer', 9, [{ name: 'seen', type: 'string' }]);
    assert.deepEqual(told, [
      ['learned', []],
      ['learned', ['logs']],
    ]);
    assert.deepEqual(await cache.datasetsNow(), {
      datasets: [{ name: 'logs', kind: 'dataset' }],
      complete: false,
    });
    assert.deepEqual(await cache.fieldsNow('logs'), {
      fields: [{ name: 'seen', type: 'string' }],
      complete: false,
    });
    cache.dispose();
  });

  it('is marked incomplete after a failed background refresh', async () => {
    const { cache, gates, told } = setUpKept(null);
    gates.datasets.open(listed('logs'));
    gates.fields.open(fieldsOf('a'));
    assert.equal((await cache.datasetsNow())?.complete, true);
    assert.equal((await cache.fieldsNow('logs'))?.complete, true);
    gates.datasets = gate();
    gates.fields = gate();
    // A list counts as old a millisecond later.
    await settled();
    const refreshing = cache.refreshIfOld();
    assert.equal(
      (await cache.fieldsNow('logs'))?.complete,
      true,
      'until it is known to have failed',
    );
    gates.datasets.open(unreachable);
    gates.fields.open(unreachable);
    await refreshing;
    assert.deepEqual(told[0], ['learned', ['logs']]);
    assert.equal((await cache.datasetsNow())?.complete, false);
    assert.deepEqual(await cache.fieldsNow('logs'), {
      fields: [{ name: 'a', type: 'string' }],
      complete: false,
    });
    cache.dispose();
  });

  it('causes no notification if a refresh finds no change', async () => {
    const { cache, gates, told } = setUpKept(null);
    gates.datasets.open(listed('logs'));
    gates.fields.open(fieldsOf('a'));
    await cache.datasetsNow();
    await cache.fieldsNow('logs');
    await settled();
    await cache.refreshIfOld();
    assert.deepEqual(told, []);
    cache.dispose();
  });

  it('no longer contains a dataset that was deleted', async () => {
    const { cache, gates, written } = setUpKept();
    gates.datasets.open(listed('logs'));
    await cache.datasetsNow();
    cache.deleted('logs');
    gates.datasets = gate();
    assert.deepEqual((await cache.datasetsNow())?.datasets, []);
    gates.fields.open(unreachable);
    gates.datasets.open(unreachable);
    assert.equal(await cache.fieldsNow('logs'), null);
    await cache.flush();
    assert.ok(written.at(-1)?.gone.has('logs'));
    cache.dispose();
  });
});
