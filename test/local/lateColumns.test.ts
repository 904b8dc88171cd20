// Limits above 1,001 rows, whose columns are read once the rows are chosen.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { random } from './random.ts';

interface Event {
  readonly _time: string;
  readonly id: number;
  readonly level: string;
  readonly size: number | null;
  readonly host: string;
  readonly path: string;
  readonly note: string;
}

const COUNT = 4_000;
const below = random(20_261_128);
const start = Date.UTC(2026, 0, 1);
const events: readonly Event[] = Array.from({ length: COUNT }, (_, id) => ({
  // Several events have the same time, and the order of arrival isn't that of time.
  _time: new Date(start + below(1_000) * 1_000).toISOString(),
  id,
  level: below(2) === 0 ? 'error' : 'info',
  size: below(10) === 0 ? null : below(1_000_000) + id / 10_000,
  host: `web-${below(5)}`,
  path: `/items/${id % 97}`,
  note: `note ${id}`,
}));

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [...events]);
});
after(() => local.close());

async function ids(apl: string): Promise<readonly number[]> {
  const { status, body, text } = await local.call('POST', '/v1/query/_apl?format=tabular', {
    apl,
    ...ALL_TIMES,
  });
  assert.equal(status, 200, text);
  const [table] = body.tables;
  const index = table.fields.findIndex(({ name }: { name: string }) => name === 'id');
  return table.columns[index];
}

/** Newest first, and the last to arrive first among events with equal times. */
function byTime(a: Event, b: Event): number {
  return b._time.localeCompare(a._time) || b.id - a.id;
}

describe('a limit above 1,001 rows', () => {
  it('returns the newest events in order', async () => {
    const expected = events.toSorted(byTime).slice(0, 1_500);
    assert.deepEqual(
      await ids('logs | sort by _time desc | take 1500'),
      expected.map(({ id }) => id),
    );
  });

  it('applies filters before it, and computes columns for the rows that it keeps', async () => {
    const expected = events
      .filter(({ level, size }) => level === 'error' && (size ?? 0) * 2 > 100_000)
      .toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0))
      .slice(0, 1_200);
    const apl =
      "logs | where level == 'error' | extend twice = size * 2 | where twice > 100000 | top 1200 by twice asc";
    assert.deepEqual(
      await ids(apl),
      expected.map(({ id }) => id),
    );
  });

  it('returns all events if it exceeds their number', async () => {
    const found = await ids("logs | where host == 'web-1' | sort by note asc | take 50000");
    const expected = events
      .filter(({ host }) => host === 'web-1')
      .toSorted((a, b) => (a.note < b.note ? -1 : 1));
    assert.deepEqual(
      found,
      expected.map(({ id }) => id),
    );
  });

  it('keeps rows chosen at random, because a column of rand() is computed once', async () => {
    const { body } = await local.call('POST', '/v1/query/_apl?format=tabular', {
      apl: 'logs | extend chance = rand() | where chance < 0.5 | sort by chance asc | take 1400',
      ...ALL_TIMES,
    });
    const [table] = body.tables;
    const chances: readonly number[] =
      table.columns[table.fields.findIndex(({ name }: { name: string }) => name === 'chance')];
    assert.equal(chances.length, 1_400);
    assert.deepEqual(
      chances,
      chances.toSorted((a, b) => a - b),
    );
    assert.ok(chances.every((chance) => chance < 0.5));
  });

  it('evaluates a sample in a sub-query once', async () => {
    const { body, text } = await local.call('POST', '/v1/query/_apl?format=tabular', {
      apl: 'logs | extend chosen = id in ((logs | sample 0.5 | project id)) | where chosen | top 1500 by _time',
      ...ALL_TIMES,
    });
    const [table] = body.tables;
    const index = table.fields.findIndex(({ name }: { name: string }) => name === 'chosen');
    const chosen: readonly boolean[] = table.columns[index];
    assert.equal(chosen.length, 1_500, text.slice(0, 300));
    assert.ok(chosen.every(Boolean));
  });

  it('pages without a gap or a repetition', async () => {
    const found: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const { body } = await local.call('POST', '/v1/query/_apl?format=tabular', {
        apl: 'logs | sort by _time desc | take 1100',
        ...ALL_TIMES,
        ...(cursor !== undefined && { cursor }),
      });
      const [table] = body.tables;
      const index = table.fields.findIndex(({ name }: { name: string }) => name === 'id');
      found.push(...table.columns[index]);
      cursor = body.status.minCursor;
    }
    const expected = events.toSorted(byTime).map(({ id }) => id);
    assert.deepEqual(found, expected.slice(0, found.length));
    assert.equal(found.length, COUNT);
  });
});
