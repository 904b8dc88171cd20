/**
 * Sends hostile strings to the app: they stay data wherever they are used. No request causes an
 * internal error, no file is read or written, and neither the engine's settings nor its tables
 * change.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { chunkLimitName } from '../../local/src/engines/duckdb/database/computed/chunkLimit.ts';
import { computedFunctions } from '../../local/src/engines/duckdb/database/computed/index.ts';
import { macros } from '../../local/src/planner/macros.ts';
import { isLong, seed } from '../drawn.ts';
import { Deployment } from './deployment.ts';
import { hostileText } from './hostileTexts.ts';
import { canarySecret, uses } from './hostileUses.ts';
import { random } from './random.ts';

const texts = isLong ? 10_000 : 1_000;

/** Several failures are reported, because they often share a cause. */
const mostTold = 10;

let local: Deployment;
let outside: string;
let secret: string;
before(async () => {
  local = await Deployment.open();
  outside = await mkdtemp(join(tmpdir(), 'aplomb-canary-'));
  secret = join(outside, 'secret.csv');
  await writeFile(secret, canarySecret);
  await local.dataset('canary');
  await local.stored('canary', [{ _time: '2026-01-01T00:00:00Z', s: 'still here', n: 1 }]);
});
after(async () => {
  await local.close();
  await rm(outside, { recursive: true, force: true });
});

/**
 * Returns the state that escaped SQL would change. The datasets' own tables are counted through the
 * API.
 */
async function state(): Promise<unknown> {
  return local.store.engine.use(async (session) => {
    const settings = await session.rows('SELECT name, value FROM duckdb_settings() ORDER BY name');
    const databases = await session.rows(
      'SELECT database_name, path FROM duckdb_databases() ORDER BY 1',
    );
    // The planner's macros and the functions that they call are created on first use.
    const own = [chunkLimitName, ...computedFunctions.map((of) => of.name)];
    const functions = await session.rows(
      `SELECT count(*) FROM duckdb_functions() WHERE database_name IS DISTINCT FROM 'apl' AND function_name NOT IN ('${own.join("', '")}')`,
    );
    const made = await session.rows<[string]>(
      "SELECT function_name FROM duckdb_functions() WHERE database_name = 'apl' AND NOT internal",
    );
    const foreign = made.filter(([name]) => !macros.some((macro) => macro.name === name));
    const views = await session.rows('SELECT count(*) FROM duckdb_views()');
    return { settings, databases, functions, foreign, views };
  });
}

async function tableCount(): Promise<number> {
  const [count] = await local.store.engine.use((session) =>
    session.rows<[bigint]>('SELECT count(*) FROM duckdb_tables() WHERE NOT temporary'),
  );
  const { body } = await local.call('GET', '/v2/datasets');
  return Number(count![0]) - body.length;
}

it(`${texts} hostile strings are treated as data wherever they are used`, async () => {
  // Paths and statements that would have a visible effect.
  const more = [
    secret,
    `read_text('${secret}')`,
    `'; COPY (SELECT 1) TO '${join(outside, 'out')}'; --`,
    `ATTACH '${join(outside, 'x.db')}'`,
    `read_csv('${secret}')`,
  ];
  const [before, tables] = [await state(), await tableCount()];
  const below = random(seed);
  const failures: string[] = [];
  const places = Object.entries(uses);
  for (let id = 0; id < texts; id++) {
    const [name, use] = places[id % places.length]!;
    const text = hostileText(below, more);
    // A file named as a source of externaldata is read, as tested elsewhere.
    if (name.includes('externaldata') && text.includes(outside)) continue;
    await use(text, { local, id, below }).catch((error: Error) => {
      failures.push(`${name}, number ${id}: ${JSON.stringify(text)}\n${error.message}`);
    });
    if (failures.length === mostTold) break;
  }
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
  assert.deepEqual(await state(), before);
  assert.equal(await tableCount(), tables);
  assert.deepEqual(await readdir(outside), ['secret.csv']);
  assert.equal(await readFile(secret, 'utf8'), canarySecret);
  assert.deepEqual(await local.rows('canary | project s, n'), [{ s: 'still here', n: 1 }]);
});
