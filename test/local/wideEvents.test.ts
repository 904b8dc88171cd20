// Events that each have a few of a dataset's thousand fields.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

const FIELDS = 1_000;
const EVENTS = 60;
const FIELDS_OF_EVENT = 50;

const names = Array.from({ length: FIELDS }, (_, field) => `field_${field}`);

/** A field's values: each tenth field has one of these kinds. */
const kinds: readonly ((row: number) => unknown)[] = [
  (row) => row,
  (row) => `order ${row}`,
  (row) => row + 0.5,
  (row) => row % 2 === 0,
  (row) => `${row}`,
  (row) => [row, 'two'],
  (row) => (row % 2 === 0 ? row : `mixed ${row}`),
  () => null,
  (row) => `quoted "${row}" é`,
  (row) => 2 ** 53 + 2 * row,
];

const valueAt = (field: number, row: number) => kinds[field % kinds.length]!(row);

function eventOf(row: number): Record<string, unknown> {
  const fields = Array.from(
    { length: FIELDS_OF_EVENT },
    (_, index) => (row * FIELDS_OF_EVENT + index) % FIELDS,
  );
  return {
    row,
    ...Object.fromEntries(fields.map((field) => [names[field], valueAt(field, row)])),
  };
}

describe('events with few of many fields', () => {
  let local: Deployment;
  before(async () => {
    local = await Deployment.open();
  });
  after(() => local.close());

  it('keep all of their values in each of several requests', async () => {
    await local.dataset('wide');
    for (const part of [0, 1, 2]) {
      const events = Array.from({ length: EVENTS }, (_, index) => eventOf(part * EVENTS + index));
      await local.stored('wide', events);
    }
    const rows = await local.rows("['wide'] | sort by row asc | project-away _time, _sysTime");
    assert.deepEqual(
      rows.map(withoutNulls),
      Array.from({ length: 3 * EVENTS }, (_, row) => withoutNulls(eventOf(row))),
    );
  });

  it('with strings in fields beyond the limit are rejected each time', async () => {
    await local.dataset('full');
    await local.stored(
      'full',
      Array.from({ length: FIELDS / FIELDS_OF_EVENT }, (_, row) => eventOf(row)),
    );
    for (const attempt of [1, 2, 3]) {
      const more = Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`more_${index}`, 'x']),
      );
      const { body } = await local.ingest('full', [eventOf(attempt), more, eventOf(attempt)]);
      assert.deepEqual([attempt, body.ingested, body.failed], [attempt, 2, 1]);
    }
  });
});

function withoutNulls(event: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(event)
      .filter(([, value]) => value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
