// Stored facts about files: parameter values, and which files run without asking for a limit. Their number is bounded,
// and invalid stored data is ignored.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memento } from 'vscode';
import { ParameterMemory } from '../../client/src/query/parameterMemory.ts';
import { SilencedFiles } from '../../client/src/query/silencedFiles.ts';

/** A memento that stores JSON, as VS Code's workspace state does. */
class Storage implements Memento {
  readonly #texts = new Map<string, string>();

  constructor(stored: Readonly<Record<string, unknown>> = {}) {
    for (const [key, value] of Object.entries(stored)) this.#texts.set(key, JSON.stringify(value));
  }

  keys(): readonly string[] {
    return [...this.#texts.keys()];
  }

  get<T>(key: string): T | undefined {
    const text = this.#texts.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#texts.set(key, JSON.stringify(value));
  }
}

describe('the stored parameters of a file', () => {
  it('are kept by name, even if it is `__proto__`, and are null for the default value', async () => {
    const storage = new Storage();
    const memory = new ParameterMemory(storage);
    const texts = new Map([
      ['least', '3'],
      ['__proto__', '"x"'],
      ['constructor', null],
    ]);
    await memory.set('a', texts);
    await memory.set('a', new Map([['most', '9']]));
    assert.deepEqual(new ParameterMemory(storage).get('a'), new Map([...texts, ['most', '9']]));
    assert.equal(memory.get('b').size, 0);
    await memory.forget('a');
    assert.equal(memory.get('a').size, 0);
  });

  it('are kept for the latest files only, and not if they are too large', async () => {
    const memory = new ParameterMemory(new Storage());
    for (let n = 0; n < 250; n++) await memory.set(`file ${n}`, new Map([['n', `${n}`]]));
    assert.equal(memory.get('file 0').size, 0);
    assert.equal(memory.get('file 249').get('n'), '249');
    await memory.set('file 249', new Map([['n', 'x'.repeat(1_000_000)]]));
    assert.equal(memory.get('file 249').size, 0);
    assert.equal(memory.get('file 248').get('n'), '248');
  });

  it('are empty if the stored data is invalid', () => {
    for (const stored of ['x', 7, {}, [1, ['a'], ['b', { n: 1 }], [2, {}]]])
      assert.equal(new ParameterMemory(new Storage({ queryParameters: stored })).get('b').size, 0);
  });
});

describe('files that run without asking for a limit', () => {
  it('are remembered until they are forgotten or many newer files are added', async () => {
    const storage = new Storage();
    const files = new SilencedFiles(storage);
    await files.add(['a', 'b']);
    assert.ok(new SilencedFiles(storage).has('a'));
    await files.forget('a');
    assert.deepEqual([files.has('a'), files.has('b')], [false, true]);
    for (let n = 0; n < 250; n++) await files.add([`file ${n}`]);
    assert.deepEqual([files.has('b'), files.has('file 249')], [false, true]);
    assert.equal(new SilencedFiles(new Storage({ runWithoutLimit: { a: 1 } })).has('a'), false);
  });
});
