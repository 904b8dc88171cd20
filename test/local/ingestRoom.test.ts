// A dataset's field limit: an event that is rejected uses none of it.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-room-'));
  await writeFile(join(folder, 'license.json'), JSON.stringify({ maxFields: 10 }));
  local = await Deployment.open({ folder });
});
after(() => local.close());

const wide = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));

const fieldsOf = async (name: string) => Object.keys(await local.fields(name)).sort();

describe('an event that exceeds the field limit of its dataset', () => {
  it('fails without adding a field, and the surrounding events are stored', async () => {
    await local.dataset('wide');
    const { body } = await local.ingest('wide', [{ ok: 1 }, wide(11, 'f'), { after: 1 }]);
    assert.deepEqual([body.ingested, body.failed], [2, 1]);
    assert.match(body.failures[0].error, /^event 2: it has a new field, and the dataset has 10/);
    assert.deepEqual(await fieldsOf('wide'), ['after', 'ok']);
  });

  it('leaves the remaining fields to later events, which use them in order', async () => {
    await local.dataset('order');
    const events = [wide(4, 'a'), wide(4, 'b'), wide(4, 'c'), wide(2, 'd'), { e: 1 }, wide(4, 'b')];
    const { body } = await local.ingest('order', events);
    assert.deepEqual([body.ingested, body.failed], [4, 2]);
    assert.deepEqual(
      body.failures.map(({ error }: { error: string }) => error.slice(0, 8)),
      ['event 3:', 'event 5:'],
    );
    assert.equal((await fieldsOf('order')).length, 10);
  });
});

describe('a dataset with an event that exceeded its field limit', () => {
  it('rejects such an event of each later request, whatever the type of its new field', async () => {
    const values = { string: 'more', number: 1, boolean: true, array: [1], float: 1.5 };
    for (const [type, value] of Object.entries(values)) {
      const name = `full-${type}`;
      await local.dataset(name);
      await local.ingest(name, [wide(10, 'f')]);
      const event = (index: number) => ({ f0: index, more: value });
      for (const index of [1, 2, 3, 4]) {
        const { body } = await local.ingest(name, [event(index), { f0: index }]);
        assert.deepEqual([type, index, body.ingested, body.failed], [type, index, 1, 1]);
        assert.match(body.failures[0].error, /^event 1: it has a new field/);
      }
      assert.equal((await fieldsOf(name)).length, 10);
    }
  });
});

describe('an event rejected for an invalid time', () => {
  it('adds no field', async () => {
    await local.dataset('other');
    const { body } = await local.ingest('other', [
      { good: 1 },
      { _time: 'never', bad: 1 },
      { good: 2, 'also.good': 1 },
    ]);
    assert.deepEqual([body.ingested, body.failed], [2, 1]);
    assert.deepEqual(await fieldsOf('other'), ['also.good', 'good']);
  });
});
