/**
 * Runs the queries of the corpora on DuckDB and on ClickHouse, and compares their rows: those of the documentation over
 * datasets filled for them, and those with the answers of a real engine. They are in the folder that APLOMB_CORPORA
 * names, which a clone doesn't need.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { analyzeQuery } from '../../../language/src/index.ts';
import { PlanError, planQuery } from '../../../local/src/planner/index.ts';
import type { Plan } from '../../../local/src/planner/plan.ts';
import { type Sources, sourcesOf } from '../../../local/src/sources.ts';
import { nameOf, readEntries } from '../../corpora/documentation.ts';
import { fieldValue } from '../../corpora/events.ts';
import { readCases } from '../../corpora/oracle.ts';
import { openFilled } from '../../corpora/run.ts';
import type { Deployment } from '../../local/deployment.ts';
import { useServer } from '../server/testServer.ts';
import { Counts } from './counts.ts';
import {
  copyTable,
  ignoringItemOrder,
  inOrderOf,
  type Rows,
  type SameRows,
  TwoEngines,
} from './twoEngines.ts';

const folder = process.env['APLOMB_CORPORA'];
const skip = folder === undefined && 'APLOMB_CORPORA names no folder with the corpora.';

/** The share of the queries that ClickHouse must answer as DuckDB does. */
const LEAST_SHARE = 0.85;
const DAY = 86_400_000_000_000n;

/** Raises limits above the number of rows, because each engine may choose other rows among equal ones. */
function ofAllRows(query: string): string {
  return query
    .replace(/(\|\s*(?:limit|take|top)\s+)\d+/g, '$1100000')
    .replace(/(\|\s*sample\s+)0?\.\d+/g, '$11');
}

/** Compares rows in order, and lists whose order the query doesn't determine by their items. */
function sameRowsOf(query: string, { main }: Plan): SameRows {
  const list = query.search(/\bmake_(?:list|set)|\bmakeset/);
  const isSorted = /\|\s*(?:sort|order) by/.test(query.slice(0, Math.max(list, 0)));
  return ignoringItemOrder(inOrderOf(main), () => list >= 0 && !isSorted);
}

describe('the corpora on ClickHouse', { skip }, () => {
  const server = useServer();
  const entries = skip
    ? []
    : readEntries(folder).filter(({ kind, issues }) => kind === 'query' && !issues);
  const cases = skip ? [] : readCases(join(folder!, 'corpus/kql-oracle.jsonl'));
  let local: Deployment;
  let duckdb: Rows;
  let engines: TwoEngines;
  let sources: Sources;
  let now: bigint;

  before(async () => {
    const queries = entries.map(({ query }) => query);
    local = await openFilled(queries, fieldValue);
    now = BigInt(Date.now()) * 1_000_000n;
    const { engine, datasets } = local.store;
    duckdb = { rows: (sql) => engine.use((session) => session.rows(sql)) };
    sources = sourcesOf(local.store);
    const layouts = sources.datasetNames().map((name) => datasets.get(name)!.layout);
    const schemas = new Set(layouts.map(({ table }) => table.split('.')[0]));
    for (const schema of schemas) await server.run(`CREATE DATABASE ${schema}`);
    for (const layout of layouts) await copyTable(layout, duckdb, server);
    engines = new TwoEngines(duckdb, server, layouts);
  });
  after(() => local.close());

  /** Returns a query's plan, or undefined if the planner refuses it for every engine. */
  function planOf(query: string): Plan | undefined {
    const { bound, problems } = analyzeQuery(query, sources.schema);
    if (problems.some(({ severity }) => severity === 'error')) return undefined;
    const range = { start: now - 2n * DAY, end: now };
    try {
      return planQuery(bound, { ...sources, range, now, defaultLimit: 1_000 });
    } catch (error) {
      if (error instanceof PlanError) return undefined;
      throw error;
    }
  }

  async function compareAll(queries: readonly { readonly name: string; readonly query: string }[]) {
    const counts = new Counts();
    for (const { name, query } of queries) {
      const plan = planOf(ofAllRows(query));
      if (plan === undefined) continue;
      await local.store.engine.createMacros(plan.macros);
      counts.add(await engines.compare(plan, sameRowsOf(query, plan)), `${name}\n${query}`);
    }
    return counts;
  }

  for (const [title, queries] of [
    ['the queries of the documentation', entries.map((one) => ({ ...one, name: nameOf(one) }))],
    ['the queries of another engine', cases.map((one) => ({ ...one, name: one.id }))],
  ] as const) {
    it(`${title} have the rows of DuckDB or are refused`, async (test) => {
      const counts = await compareAll(queries);
      for (const line of counts.lines()) test.diagnostic(line);
      assert.equal(counts.different.join('\n\n'), '');
      assert.ok(counts.answered >= LEAST_SHARE * counts.total);
    });
  }
});
