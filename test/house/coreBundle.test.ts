/** The bundle of the query analysis, which leaves out the parts of the catalog that only editors use. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { type Prose, proseOf } from '../../language/src/editing.ts';
import { aggregates, functions, operators } from '../../language/src/index.ts';
import { root } from './sources.ts';

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'language', 'src', entry)],
    bundle: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** The words of a string literal, without its quotes and escapes. */
const plain = (text: string): string => text.replace(/[\\'"`]/g, '');

describe('the bundle of the query analysis', () => {
  let core = '';
  let editing = '';
  before(async () => {
    core = plain(await bundled('index.ts'));
    editing = plain(await bundled('editing.ts'));
  });

  it('has no documentation of functions and operators', () => {
    const prose = [...functions, ...aggregates, ...operators].map((row): Prose => proseOf(row));
    const examples = prose.map(({ example }) => plain(example)).filter((text) => text.length > 20);
    assert.ok(examples.length > 100);
    assert.deepEqual(
      examples.filter((text) => !editing.includes(text)),
      [],
    );
    assert.deepEqual(
      examples.filter((text) => core.includes(text)),
      [],
    );
  });

  it('has no layout rules and no completion slots', () => {
    for (const part of ['Sheet = class', 'opensHelp', 'snippet']) {
      assert.ok(editing.includes(part), part);
      assert.ok(!core.includes(part), part);
    }
  });
});
