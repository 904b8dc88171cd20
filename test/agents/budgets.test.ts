// No answer is beyond its budget, whatever the tables, names, resources and queries are.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AgentSession,
  type AnswerTable,
  callTool,
  DEFINITION_TOKENS_MAX,
  estimateTokens,
  type FieldInfo,
  guide,
  offeredTools,
  openFence,
} from '../../agents/src/index.ts';
import { definitionOf } from '../../cli/src/mcp/server.ts';
import { drawn } from '../drawn.ts';
import { random } from '../local/random.ts';
import { fakeContext, neverAborted } from './fakeContext.ts';

const ANSWER_MAX = 8_000;
const GUIDE_MAX = 2_000;

const MEGABYTE = 1024 * 1024;

/** Cells that are expensive in some way. Large ones are shared, so that they take no memory. */
const largeCells: readonly unknown[] = [
  'x'.repeat(MEGABYTE),
  '🔥'.repeat(MEGABYTE / 2),
  '`'.repeat(MEGABYTE),
  '\u0000'.repeat(MEGABYTE),
  '"\\'.repeat(MEGABYTE / 2),
  `line\n`.repeat(MEGABYTE / 5),
  { deep: Array.from({ length: 10_000 }, (_, index) => ({ [`key${index}`]: index })) },
  9_223_372_036_854_775_807n,
  -0.1234567890123456,
  null,
  true,
];

/** Builds a table with 2,000 columns, whose names, types and cells are drawn. */
function wideTable(seed: number): { table: AnswerTable; fields: FieldInfo[] } {
  const next = random(seed);
  const rowCount = next(4);
  const long = next(3) === 0 ? 'n'.repeat(1 + next(190)) : '';
  const prefix = ['field', '名前', '🔥', '`', 'a.b', '\u202e', '\n', 'A'][next(8)] as string;
  const fields = Array.from({ length: 2_000 }, (_, index) => ({
    name: `${prefix}${long}${index}`,
    type: ['string', 'integer', 'float', 'datetime', 'map', 'integer|string'][next(6)] as string,
    ...(next(4) === 0 && { description: 'word '.repeat(next(2_000)) }),
  }));
  const columns = fields.map(() =>
    Array.from({ length: rowCount }, () => largeCells[next(largeCells.length)]),
  );
  return { table: { name: '0', fields, columns }, fields };
}

describe('budgets', () => {
  it('the definitions of all tools and the guide are within theirs', () => {
    const contexts = [{ ingest: true }, { runTests: true }, { ingest: true, runTests: true }, {}];
    for (const context of contexts) {
      const tools = offeredTools(context as never);
      assert.ok(tools.length <= 10);
      const tokens = estimateTokens(JSON.stringify({ tools: tools.map(definitionOf) }));
      assert.ok(tokens <= DEFINITION_TOKENS_MAX && DEFINITION_TOKENS_MAX <= 3_000, String(tokens));
    }
    assert.ok(estimateTokens(guide) <= GUIDE_MAX);
  });

  it('answers over the 200 widest tables are within theirs, and say what was cut', async () => {
    let cut = 0;
    const seeds = drawn(Array.from({ length: 200 }, (_, index) => index));
    for (const seed of seeds) {
      const { table, fields } = wideTable(seed);
      const totals = { ...table, name: '_totals' };
      const tables = seed % 2 === 0 ? [table] : [table, totals];
      const session = new AgentSession(fakeContext({ tables, fields }));
      const calls = [
        ['run_query', { query: 'logs | take 5' }],
        ['get_fields', { dataset: 'logs' }],
        ['run_query', { more: 'r1:1' }],
      ] as const;
      for (const [name, input] of calls) {
        const { text } = await callTool(session, name, input, neverAborted);
        const tokens = estimateTokens(text);
        assert.equal(openFence(text), undefined);
        assert.ok(tokens <= ANSWER_MAX, `table ${seed}: ${name} has ${tokens} tokens`);
        if (name === 'run_query') assert.match(text, /columns? of 2000 not shown|no rows/i);
        if (/rows? of \d+ not shown/.test(text)) cut += 1;
      }
    }
    assert.ok(cut > seeds.length / 4);
  });

  it('a table of many short rows fills the budget, and its handle returns every row once', async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => index);
    const table = {
      name: '0',
      fields: [
        { name: 'n', type: 'integer' },
        { name: 's', type: 'string' },
      ],
      columns: [values, values.map((n) => `text ${n}`)],
    };
    const session = new AgentSession(fakeContext({ tables: [table] }));
    const seen: number[] = [];
    let input: object = { query: 'logs | take 1000' };
    for (let page = 0; page < 20; page += 1) {
      const { text } = await callTool(session, 'run_query', input, neverAborted);
      assert.ok(estimateTokens(text) <= ANSWER_MAX);
      seen.push(...[...text.matchAll(/^\[(\d+),"text \1"\]$/gm)].map(([, n]) => Number(n)));
      const [, more] = /more: "(r1:\d+)"/.exec(text) ?? [];
      if (more === undefined) break;
      assert.ok(estimateTokens(text) > ANSWER_MAX / 2);
      input = { more };
    }
    assert.deepEqual(seen, values);
  });

  it('only the latest answers are kept', async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => `text ${index}`.repeat(20));
    const table = { name: '0', fields: [{ name: 's', type: 'string' }], columns: [values] };
    const session = new AgentSession(fakeContext({ tables: [table] }));
    for (let run = 0; run < 6; run += 1) {
      await callTool(session, 'run_query', { query: 'logs | take 1000' }, neverAborted);
    }
    const old = await callTool(session, 'run_query', { more: 'r1:10' }, neverAborted);
    assert.match(old.text, /run the query again/);
    const kept = await callTool(session, 'run_query', { more: 'r6:10' }, neverAborted);
    assert.match(kept.text, /Rows 11 to /);
  });

  it('long lists, resources, pages, problems and failures are cut', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `dataset-${index}-`.repeat(8));
    const huge = 'where x == "y" | '.repeat(5_000);
    const record = { id: 'a', name: 'a'.repeat(5_000), type: 'Threshold', aplQuery: huge };
    const records = Array.from({ length: 1_000 }, (_, id) => ({ ...record, id: String(id) }));
    const session = new AgentSession(
      fakeContext(
        {},
        {
          datasets: async () => ({
            ok: true,
            value: {
              datasets: names.map((name) => ({
                name,
                kind: 'dataset',
                description: 'about '.repeat(500),
              })),
              complete: true,
            },
          }),
          resources: async () => ({ ok: true, value: records }),
          workspaceQueries: async () => names.map((name) => ({ name, apl: huge })),
          page: () => huge,
          documentProblems: async () => Array.from({ length: 500 }, () => huge),
          ask: async () => ({ ok: false, message: huge }),
          ingest: async () => ({
            ok: true,
            value: { stored: 1, failed: 1_000, messages: names.map(() => huge) },
          }),
        },
      ),
    );
    const change = { description: huge, extra: names };
    const calls: readonly (readonly [string, object])[] = [
      ['list_datasets', {}],
      ['get_fields', { dataset: 'x'.repeat(100_000) }],
      ['check_query', { query: `logs ${'| where ('.repeat(3_000)}` }],
      ['check_query', { query: `logs ${'| wher x = 1'.repeat(1_000)}`, fix: true }],
      ['run_query', { query: 'print x = 1' }],
      ['run_query', { query: 'x'.repeat(50_000) }],
      ['run_to_stage', { query: `print x = 1${' | take 1'.repeat(400)}` }],
      ['explain', { topic: 'unknown-column' }],
      ['search_queries', {}],
      ['get_resource', { kind: 'monitors' }],
      ['get_resource', { kind: 'monitors', id: '5' }],
      ['plan_change', { kind: 'monitors', id: '5', change }],
      ['plan_change', { kind: 'monitors', change: { ...record, ...change } }],
      ['ingest_events', { dataset: 'x'.repeat(100_000), events: [{ a: 1 }] }],
      ['y'.repeat(100_000), {}],
    ];
    for (const [name, input] of calls) {
      const { text } = await callTool(session, name, input, neverAborted);
      const tokens = estimateTokens(text);
      assert.equal(openFence(text), undefined);
      assert.ok(tokens <= ANSWER_MAX, `${name.slice(0, 20)} has ${tokens} tokens`);
    }
  });
});
