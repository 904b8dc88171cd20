// Loads rows past the limit page by page from a real deployment, without gaps or duplicates, while events keep
// arriving.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { HeldAnswer } from '../../client/src/answers/heldAnswer.ts';
import { storeSink } from '../../client/src/answers/storeSink.ts';
import { directDispatcher } from '../../client/src/deployments/network.ts';
import { nextPage } from '../../client/src/query/nextPage.ts';
import { HeldTables } from '../../client/src/results/host/heldTables.ts';
import { ask, type Question } from '../../client/src/service/ask.ts';
import { Service } from '../../client/src/service/service.ts';
import { Processes, type Running } from '../local/processes.ts';
import { newStore } from './store/stores.ts';

const COUNT = 2_500;

describe('the next rows of an answer', () => {
  const store = newStore();
  const dispatcher = directDispatcher();
  let processes: Processes;
  let local: Running;
  let service: Service;

  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${local.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.text());
  };
  const ingest = (events: readonly object[]) => post('/v1/ingest/events', events);

  before(async () => {
    processes = await Processes.create();
    local = await processes.start('data');
    const { url, token } = local;
    service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    const now = Date.now();
    // Seven events share each time.
    const time = (n: number) => new Date(now - 60_000 - Math.floor(n / 7) * 10).toISOString();
    await post('/v2/datasets', { name: 'events' });
    await ingest(Array.from({ length: COUNT }, (_, n) => ({ _time: time(n), n })));
  });
  after(async () => {
    await processes.dispose();
    await dispatcher.destroy();
    await store.dispose();
  });

  async function first(apl: string): Promise<HeldAnswer> {
    const range = { startTime: 'now-1h', endTime: 'now', rangeLabel: 'last 1 hour' };
    const about = {
      ...range,
      title: apl,
      query: apl,
      deployment: 'Local',
      statesColumnOrder: false,
    };
    const arriving = store.begin({ ...about, askedAt: Date.now() }, false);
    const { rangeLabel: _, ...times } = range;
    return asked({ apl, ...times, includeCursor: true }, arriving);
  }

  async function asked(
    question: Question,
    arriving: ReturnType<typeof store.begin>,
  ): Promise<HeldAnswer> {
    const answer = await ask(question, { service, timeoutMs: 20_000 }, storeSink(arriving));
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value;
  }

  /** Returns the values of `n` in the order of the rows. */
  async function numbers(answer: HeldAnswer): Promise<number[]> {
    const [table] = answer.head.tables;
    const column = table?.fields.findIndex(({ name }) => name === 'n') ?? -1;
    const { rows } = await store.rows('window', {
      answer: answer.id,
      table: 0,
      from: 0,
      to: table?.rowCount ?? 0,
      columns: [column],
      timeZone: 'utc',
    });
    return rows.map(([n]) => Number(n));
  }

  for (const [what, apl] of [
    ['in the default order', 'events'],
    ['if the query projects columns', 'events | where n >= 0 | project n'],
    ['in ascending order of time', 'events | order by _time asc'],
  ] as const) {
    it(`are loaded without gaps or duplicates ${what}`, async () => {
      let answer = await first(apl);
      assert.equal(answer.head.tables[0]?.rowCount, 1_000);
      for (let pages = 0; pages < 4; pages++) {
        const rowsBefore: number | undefined = answer.head.tables[0]?.rowCount;
        // Events that arrive between pages are outside the requested time range.
        await ingest([{ n: -1 - pages }, { n: -1 - pages }]);
        const question = nextPage(answer) ?? assert.fail('There is no next page.');
        answer = await asked(question, store.append({ answer: answer.id, table: 0 }));
        if (answer.head.tables[0]?.rowCount === rowsBefore) break;
      }
      // The status is still that of the first page.
      assert.ok((answer.head.status.rowsMatched ?? 0) >= COUNT);
      const found = (await numbers(answer)).filter((n) => n >= 0);
      assert.equal(found.length, COUNT);
      assert.equal(new Set(found).size, COUNT);
      assert.equal((await numbers(answer)).filter((n) => n < 0).length % 2, 0);
    });
  }

  it('are loaded once each by Load All', async () => {
    const loadMore = async (held: HeldAnswer): Promise<void> => {
      const question = nextPage(held) ?? assert.fail('There is no next page.');
      await asked(question, store.append({ answer: held.id, table: 0 }));
    };
    // Of the parts of a page, only those that load rows are needed.
    const tables = new HeldTables({ store, effects: { loadMore } } as never);
    const { id } = await first('events | where n >= 0');
    await tables.allRows.start(id);
    assert.equal(tables.allRows.stopped(id), undefined);
    const answer = store.get(id) ?? assert.fail();
    assert.equal(answer.head.tables[0]?.rowCount, COUNT);
    assert.equal(new Set(await numbers(answer)).size, COUNT);
  });

  it('are unavailable if the rows are aggregated, sorted by a field other than time, or missing', async () => {
    assert.equal(nextPage(await first('events | summarize count() by n')), undefined);
    assert.equal(nextPage(await first('events | order by n asc')), undefined);
    assert.equal(nextPage(await first('events | where n > 100000')), undefined);
  });

  it('are requested for the time range of the first page, even if the query has a relative range', async () => {
    const answer = await first('events');
    const { head, about } = answer;
    const { range: _, ...table } = head.tables[0] ?? assert.fail();
    const question = nextPage({
      ...answer,
      about: { ...about, askedAt: 1_770_000_000_000 },
      head: { ...head, tables: [table] },
    });
    assert.deepEqual(
      [question?.startTime, question?.endTime],
      ['2026-02-02T01:40:00Z', '2026-02-02T02:40:00Z'],
    );
    assert.match(nextPage(answer)?.startTime ?? '', /^\d{4}-\d\d-\d\dT/);
  });
});
