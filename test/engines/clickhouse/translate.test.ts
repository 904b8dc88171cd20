/** What ClickHouse can't compute is refused at the part of the query that needs it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { bindQuery, parseQuery } from '../../../language/src/index.ts';
import { planForClickHouse } from '../../../local/src/engines/clickhouse/plan.ts';
import { loadTranslator } from '../../../local/src/engines/clickhouse/translator.ts';
import { PlanError } from '../../../local/src/planner/index.ts';
import { context, logs, schema } from '../../local/planner/engine.ts';

const { columnsOfLayout, translateStatement } = await loadTranslator();

const planned = (query: string) => planForClickHouse(bindQuery(parseQuery(query), schema), context);

/** Marks the part of a query at which planning fails. */
function refusalOf(query: string): string {
  try {
    planned(query);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return `${error.code} ${query.slice(error.start, error.end)}: ${error.message}`;
  }
  return 'planned';
}

it('a function without an equivalent is refused at its call', () => {
  assert.equal(
    refusalOf('logs | where status > 1 | extend h = strcat("a", dynamic_to_json(tags))'),
    "unsupported-function dynamic_to_json(tags): ClickHouse cannot compute 'dynamic_to_json(tags)' as a deployment on DuckDB does. Remove it, or run the query on a local deployment.",
  );
});

it('the page lists the messages of values that are refused while a query runs', () => {
  const root = join(import.meta.dirname, '../../..');
  const page = readFileSync(join(root, 'docs/many-machines.md'), 'utf8');
  const sources = globSync('local/src/engines/clickhouse/sql/**/*.ts', { cwd: root });
  const messages = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/'(ClickHouse [^'.]+)/g)].map(
      ([, message]) => message!,
    ),
  );
  assert.ok(messages.length > 6);
  assert.deepEqual(
    messages.filter((message) => !page.includes(message)),
    [],
  );
});

it('a query of known functions has a statement for each table', () => {
  const { main } = planned('logs | summarize count() by method');
  const { columns } = translateStatement(main.sql, () => columnsOfLayout(logs, '_row'));
  assert.deepEqual(
    columns.map(({ name }) => name),
    main.columns.map(({ name }) => name),
  );
});

it('a table is read by its schema and name, and the row number from its column', () => {
  const sql = 'SELECT t.rowid AS "r" FROM "db"."o""k" AS t';
  const columns = [{ name: 'rowid', stored: '_row', hidden: true, type: { kind: 'int' } as const }];
  const translated = translateStatement(sql, (table) =>
    table === '"db"."o\\"k"' ? columns : undefined,
  );
  assert.equal(translated.sql, 'SELECT t."_row" AS "r"\nFROM "db"."o\\"k" AS t');
});
