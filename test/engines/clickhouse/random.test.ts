/**
 * Runs the random queries of the planner's property tests on DuckDB and on ClickHouse, and compares their rows. The
 * reference evaluator says which rows a query leaves in any order, and which lists, so that nothing else may differ.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bindQuery, parseQuery, type Schema } from '../../../language/src/index.ts';
import { planQuery } from '../../../local/src/planner/index.ts';
import { isLong } from '../../drawn.ts';
import { context, type Engine, openEngine } from '../../local/planner/engine.ts';
import type { Table } from '../../local/planner/evaluator.ts';
import {
  asDynamic,
  type Cell,
  loosely,
  parsedJson,
  Unordered,
} from '../../local/planner/evaluatorValues.ts';
import { answerOf, type Case, queryOf, randomCase } from '../../local/planner/randomPipelines.ts';
import { layoutOf, schemaOf, storeSql } from '../../local/planner/randomTables.ts';
import { useServer } from '../server/testServer.ts';
import { Counts } from './counts.ts';
import {
  copyTable,
  ignoringItemOrder,
  isPartOf,
  type Outcome,
  type SameRows,
  TwoEngines,
} from './twoEngines.ts';

const count = isLong ? 20_000 : 1_000;
const perTest = 500;
/** The share of the queries that ClickHouse must answer as DuckDB does. */
const LEAST_SHARE = 0.85;
/** All times except those that no bound of a range can name. */
const range = { start: -(2n ** 62n), end: 2n ** 62n };

/** Compares rows as far as the query determines their order and the order of their lists. */
function asDetermined({ columns, classes, choose }: Table): SameRows {
  const isLoose = columns.map(({ name }) =>
    classes.flat().some((row) => row.get(name) instanceof Unordered),
  );
  const sameRows: SameRows = (a, b, same) => {
    if (a.length !== b.length) return false;
    let start = 0;
    return classes.every((tied, i) => {
      const isChoice = choose !== undefined && i === classes.length - 1;
      const end = start + (isChoice ? choose : tied.length);
      const [x, y] = [a.slice(start, end), b.slice(start, end)];
      start = end;
      if (!isChoice) return isPartOf(x, y, same);
      const possible = tied.map((row) => columns.map(({ name }) => row.get(name) ?? null));
      return isPartOf(x, possible, isValue) && isPartOf(y, possible, isValue);
    });
  };
  return ignoringItemOrder(sameRows, (column) => isLoose[column]!);

  function isValue(json: unknown, cell: unknown, column: number): boolean {
    const wanted = asDynamic(cell as Cell, columns[column]!.type);
    return loosely(parsedJson(String(json)), wanted) === loosely(wanted, wanted);
  }
}

describe('random queries on ClickHouse', () => {
  const server = useServer();
  let duckdb: Engine;
  before(async () => {
    duckdb = await openEngine();
  });
  after(() => duckdb.close());

  async function run(made: Case): Promise<Outcome> {
    const stored = made.sources.filter((source) => source.stored);
    const layouts = new Map(stored.map((source) => [source.name, layoutOf(source)]));
    for (const source of stored) {
      for (const sql of storeSql(source)) await duckdb.rows(sql);
      await copyTable(layouts.get(source.name)!, duckdb, server);
    }
    const schema: Schema = { complete: true, datasets: stored.map(schemaOf) };
    const plan = planQuery(bindQuery(parseQuery(queryOf(made)), schema), {
      ...context,
      range,
      layoutOf: (name) => layouts.get(name),
      datasetNames: () => [...layouts.keys()],
    });
    const engines = new TwoEngines(duckdb, server, [...layouts.values()]);
    return engines.compare(plan, asDetermined(answerOf(made)));
  }

  for (let first = 1; first < count; first += perTest) {
    it(`seeds from ${first} have the rows of DuckDB or are refused`, async (test) => {
      const counts = new Counts();
      for (let seed = first; seed < first + perTest; seed++) {
        const made = randomCase(seed);
        counts.add(await run(made), `seed ${seed}\n${queryOf(made)}`);
      }
      for (const line of counts.lines()) test.diagnostic(line);
      assert.equal(counts.different.join('\n\n'), '');
      assert.ok(counts.answered >= LEAST_SHARE * counts.total);
    });
  }
});
