// APL in the JSON of resources: what is colored as APL, and where it ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenize } from './engine.ts';

const embeddedScope = 'meta.embedded.inline.axiom-apl';

/** The tokens that are APL, each with its innermost scope. */
async function embedded(text: string): Promise<string[]> {
  const tokens = await tokenize('source.json', text);
  return tokens
    .filter(({ scopes }) => scopes.includes(embeddedScope))
    .map(({ text: piece, scopes }) => `${piece} ${scopes.at(-1)?.replace(/\.axiom-apl$/, '')}`);
}

describe('a JSON string', () => {
  it('with the query of a monitor or a chart contains APL', async () => {
    const printed = ['print keyword.control.operator', '1 constant.numeric'];
    for (const text of [
      '{"aplQuery": "print 1", "name": "print 2"}',
      '{\n  "query": {\n    "apl" : "print 1"\n  },\n  "mpl": "print 2"\n}',
    ]) {
      assert.deepEqual(await embedded(text), printed);
    }
  });

  it('contains comments that end at an escaped line break, and strings in escaped quotes', async () => {
    const text = String.raw`{"apl": "// all\nprint \"a // b\", 1", "b": true}`;
    const found = await embedded(text);
    assert.ok(found.includes('// all comment.line.double-slash'), found.join());
    assert.ok(found.includes(String.raw`\n constant.character.escape.json`), found.join());
    assert.ok(found.includes('print keyword.control.operator'), found.join());
    assert.ok(found.includes(String.raw`\"a // b\" string.quoted.double`), found.join());
    const tokens = await tokenize('source.json', text);
    const after = tokens.find(({ text: piece }) => piece === 'true');
    assert.ok(after?.scopes.includes('constant.language.json'));
    assert.ok(!tokens.some(({ scopes }) => scopes.some((scope) => scope.startsWith('invalid'))));
  });

  it('with an unclosed APL quote ends at its own quote', async () => {
    const tokens = await tokenize('source.json', `{"apl": "logs | where a == 'b", "n": 1}`);
    const number = tokens.find(({ text }) => text === '1');
    assert.ok(number && !number.scopes.includes(embeddedScope));
    assert.ok(number.scopes.includes('constant.numeric.json'));
  });

  it('of another member contains no APL', async () => {
    assert.deepEqual(await embedded('{"name": "aplQuery", "x": ["apl", "print 1"]}'), []);
  });
});
