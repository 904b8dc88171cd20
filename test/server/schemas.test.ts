/**
 * The server's cache of datasets and fields: one request each, invalidation, and discarded late responses.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeQuery, SourceText } from '../../language/src/index.ts';
import { DeploymentSchemas } from '../../server/src/deploymentSchemas.ts';
import { Documents } from '../../server/src/documents.ts';
import type { DatasetsResult, FieldsResult } from '../../server/src/protocol.ts';
import { SchemaStore } from '../../server/src/schemas.ts';

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const logs: DatasetsResult = { datasets: [{ name: 'logs', kind: 'dataset' }], complete: true };
const oneField = (name: string): FieldsResult => ({
  fields: [{ name, type: 'string' }],
  complete: true,
});

describe('the schema store', () => {
  it('sends one request per item and announces each result', async () => {
    const asked: string[] = [];
    let changes = 0;
    const store = new SchemaStore(
      {
        datasets: async () => {
          asked.push('datasets');
          return logs;
        },
        fields: async (name) => {
          asked.push(name);
          return oneField('level');
        },
      },
      () => changes++,
    );
    await Promise.all([
      store.ensureDatasets(),
      store.ensureDatasets(),
      store.ensureFields('logs'),
      store.ensureFields('logs'),
    ]);
    await store.ensureFields('logs');
    assert.deepEqual(asked, ['datasets', 'logs']);
    assert.equal(changes, 2);
    assert.deepEqual(
      store.schema.datasets.map((d) => [d.name, d.fields.length, d.complete]),
      [['logs', 1, true]],
    );
  });

  it('discards a response that was pending during an invalidation', async () => {
    const first = deferred<FieldsResult>();
    let asked = 0;
    const store = new SchemaStore(
      {
        datasets: async () => logs,
        fields: () => (asked++ === 0 ? first.promise : Promise.resolve(oneField('new'))),
      },
      () => undefined,
    );
    await store.ensureDatasets();
    const old = store.ensureFields('logs');
    store.invalidate(undefined);
    await Promise.all([store.ensureDatasets(), store.ensureFields('logs')]);
    first.resolve(oneField('old'));
    await old;
    assert.deepEqual(
      store.schema.datasets[0]?.fields.map((f) => f.name),
      ['new'],
    );
  });

  it('causes no unknown-name problems while the client fails', async () => {
    const failing = () => Promise.reject(new Error('not reachable'));
    const store = new SchemaStore({ datasets: failing, fields: failing }, () => undefined);
    await Promise.all([store.ensureDatasets(), store.ensureFields('logs')]);
    assert.equal(store.schema.complete, false);
    assert.deepEqual(analyzeQuery("['logs'] | where x > 1", store.schema).problems, []);
  });
});

describe('a client failure', () => {
  for (const [how, fail] of [
    ['null', async () => null],
    ['a rejection', () => Promise.reject(new Error('not reachable'))],
  ] as const) {
    it(`isn't cached, so the next request is sent again: ${how}`, async () => {
      let failing = true;
      let changes = 0;
      const store = new SchemaStore(
        {
          datasets: () => (failing ? fail() : Promise.resolve(logs)),
          fields: () => (failing ? fail() : Promise.resolve(oneField('level'))),
        },
        () => changes++,
      );
      await Promise.all([store.ensureDatasets(), store.ensureFields('logs')]);
      assert.equal(changes, 0);
      failing = false;
      await Promise.all([store.ensureDatasets(), store.ensureFields('logs')]);
      assert.equal(store.schema.complete, true);
      assert.deepEqual(
        store.schema.datasets.map(({ fields }) => fields.length),
        [1],
      );
    });
  }

  it('keeps the previously known datasets', async () => {
    let failing = false;
    const store = new SchemaStore(
      { datasets: async () => (failing ? null : logs), fields: async () => oneField('level') },
      () => undefined,
    );
    await store.ensureDatasets();
    failing = true;
    store.invalidate([]);
    await store.ensureDatasets();
    assert.deepEqual(
      store.schema.datasets.map(({ name }) => name),
      ['logs'],
    );
  });
});

describe('the schemas of deployments', () => {
  it('are not kept for names without a schema, such as partially typed names', async () => {
    const schemas = new DeploymentSchemas({
      datasets: async (deployment) => (deployment === 'Staging' ? logs : null),
      fields: async () => null,
    });
    const typed = ['S', 'St', 'Sta'].map((name) => schemas.of(name));
    await Promise.all(typed.map((store) => store.ensureDatasets()));
    const known = schemas.of('Staging');
    await known.ensureDatasets();
    schemas.of('Local');
    assert.equal(schemas.of('Staging'), known);
    for (const [index, name] of ['S', 'St', 'Sta'].entries()) {
      assert.notEqual(schemas.of(name), typed[index], name);
    }
  });

  it('are discarded after invalidation even if no document uses the deployment', async () => {
    const schemas = new DeploymentSchemas({
      datasets: async () => logs,
      fields: async () => oneField('level'),
    });
    const store = schemas.of('Staging');
    await store.ensureFields('logs');
    schemas.invalidate('Staging', undefined);
    schemas.of('Local');
    assert.notEqual(schemas.of('Staging'), store);
  });
});

describe('the analysis of documents', () => {
  it("is reused for queries that an edit doesn't change", () => {
    const documents = new Documents();
    const known = { datasets: [] };
    const text = (n: number) => `['a'] | where x > ${n}\n\n['b'] | count`;
    const at = (version: number) =>
      documents.snapshot({ uri: 'u', version, text: new SourceText(text(version)) }, known);
    const before = at(1);
    const after = at(22);
    assert.equal(after.queries[1]?.analysis, before.queries[1]?.analysis);
    assert.notEqual(after.queries[0]?.analysis, before.queries[0]?.analysis);
    assert.equal(after.queries[1]?.start, (before.queries[1]?.start ?? 0) + 1);
  });
});
