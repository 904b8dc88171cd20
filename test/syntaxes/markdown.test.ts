/** Fenced blocks of APL in Markdown: which fences hold it, and where they end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenize } from './engine.ts';

/** The tokens that are APL, each with its innermost scope. */
async function embedded(text: string): Promise<string[]> {
  const tokens = await tokenize('text.html.markdown', text);
  return tokens
    .filter(({ scopes }) => scopes.includes('meta.embedded.block.axiom-apl'))
    .map(({ text, scopes }) => `${text} ${scopes.at(-1)?.replace(/\.axiom-apl$/, '')}`);
}

const printed = ['print keyword.control.operator', '1 constant.numeric'];

describe('a fenced block', () => {
  it('named apl, axiom-apl or kusto contains APL, unlike the text after it', async () => {
    for (const name of ['apl', 'APL', 'axiom-apl', 'kusto'])
      assert.deepEqual(
        await embedded(`\`\`\`${name}\nprint 1\n\`\`\`\nprint 2 | where x`),
        printed,
      );
  });

  it('can have attributes', async () => {
    for (const info of ['apl title="Errors"', 'apl {1,3}', 'kusto:run', ' apl', '{.apl #errors}'])
      assert.deepEqual(await embedded(`\`\`\`${info}\nprint 1\n\`\`\`\nprint 2`), printed, info);
  });

  it('can have tildes or more than three backticks as its fence', async () => {
    assert.deepEqual(await embedded('~~~apl\nprint 1\n~~~\nprint 2'), printed);
    assert.deepEqual(await embedded('````apl\nprint 1\n````\nprint 2'), printed);
  });

  it('can be indented, in a list, or in a quotation', async () => {
    assert.deepEqual(await embedded('   ```apl\n   print 1\n   ```\nprint 2'), printed);
    assert.deepEqual(await embedded('- one\n\n  ```apl\n  print 1\n  ```\n\nprint 2'), printed);
    assert.deepEqual(await embedded('1. one\n   ```apl\n   print 1\n   ```\nprint 2'), printed);
    assert.deepEqual(await embedded('> ```apl\n> print 1\n> ```\n\nprint 2'), printed);
    assert.deepEqual(await embedded('> - one\n>\n>   ```kusto\n>   print 1\n>   ```\n'), printed);
  });

  it('ends an unclosed string', async () => {
    assert.deepEqual(await embedded('```apl\nprint "open\n```\nprint 2'), [
      'print keyword.control.operator',
      '" string.quoted.double',
      'open string.quoted.double',
    ]);
  });

  it('with another name contains no APL', async () => {
    for (const name of ['aplx', 'sql', 'text', ''])
      assert.deepEqual(await embedded(`\`\`\`${name}\nprint 1\n\`\`\``), []);
    assert.deepEqual(await embedded('````markdown\n```apl\nprint 1\n```\n````'), []);
    assert.deepEqual(await embedded('Inline `apl print 1` and ```apl print 1``` too'), []);
  });
});
