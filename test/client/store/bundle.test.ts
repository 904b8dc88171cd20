/** The worker as it is shipped: one bundle that decodes, arranges and writes every format. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { build } from '../../../scripts/host/build.ts';
import { answerBody } from '../../bench/workbench/answerBody.ts';
import { arrive, newStore } from './stores.ts';

it('the bundled worker arranges an answer and exports it as CSV, Excel and Parquet', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  t.after(() => rm(folder, { recursive: true }));
  await build(['--production', '--only=results.cjs', `--outdir=${folder}`]);
  const store = newStore({ worker: join(folder, 'results.cjs') });
  t.after(() => store.dispose());
  const answer = await arrive(store, answerBody(3_000, 20));
  const place = { answer: answer.id, table: 0 };
  const order = [{ column: 7, descending: true }];
  const filters = [
    { column: 3, kind: 'text', match: 'regex', text: '7', caseSensitive: true },
  ] as const;
  const { rowCount } = await store.rows('arrange', { ...place, order, filters });
  assert.ok(rowCount > 100 && rowCount < 3_000);
  const columns = answer.head.tables[0]?.fields.map((_, index) => index) ?? [];
  for (const format of ['csv', 'xlsx', 'parquet']) {
    const path = join(folder, `rows.${format}`);
    const request = { ...place, format, options: {}, path, name: 'rows', columns, allRows: false };
    const exported = await store.rows('export', request);
    assert.equal(exported.rows, rowCount);
    assert.equal(exported.bytes, (await stat(path)).size);
  }
  assert.match(await readFile(join(folder, 'rows.csv'), 'utf8'), /^_time,status,method,/);
});
