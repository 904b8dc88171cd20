/**
 * Tests a deployment's own model prices: read from its data folder, with precedence over the
 * built-in ones.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readPrices } from '../../local/src/planner/prices.ts';
import { type Sql, sql } from '../../local/src/planner/sql.ts';
import { macroNames } from '../../local/src/planner/traits.ts';
import { openStore } from '../../local/src/store/store.ts';

async function priced(file: string | undefined, query: Sql): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-prices-'));
  try {
    if (file !== undefined) await writeFile(join(folder, 'prices.json'), file);
    const store = await openStore({ folder });
    try {
      await store.engine.createMacros(macroNames(query.macros));
      return await store.engine.use((session) => session.rows(query.text));
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const question = sql`SELECT apl.genai_price('our-model', '/input'), apl.genai_price('gpt-4o', '/input')`;

describe('model prices', () => {
  it('take precedence over built-in prices if they are in the data folder', async () => {
    const file = '{"Our-Model": {"input": 7, "output": 9}, "gpt-4o": {"input": 1, "output": 1}}';
    assert.deepEqual(await priced(file, question), [[7e-6, 1e-6]]);
  });

  it('are built in for well-known models', async () => {
    assert.deepEqual(await priced(undefined, question), [[null, 2.5e-6]]);
  });

  it('prevent the start if they are invalid, with an error that gives the reason', async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['{"m": {"input": "free"}}', /^Error: \S+prices\.json: the price of "m" must be /],
      ['{"m": {"input": -1, "output": 1}}', /prices\.json: the price of "m" must be /],
      ['{"m": {"input": 1e999, "output": 1}}', /prices\.json: the price of "m" must be /],
      ['{"m": null}', /prices\.json: the price of "m" must be /],
      ['[]', /prices\.json must hold an object/],
      ['', /prices\.json is not JSON: Unexpected end of JSON input\.$/],
      ['{\n "m": {', /prices\.json is not JSON: .* \(line 2 column 8\)\.$/],
      ['{"m": NaN}', /prices\.json is not JSON: /],
    ];
    for (const [file, expected] of wrong) {
      await assert.rejects(priced(file, question), (error) => {
        assert.match(String(error), expected, file);
        assert.doesNotMatch(String(error), /\n/, file);
        return true;
      });
    }
  });

  it('prevent the start if their file is unreadable, with an error that names the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-prices-'));
    try {
      await mkdir(join(folder, 'prices.json'));
      await assert.rejects(openStore({ folder }), /prices\.json cannot be read: EISDIR/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('accept any model name as data', () => {
    const hostile = `x'); DROP TABLE t; --`;
    const file = JSON.stringify({ [hostile]: { input: 0, output: 0 } });
    assert.deepEqual(readPrices(file, 'prices.json'), {
      [hostile.toLowerCase()]: { input: 0, output: 0 },
    });
  });
});
