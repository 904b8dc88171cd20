/** The core of the language, which analyzes queries, leaves out the documentation, layout and slots in the same files. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { build } from 'esbuild';
import { proseOf } from '../../language/src/editing.ts';
import { aggregates, functions, operators, scalarOperators } from '../../language/src/index.ts';
import { root } from './sources.ts';

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'language', 'src', entry)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

it("the core's bundle contains every function and no documentation", async () => {
  const text = await bundled('index.ts');
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

it("the core's bundle contains no layout rules and no completion slots", async () => {
  const [core, editing] = [await bundled('index.ts'), await bundled('editing.ts')];
  for (const part of ['Sheet = class', 'opensHelp', 'snippet']) {
    assert.ok(editing.includes(part), part);
    assert.ok(!core.includes(part), part);
  }
});
