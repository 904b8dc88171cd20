/** Runs the planner's goldens on DuckDB and on ClickHouse, and compares their rows. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PlanError } from '../../../local/src/planner/index.ts';
import type { Plan } from '../../../local/src/planner/plan.ts';
import { type Engine, logs, openEngine, plan } from '../../local/planner/engine.ts';
import { readGoldens } from '../../local/planner/goldens.ts';
import { useServer } from '../server/testServer.ts';
import { copyTable, TwoEngines } from './twoEngines.ts';

/** The share of the goldens that ClickHouse must answer as DuckDB does. */
const LEAST_SHARE = 0.85;

const counts = { equal: 0, rounded: 0, refused: 0, refusedValue: 0, different: 0 };
const refused = new Map<string, number>();

function planOf(query: string): Plan | undefined {
  try {
    return plan(query);
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
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
      const different: string[] = [];
      for (const golden of goldens) {
        const planned = planOf(golden.query);
        if (planned === undefined) continue;
        const outcome = await engines.compare(planned);
        counts[outcome.kind]++;
        if (outcome.kind === 'different')
          different.push(`${golden.name}\n${golden.query}\n${outcome.message.slice(0, 2_000)}`);
        if (outcome.kind === 'refused')
          refused.set(outcome.feature, (refused.get(outcome.feature) ?? 0) + 1);
      }
      assert.equal(different.join('\n\n'), '');
    });
  }

  it('at least 85 % are answered', (test) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    test.diagnostic(JSON.stringify(counts));
    for (const [feature, count] of [...refused].sort((a, b) => b[1] - a[1]))
      test.diagnostic(`refused ${count}: ${feature}`);
    assert.ok(counts.equal + counts.rounded >= LEAST_SHARE * total);
  });
});
