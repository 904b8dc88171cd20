/**
 * The fields of views: the columns of their queries, without a request if the analysis knows them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatasetsResult, FieldsResult, WireDataset } from '../../server/src/protocol.ts';
import { SchemaStore } from '../../server/src/schemas.ts';

const view = (name: string, query: string): WireDataset => ({ name, kind: 'view', query });

const stored: FieldsResult = {
  fields: [
    { name: 'status', type: 'integer' },
    { name: 'took', type: 'float', unit: 'ms', description: 'Time to the last byte.' },
    { name: 'code', type: 'integer|string' },
    { name: 'secret', type: 'string', hidden: true },
  ],
  complete: true,
};

/** Creates a store with a dataset `logs` and the given views, and records the store's requests. */
function storeOf(views: readonly WireDataset[], logs: FieldsResult | null = stored) {
  const asked: string[] = [];
  const listed: DatasetsResult = {
    datasets: [{ name: 'logs', kind: 'dataset' }, ...views],
    complete: true,
  };
  const world = { logs };
  const store = new SchemaStore(
    {
      datasets: async () => listed,
      fields: async (name) => {
        asked.push(name);
        if (name === 'logs') return world.logs;
        return { fields: [{ name: 'fromTheService', type: 'string' }], complete: false };
      },
    },
    () => undefined,
  );
  const fields = (name: string) => store.schema.datasets.find((one) => one.name === name);
  return { store, asked, fields, world };
}

describe('the fields of a view', () => {
  it("are the columns of its query and require only the fields of the query's dataset", async () => {
    const query = "['logs'] | extend slow = took > 1000 | project-away status";
    const { store, asked, fields } = storeOf([view('slow', query)]);
    await store.ensureFields('slow');
    assert.deepEqual(asked, ['logs']);
    const [first, second, ...others] = fields('slow')?.fields ?? [];
    assert.deepEqual([first?.name, second?.name], ['_sysTime', '_time']);
    assert.deepEqual(others, [
      stored.fields[1],
      stored.fields[2],
      stored.fields[3],
      { name: 'slow', type: 'boolean' },
    ]);
    assert.equal(fields('slow')?.complete, true);
  });

  it('are resolved through a chain of views', async () => {
    const { store, asked, fields } = storeOf([
      view('errors', "['logs'] | where status >= 500"),
      view('counts', "['errors'] | summarize count() by code"),
    ]);
    await store.ensureFields('counts');
    assert.deepEqual(asked, ['logs']);
    assert.deepEqual(fields('counts')?.fields, [
      stored.fields[2],
      { name: 'count_', type: 'integer' },
    ]);
  });

  it('are resolved without a deadlock if two views refer to each other', async () => {
    const { store, asked } = storeOf([
      view('a', "['b'] | count"),
      view('b', "['a'] | where x > 1"),
    ]);
    await Promise.all([store.ensureFields('a'), store.ensureFields('b')]);
    assert.ok(!asked.includes('logs'));
  });

  it("include the fields that the client returns if the dataset's fields are incomplete", async () => {
    const { store, fields } = storeOf([view('open', "['logs'] | extend more = 1")], null);
    await store.ensureFields('open');
    const names = fields('open')?.fields.map(({ name }) => name);
    assert.ok(names?.includes('more') && names.includes('fromTheService'), String(names));
    assert.equal(fields('open')?.complete, false);
  });

  it('change when the fields of its dataset change', async () => {
    const { store, fields, world } = storeOf([view('all', "['logs'] | project-keep n*")]);
    await store.ensureFields('all');
    assert.deepEqual(fields('all')?.fields, []);
    world.logs = { fields: [{ name: 'new', type: 'string' }], complete: true };
    store.invalidate(['logs']);
    await store.ensureFields('all');
    assert.deepEqual(fields('all')?.fields, [{ name: 'new', type: 'string' }]);
  });
});
