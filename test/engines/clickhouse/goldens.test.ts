/** Runs the planner's goldens on DuckDB and on ClickHouse, and compares their rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bindQuery, parseQuery } from '../../../language/src/index.ts';
import { planForClickHouse } from '../../../local/src/engines/clickhouse/plan.ts';
import { loadTranslator } from '../../../local/src/engines/clickhouse/translator.ts';
import { PlanError } from '../../../local/src/planner/index.ts';
import type { Plan } from '../../../local/src/planner/plan.ts';
import {
  context,
  type Engine,
  logs,
  openEngine,
  plan,
  schema,
} from '../../local/planner/engine.ts';
import { type Golden, readGoldens } from '../../local/planner/goldens.ts';
import { mostUsed } from '../../local/planner/mostUsed.ts';
import { useServer } from '../server/testServer.ts';
import { Counts } from './counts.ts';
import { copyTable, TwoEngines } from './twoEngines.ts';

/** The share of the goldens that ClickHouse must answer as DuckDB does. */
const LEAST_SHARE = 0.85;

const counts = new Counts();

function planOf(query: string): Plan | undefined {
  try {
    return plan(query);
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}

interface Refusal {
  readonly query: string;
  readonly part: string;
}

/** Returns the first part of a query that ClickHouse refuses, if there is one. */
function refusalsOf({ query }: Golden): readonly Refusal[] {
  if (planOf(query) === undefined) return [];
  try {
    planForClickHouse(bindQuery(parseQuery(query), schema), context);
    return [];
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return [{ query, part: query.slice(error.start, error.end) }];
  }
}

describe('goldens on ClickHouse', () => {
  const server = useServer();
  let duckdb: Engine;
  let engines: TwoEngines;
  before(async () => {
    duckdb = await openEngine();
    await copyTable(logs, duckdb, server);
    engines = new TwoEngines(duckdb, server, [logs]);
  });
  after(() => duckdb.close());

  for (const { name, goldens } of readGoldens()) {
    it(`${name} has the rows of DuckDB or is refused`, async () => {
      const before = counts.different.length;
      for (const { name, query } of goldens) {
        const planned = planOf(query);
        if (planned !== undefined) counts.add(await engines.compare(planned), `${name}\n${query}`);
      }
      assert.equal(counts.different.slice(before).join('\n\n'), '');
    });
  }

  it('the page lists the functions that are refused, which are none of those used most', async () => {
    await loadTranslator();
    const page = readFileSync(join(import.meta.dirname, '../../../docs/many-machines.md'), 'utf8');
    const [table] = /\| Refused before[\s\S]*?\n\n/.exec(page) as RegExpExecArray;
    const names = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    const refused = readGoldens().flatMap(({ goldens }) => goldens.flatMap(refusalsOf));
    const isNamed = ({ part }: Refusal) => names.some((name) => part.includes(name));
    assert.deepEqual(
      refused.filter((refusal) => !isNamed(refusal)),
      [],
    );
    const isUsedMost = (name: string) => mostUsed.some(([used]) => used === name);
    assert.deepEqual(names.filter(isUsedMost), []);
    assert.deepEqual(
      names.filter((name) => !refused.some(({ query }) => query.includes(name))),
      [],
    );
  });

  it('at least 85 % are answered', (test) => {
    for (const line of counts.lines()) test.diagnostic(line);
    assert.ok(counts.answered >= LEAST_SHARE * counts.total);
  });
});
