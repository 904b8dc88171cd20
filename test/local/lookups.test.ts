// Look-ups of rare texts, which read only the times at which Bloom filters say that the text may occur.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BlockFilters } from '../../local/src/engines/duckdb/blockFilters.ts';
import type { Engine } from '../../local/src/engines/duckdb/database/engine.ts';
import type { Session } from '../../local/src/engines/duckdb/database/session.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { random } from './random.ts';

interface Event {
  readonly _time: string;
  readonly n: number;
  readonly trace?: string;
  readonly user?: string;
  readonly level: string;
}

const SMALL = { blockRows: 64, minRows: 128, minTexts: 8, delayMs: 0 };
const COUNT = 2_000;
const below = random(20_261_129);
const start = Date.UTC(2026, 0, 1);

function newEvent(n: number): Event {
  // Events arrive nearly in order, but a few much too late or too early. A trace has up to four events in a row.
  const second = n % 500 === 100 ? below(COUNT) : n + below(20);
  return {
    _time: new Date(start + second * 1_000).toISOString(),
    n,
    ...(below(8) > 0 && { trace: `trace-${Math.floor(n / 4)}` }),
    ...(below(3) > 0 && { user: `user-${below(300)}` }),
    level: below(2) === 0 ? 'error' : 'info',
  };
}

let local: Deployment;
let filters: BlockFilters;
let stored: Event[];

async function store(events: readonly Event[]): Promise<void> {
  await local.stored('logs', [...events]);
  stored.push(...events);
}

const lookupOf = (column: string, texts: readonly string[]) => ({
  table: local.store.datasets.get('logs')!.layout.table,
  column,
  texts,
});
const range = { start: 0n, end: 2n ** 62n };
const { signal } = new AbortController();

/** Starts to build a column's filters, and waits until they narrow a look-up. */
async function build(column: string): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    if (await filters.narrowed(range, [lookupOf(column, ['?'])], signal)) return;
    await pause(10);
  }
  assert.fail(`No filters were built for ${column}.`);
}

function useFilters(of: Pick<BlockFilters, 'narrowed'>): void {
  Object.assign(local.store, { blockFilters: of });
}

before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

beforeEach(async () => {
  stored = [];
  await local.call('DELETE', '/v2/datasets/logs');
  await local.dataset('logs');
  await store(Array.from({ length: COUNT }, (_, n) => newEvent(n)));
  filters = new BlockFilters(local.store.engine, SMALL);
  useFilters(filters);
});

async function ask(apl: string, members: object = {}) {
  const { status, body, text } = await local.call('POST', '/v1/query/_apl?format=tabular', {
    ...{ apl, ...ALL_TIMES, ...members },
  });
  assert.equal(status, 200, text);
  const [table] = body.tables;
  const index = table.fields.findIndex(({ name }: { name: string }) => name === 'n');
  const numbers: number[] = table.columns[index] ?? [];
  return { numbers: numbers.toSorted((a, b) => a - b), status: body.status };
}

function numbers(keep: (event: Event) => boolean): number[] {
  return stored.filter(keep).map(({ n }) => n);
}

/** Compares look-ups of present and missing texts with the stored events. */
async function checkLookups(): Promise<void> {
  const rare = (prefix: string, count: number) => `${prefix}-${below(count)}`;
  for (let round = 0; round < 12; round += 1) {
    const [a, b, user] = [rare('trace', 600), rare('trace', 600), rare('user', 320)];
    const cases: readonly (readonly [apl: string, keep: (event: Event) => boolean])[] = [
      [`trace == '${a}'`, ({ trace }) => trace === a],
      [`'${a}' == trace and level == 'error'`, (e) => e.trace === a && e.level === 'error'],
      [`trace in ('${a}', '${b}')`, ({ trace }) => trace === a || trace === b],
      [`user == '${user}' and trace == '${a}'`, (e) => e.user === user && e.trace === a],
      [`level == 'info' | where user == '${user}'`, (e) => e.level === 'info' && e.user === user],
      [`user == '${user}' or trace == '${a}'`, (e) => e.user === user || e.trace === a],
      [`trace != '${a}' and user == '${user}'`, (e) => e.trace !== a && e.user === user],
    ];
    for (const [condition, keep] of cases) {
      const { numbers: found } = await ask(`logs | where ${condition}`);
      assert.deepEqual(found, numbers(keep), condition);
    }
  }
}

describe('a look-up of a rare text', () => {
  it('finds the same events with and without filters', async () => {
    await checkLookups();
    await build('trace');
    await build('user');
    await checkLookups();
  });

  it('finds events that were stored after the filters were built', async () => {
    await build('trace');
    await store([{ ...newEvent(COUNT), _time: new Date(start - 1_000).toISOString() }]);
    await store(Array.from({ length: 500 }, (_, i) => newEvent(COUNT + 1 + i)));
    await checkLookups();
  });

  it('finds the remaining events after a trim', async () => {
    await build('trace');
    const endTime = new Date(start + 900_000).toISOString();
    const { status, text } = await local.call('POST', '/v2/datasets/logs/trim', {
      maxDuration: `${Math.ceil((Date.now() - Date.parse(endTime)) / 1_000)}s`,
    });
    assert.equal(status, 204, text);
    const { numbers: left } = await ask('logs | project n, _time | take 50000');
    assert.ok(left.length < COUNT);
    stored = stored.filter(({ n }) => left.includes(n));
    await checkLookups();
  });

  it('examines only the events of blocks that may contain the text', async () => {
    const { trace } = stored.findLast(({ trace }) => trace !== undefined)!;
    const before = await ask(`logs | where trace == '${trace}'`);
    assert.equal(before.status.rowsExamined, COUNT);
    await build('trace');
    const found = await ask(`logs | where trace == '${trace}'`);
    assert.deepEqual(found.numbers, before.numbers);
    assert.ok(found.status.rowsExamined < COUNT / 2, `${found.status.rowsExamined}`);
    const missing = await ask("logs | where trace == 'missing'");
    assert.ok(missing.status.rowsExamined < COUNT / 2, `${missing.status.rowsExamined}`);
  });

  it('has the same columns whether or not the filters know that no event has the text', async () => {
    const stages = [
      '',
      ' | summarize count() by level',
      ' | summarize count()',
      ' | take 5 | count',
    ];
    const answers = async (format: string) => {
      const found = stages.map(async (stage) => {
        const { status, body, text } = await local.call('POST', `/v1/query/_apl?format=${format}`, {
          ...{ apl: `logs | where trace == 'no trace'${stage}`, ...ALL_TIMES },
        });
        assert.equal(status, 200, text);
        const { status: _, ...rest } = body;
        return rest;
      });
      return Promise.all(found);
    };
    const formats = ['tabular', 'tabular-rows', 'legacy'];
    const before = await Promise.all(formats.map(answers));
    await build('trace');
    assert.deepEqual(await Promise.all(formats.map(answers)), before);
  });

  it('counts each read of its dataset separately', async () => {
    await build('trace');
    const once = await ask("logs | where trace == 'trace-7'");
    const numbers = '(logs | where n < 40 | project n)';
    const twice = await ask(`logs | where trace == 'trace-7' and n in (${numbers})`);
    assert.deepEqual(twice.numbers, once.numbers);
    assert.equal(twice.status.rowsExamined, once.status.rowsExamined + COUNT);
  });

  it('asks for the filters of a few conditions at most', async () => {
    let count = 0;
    useFilters({
      narrowed: async (_, lookups) => {
        count = lookups.length;
        return undefined;
      },
    });
    const conditions = Array.from({ length: 200 }, (_, i) => `trace == 'trace-${i}'`);
    const { numbers: found } = await ask(`logs | where ${conditions.join(' and ')}`);
    assert.deepEqual(found, []);
    assert.equal(count, 8);
  });

  it('finds a repeated text in distant blocks', async () => {
    await store([
      { ...newEvent(COUNT), trace: 'trace-7' },
      ...Array.from({ length: 300 }, (_, i) => newEvent(COUNT + 1 + i)),
    ]);
    await build('trace');
    const { numbers: found } = await ask("logs | where trace == 'trace-7'");
    assert.deepEqual(
      found,
      numbers(({ trace }) => trace === 'trace-7'),
    );
    assert.ok(found.includes(COUNT));
  });
});

describe('a look-up during a change', () => {
  /** Narrows the next query, and then makes a change before the query is planned again. */
  function changeOnce(change: () => Promise<unknown>): void {
    let isChanged = false;
    useFilters({
      narrowed: async (...given) => {
        const narrowed = await filters.narrowed(...given);
        if (!isChanged) await change();
        isChanged = true;
        return narrowed;
      },
    });
  }

  it('finds the events of a virtual field that was created after the filters were asked', async () => {
    await build('trace');
    const field = { dataset: 'logs', name: 'trace', expression: "'trace-7'" };
    let id = '';
    changeOnce(async () => {
      const { status, body, text } = await local.call('POST', '/v2/vfields', field);
      assert.equal(status, 200, text);
      id = body.id;
    });
    const found = await ask("logs | where trace == 'trace-7'");
    await local.call('DELETE', `/v2/vfields/${id}`);
    assert.equal(found.numbers.length, 1_000);
  });
});

describe('the rows that a follower reads with a look-up', () => {
  it('include events that are stored between the filters and the query', async () => {
    await build('trace');
    const { _time } = stored.find(({ trace }) => trace === 'trace-100')!;
    const late = [new Date(start).toISOString(), _time].map((time, i) => ({
      ...{ ...newEvent(COUNT + i), trace: 'late', _time: time },
    }));
    let isStored = false;
    useFilters({
      narrowed: async (...given) => {
        const narrowed = await filters.narrowed(...given);
        if (!isStored) await store(late);
        isStored = true;
        return narrowed;
      },
    });
    const apl = "logs | where trace in ('late', 'trace-100') | sort by _time asc";
    const first = await ask(apl, { includeCursor: true });
    assert.deepEqual(
      first.numbers,
      numbers(({ trace }) => trace === 'trace-100'),
    );
    const second = await ask(apl, { cursor: first.status.maxCursor });
    assert.deepEqual(second.numbers, [COUNT, COUNT + 1]);
  });
});

describe('the filters of a column', () => {
  it('are not built for a column with few texts', async () => {
    await ask("logs | where level == 'error'");
    await build('trace');
    assert.equal(await filters.narrowed(range, [lookupOf('level', ['error'])], signal), undefined);
  });

  it('are not built for a small table', async () => {
    filters = new BlockFilters(local.store.engine, { ...SMALL, minRows: COUNT + 1 });
    assert.equal(await filters.narrowed(range, [lookupOf('trace', ['?'])], signal), undefined);
    await pause(300);
    assert.equal(await filters.narrowed(range, [lookupOf('trace', ['?'])], signal), undefined);
  });

  it('make room for the filters of a column that was used more recently', async () => {
    filters = new BlockFilters(local.store.engine, { ...SMALL, maxBytes: COUNT * 3 });
    await build('trace');
    await build('user');
    assert.equal(await filters.narrowed(range, [lookupOf('trace', ['?'])], signal), undefined);
    assert.ok(await filters.narrowed(range, [lookupOf('user', ['?'])], signal));
  });

  it('are not built if the filter of the last, partial block would exceed the maximum memory', async () => {
    // The filters of 2,000 rows take 2 bytes per row, and those of the 32 blocks, the last of which is partial, more.
    const { engine } = local.store;
    let built = 0;
    const counting = {
      use: (work: (session: Session) => Promise<unknown>) =>
        engine.use((session) => {
          const rows = (sql: string) => {
            if (sql.includes('bitstring_agg')) built += 1;
            return session.rows(sql);
          };
          return work({ rows } as Session);
        }),
    } as Engine;
    filters = new BlockFilters(counting, { ...SMALL, maxBytes: COUNT * 2 });
    for (let round = 0; round < 5; round += 1) {
      await filters.narrowed(range, [lookupOf('trace', ['?'])], signal);
      await pause(100);
    }
    assert.equal(built, 0);
  });

  it('rule out almost all blocks that do not contain a text', async () => {
    await build('trace');
    let wide = 0;
    for (let i = 0; i < 500; i += 1) {
      const narrowed = await filters.narrowed(range, [lookupOf('trace', [`none-${i}`])], signal);
      const { start: from, end } = narrowed!.range;
      // The rows after the last full block are always read.
      if (end - from > 200_000_000_000n) wide += 1;
    }
    assert.ok(wide < 50, `${wide} of 500`);
  });
});
