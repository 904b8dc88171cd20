/** A deployment's own prices of models: read from its data folder, before those that ship. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readPrices } from '../../local/src/planner/prices.ts';
import { openStore } from '../../local/src/store/store.ts';

async function priced(file: string | undefined, sql: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-prices-'));
  try {
    if (file !== undefined) await writeFile(join(folder, 'prices.json'), file);
    const store = await openStore({ folder });
    try {
      return await store.engine.use((session) => session.rows(sql));
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const question = `SELECT apl.genai_price('our-model', '/input'), apl.genai_price('gpt-4o', '/input')`;

describe('prices of models', () => {
  it('come from the data folder before those that ship', async () => {
    const file = '{"Our-Model": {"input": 7, "output": 9}, "gpt-4o": {"input": 1, "output": 1}}';
    assert.deepEqual(await priced(file, question), [[7e-6, 1e-6]]);
  });

  it('ship for models that are well known', async () => {
    assert.deepEqual(await priced(undefined, question), [[null, 2.5e-6]]);
  });

  it('keep the deployment from starting when they cannot be read, and say why', async () => {
    await assert.rejects(priced('{"m": {"input": "free"}}', question), /The price of m /);
    await assert.rejects(priced('[]', question), /prices\.json is an object/);
    await assert.rejects(priced('{', question), /JSON/);
  });

  it('are data, whatever a model is called', () => {
    const hostile = `x'); DROP TABLE t; --`;
    assert.deepEqual(readPrices(JSON.stringify({ [hostile]: { input: 0, output: 0 } })), {
      [hostile.toLowerCase()]: { input: 0, output: 0 },
    });
  });
});
