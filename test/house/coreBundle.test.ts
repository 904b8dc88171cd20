/** The core of the language, which analyzes queries, leaves out the documentation in the same files. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { build } from 'esbuild';
import { proseOf } from '../../language/src/editing.ts';
import { aggregates, functions, operators, scalarOperators } from '../../language/src/index.ts';
import { root } from './sources.ts';

it("the core's bundle contains every function and no documentation", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'language', 'src', 'index.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const missing = functions.filter(({ name }) => !text.includes(`${name}: fn(`));
  assert.deepEqual(missing, []);
  const documented = [...functions, ...aggregates, ...operators, ...scalarOperators].filter((row) =>
    text.includes(JSON.stringify(proseOf(row).summary)),
  );
  assert.deepEqual(
    documented.map(({ name }) => name),
    [],
  );
});
