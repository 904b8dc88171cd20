// Random look-ups with and without Bloom filters: unusual names, types and texts, and followers of a growing dataset.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BlockFilters } from '../../local/src/engines/duckdb/blockFilters.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { random } from './random.ts';

const below = random(20_261_130);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
const start = Date.UTC(2026, 0, 1);
const SMALL = { blockRows: 64, minRows: 64, minTexts: 2, delayMs: 0 };
const unusual = [
  ...['', ' ', 'a', 'A', 'null', '5', "it's", '"q"', '\\', '%', 'x\0y', '\0', 'tab\t', 'line\n'],
  ...['é', 'e\u0301', 'Å', '\u212B', '\uFFFD', '\u{1F600}', 'a'.repeat(12), 'a'.repeat(13)],
  'z'.repeat(5_000),
];

let local: Deployment;
let narrowedCount = 0;
const stored: Record<string, unknown>[] = [];
const quietly = { narrowed: async () => undefined };
let filters: Pick<BlockFilters, 'narrowed'>;

function useFilters(of: Pick<BlockFilters, 'narrowed'>): void {
  Object.assign(local.store, { blockFilters: of });
}

function newEvent() {
  const n = stored.length;
  const second = below(6) === 0 ? below(n + 10) : n;
  const id = (count: number) => `t-${below(count)}`;
  const event = {
    _time: new Date(start + second * 1_000).toISOString(),
    n,
    trace: below(10) === 0 ? pick(unusual) : `t-${Math.floor(n / 4)}`,
    ...(below(2) === 0 && { Trace: id(400) }),
    ...(below(2) === 0 && { 'a.b': id(400) }),
    ...(below(2) === 0 && { 'quo"ted': id(400) }),
    ...(below(2) === 0 && { mixed: below(2) === 0 ? id(300) : below(300) }),
    ...(below(2) === 0 && { hidden: id(400) }),
    ...(below(2) === 0 && { odd: pick(unusual) }),
  };
  stored.push(event);
  return event;
}

const store = (count: number) => local.stored('logs', Array.from({ length: count }, newEvent));

before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await store(1_200);
  const field = { dataset: 'logs', name: 'hidden', expression: "strcat('t-', tostring(n % 400))" };
  const { status, text } = await local.call('POST', '/v2/vfields', field);
  assert.equal(status, 200, text);
  const own = new BlockFilters(local.store.engine, SMALL);
  filters = {
    narrowed: async (...given) => {
      const narrowed = await own.narrowed(...given);
      if (narrowed !== undefined) narrowedCount += 1;
      return narrowed;
    },
  };
});
after(() => local.close());

const symbols: Record<string, string> = { '\n': '\\n', '\t': '\\t', "'": "\\'", '\\': '\\\\' };
const quoted = (text: string) => `'${text.replace(/[\n\t'\\]/g, (found) => symbols[found]!)}'`;
const text = () => quoted(below(3) === 0 ? pick(unusual) : `t-${below(400)}`);
const field = () =>
  pick(['trace', 'trace', 'Trace', "['a.b']", `['quo"ted']`, 'mixed', 'hidden', 'hidden', 'odd']);

function condition(): string {
  return pick([
    ...Array(4).fill(() => `${field()} == ${text()}`),
    () => `${text()} == ${field()}`,
    () => `${field()} in (${text()}, ${text()}, ${text()})`,
    () => `${field()} in (${text()}, ${below(300)})`,
    () => `${field()} in (${text()}, string(null))`,
    () => `${field()} =~ ${text()}`,
    () => `not(${field()} == ${text()})`,
    () => `(${condition()} or ${condition()})`,
    () => `(${condition()} and ${condition()})`,
  ])();
}

async function ask(apl: string, members: object) {
  const { status, body, text } = await local.call('POST', '/v1/query/_apl?format=tabular', {
    ...{ apl, ...ALL_TIMES, defaultLimit: 50_000, ...members },
  });
  assert.equal(status, 200, text);
  const index = body.tables[0].fields.findIndex(({ name }: { name: string }) => name === 'n');
  const numbers: number[] = body.tables[0].columns?.[index] ?? [];
  return { numbers, status: body.status };
}

const stages = [
  () => '',
  () => `| where ${condition()}`,
  () => `| extend trace = Trace | where ${condition()}`,
  () => `| join kind=inner (logs | where ${condition()} | project Trace, m = n) on Trace`,
  () => `| where trace in ((logs | where ${condition()} | project trace))`,
  () => `| union (logs | where ${condition()})`,
];

it('random look-ups find the same events with and without filters', async () => {
  for (let round = 0; round < 300; round += 1) {
    if (round % 40 === 0) await store(1 + below(150));
    const apl = `logs | where ${condition()} ${pick(stages)()}`;
    const times = [below(1_500), below(1_500)].sort((a, b) => a - b);
    const [startTime, endTime] = times.map((time) => new Date(start + time * 1_000).toISOString());
    const members = below(2) === 0 ? { startTime, endTime } : {};
    const sorted = async (by: Pick<BlockFilters, 'narrowed'>) => {
      useFilters(by);
      return (await ask(apl, members)).numbers.toSorted((a, b) => a - b);
    };
    assert.deepEqual(await sorted(filters), await sorted(quietly), apl);
  }
  assert.ok(narrowedCount > 50, `${narrowedCount}`);
});

it('followers with look-ups receive each event once while events are stored', async () => {
  let isDone = false;
  useFilters({
    narrowed: async (...given) => {
      const narrowed = await filters.narrowed(...given);
      await pause(below(10));
      return narrowed;
    },
  });
  const write = async () => {
    for (let i = 0; i < 40; i += 1) await Promise.all([store(1 + below(40)), store(1 + below(10))]);
    isDone = true;
  };
  const follow = async (first: number) => {
    const texts = Array.from({ length: 12 }, (_, i) => `t-${first + i * 40}`);
    const apl = `logs | where trace in (${texts.map(quoted).join(', ')}) | sort by _time asc | take 5`;
    const received: number[] = [];
    let cursor: string | undefined;
    for (let isEnd = false; !isEnd; ) {
      const mayEnd = isDone;
      const page = await ask(apl, cursor === undefined ? { includeCursor: true } : { cursor });
      received.push(...page.numbers);
      isEnd = mayEnd && page.numbers.length === 0 && page.status.maxCursor === undefined;
      cursor = page.status.maxCursor ?? cursor;
    }
    const matching = stored.filter(({ trace }) => texts.includes(trace as string));
    assert.deepEqual(
      received.toSorted((a, b) => a - b),
      matching.map(({ n }) => n),
    );
  };
  const before = narrowedCount;
  await Promise.all([write(), follow(0), follow(7), follow(23)]);
  assert.ok(narrowedCount > before + 20);
});
