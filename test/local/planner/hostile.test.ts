/** Names and values that look like SQL reach the engine as data: they come back as they went in. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bindQuery, parseQuery, quoteName, quoteText } from '../../../language/src/index.ts';
import { planQuery } from '../../../local/src/planner/index.ts';
import { identifier, text } from '../../../local/src/planner/sql.ts';
import type { DatasetLayout } from '../../../local/src/store/layout.ts';
import { hostileTexts as anyTexts } from '../hostileTexts.ts';
import { context, type Engine, openEngine } from './engine.ts';

/** Texts that come through the engine's binding: it drops a leading mark of byte order, and half a pair is no UTF-8. */
function hostileTexts(count: number, seed: number): string[] {
  return anyTexts(count, seed).filter(
    (value) => !value.includes('\ufeff') && Buffer.from(value).toString() === value,
  );
}

let engine: Engine;
before(async () => {
  engine = await openEngine();
});
after(() => engine.close());

async function run(query: string, layout?: DatasetLayout) {
  const schema = {
    complete: true,
    datasets: layout
      ? [{ name: layout.name, fields: layout.fields.map(({ name }) => ({ name, type: 'string' })) }]
      : [],
  };
  const layoutOf = (name: string) => (name === layout?.name ? layout : undefined);
  const planned = planQuery(bindQuery(parseQuery(query), schema), { ...context, layoutOf });
  return { columns: planned.main.columns, rows: await engine.rows(planned.main.sql) };
}

describe('hostile values', () => {
  it('are returned unchanged', async () => {
    const texts = hostileTexts(2000, 7);
    for (let i = 0; i < texts.length; i += 100) {
      const batch = texts.slice(i, i + 100);
      const cells = batch.map((value) => quoteText(value)).join(', ');
      const { rows } = await run(`datatable(s:string) [${cells}]`);
      assert.deepEqual(
        rows.map(([value]) => value),
        batch,
      );
    }
  });

  it('are compared literally when used as search strings, patterns and keys', async () => {
    for (const value of hostileTexts(150, 11)) {
      const quoted = quoteText(value);
      const { rows } = await run(
        `datatable(s:string) [${quoted}] | project a = s == ${quoted}, b = s contains ${quoted},
         c = s startswith ${quoted}, d = s endswith_cs ${quoted}, e = s in (${quoted}, "other"),
         f = s matches regex regex_quote(${quoted}), g = indexof(s, ${quoted}), h = bag_pack(${quoted}, 1)[${quoted}],
         i = tostring(bag_pack("k", s).k), j = array_length(split(s, ${quoted}))`,
      );
      assert.deepEqual(rows, [[true, true, true, true, true, true, '0', '1', value, '2']], value);
    }
  });
});

describe('hostile names', () => {
  it('are returned unchanged for computed columns and stay distinct in SQL', async () => {
    const names = [...new Set(hostileTexts(200, 13))].filter((name) => name.length <= 1024);
    for (const name of names) {
      const quoted = quoteName(name);
      const { columns, rows } = await run(
        `print ${quoted} = 1 | extend other = ${quoted} + 1 | summarize n = count(), ${quoted} = sum(other) by g = ${quoted} | sort by ${quoted} desc`,
      );
      assert.deepEqual(
        columns.map((column) => column.name),
        ['g', 'n', name],
      );
      assert.deepEqual(rows, [['1', '1', '2']]);
    }
  });

  it('resolve to the right table and column for datasets and stored fields', async () => {
    for (const [i, name] of hostileTexts(40, 17).entries()) {
      // DuckDB has no names with control characters; the store gives such a field a column of another name.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
      const stored = `${i} ${name.replace(/[\u0000-\u001f\u007f]/g, '_')}`;
      const table = identifier(`table ${stored}`).text;
      await engine.rows(
        `CREATE TABLE ${table} AS SELECT ${text(name).text} AS ${identifier(stored).text}`,
      );
      const layout: DatasetLayout = {
        name: `${i}${name}`,
        table,
        numbering: 1,
        fields: [{ name, variants: [{ type: 'string', column: stored }] }],
      };
      const { columns, rows } = await run(
        `${quoteName(layout.name)} | where ${quoteName(name)} != "" | project ${quoteName(name)}`,
        layout,
      );
      assert.deepEqual([columns.map((column) => column.name), rows], [[name], [[name]]]);
    }
  });
});
