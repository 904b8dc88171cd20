// The planner's macros in a deployment: each is created when a statement first uses it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Macros } from '../../local/src/engines/duckdb/database/macros.ts';
import { macros } from '../../local/src/planner/macros.ts';
import { type Sql, sql, text } from '../../local/src/planner/sql.ts';
import { macroNames } from '../../local/src/planner/traits.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';

const namesFor = (of: Sql) => macroNames(of.macros);

describe('the macros required by a statement', () => {
  it('include macros called directly or through other macros', () => {
    assert.deepEqual(namesFor(sql`SELECT 1`), []);
    assert.deepEqual(
      namesFor(sql`SELECT 'apl.json_long(1)', "apl.like(", ${text('apl.like(1)')}`),
      [],
    );
    assert.deepEqual(namesFor(sql`SELECT apl.truncate_long(1)`), ['truncate_long']);
    const needed = namesFor(sql`SELECT apl.json_long(x)`);
    for (const name of ['json_long', 'parse_long', 'truncate_long'])
      assert.ok(needed.includes(name));
    assert.ok(needed.length < macros.length / 10, needed.join());
  });
});

describe('a deployment', () => {
  it('creates a macro once, even if several queries need it at the same time', async () => {
    const local = await Deployment.open();
    try {
      const made = () =>
        local.store.engine.use((session) =>
          session.rows<[string]>(
            "SELECT function_name FROM duckdb_functions() WHERE database_name = 'apl' AND NOT internal ORDER BY 1",
          ),
        );
      assert.deepEqual(await made(), []);
      const apl = "print a = toint(dynamic([7])[0]), b = format_bytes(2048), c = 'x' has 'x'";
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => local.query(apl, ALL_TIMES)),
      );
      for (const { body } of answers)
        assert.deepEqual(body.tables[0].columns, [[7], ['2 KB'], [true]]);
      const names = (await made()).flat();
      assert.deepEqual([...new Set(names)], names);
      assert.ok(names.includes('format_bytes') && names.length < macros.length / 4, names.join());
    } finally {
      await local.close();
    }
  });

  it('creates the missing macros if an earlier creation was aborted', async () => {
    const local = await Deployment.open();
    try {
      const apl = 'print a = toint(dynamic([7])[0])';
      // The state after an attempt that was aborted after its first statement.
      const first = macros.find(({ name }) => name === 'json_long');
      await local.store.engine.use((session) => session.run(first!.sql));
      const { body } = await local.query(apl, ALL_TIMES);
      assert.deepEqual(body.tables[0].columns, [[7]]);
    } finally {
      await local.close();
    }
  });

  it('retries a macro whose creation failed', async () => {
    const asked: string[] = [];
    const store = new Macros(async (sql) => {
      asked.push(sql);
      if (asked.length === 1) throw new Error('no memory');
    }, undefined);
    const first = store.create(['truncate_long']);
    const other = store.create(['like']);
    await assert.rejects(first, /no memory/);
    await other;
    await store.create(['truncate_long']);
    await store.create(['truncate_long']);
    assert.deepEqual(
      asked.map((sql) => /apl\.(\w+)/.exec(sql)?.[1]),
      ['truncate_long', 'like', 'truncate_long'],
    );
  });
});
