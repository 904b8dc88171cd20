/** The catalog against what repeats it: the TextMate grammar's keywords. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as language from '../language/src/index.ts';
import { read } from './house/sources.ts';

const grammar = read('syntaxes/axiom-apl.tmLanguage.json');

describe('the TextMate grammar', () => {
  it('has every tabular operator in each of its three lists', () => {
    const lists = [...grammar.matchAll(/\(([\w|-]*project-reorder[\w|-]*)\)/g)];
    assert.equal(lists.length, 3);
    for (const [, list = ''] of lists) {
      const words = new Set(list.split('|'));
      assert.deepEqual(
        language.operators.map(({ name }) => name).filter((name) => !words.has(name)),
        [],
      );
    }
  });

  it('knows every scalar operator that is a word', () => {
    const words = new Set(grammar.match(/[\w-]+~?/g));
    assert.deepEqual(
      language.scalarOperators
        .flatMap((row) => row.name.replace(/^!/, '').replace('()', '').split(' '))
        .filter((word) => /^\w/.test(word) && !words.has(word)),
      [],
    );
  });

  it('names no function', () => {
    const words = new Set(grammar.match(/[\w-]+/g));
    const names = language.functions.map((row) => row.name);
    const keywords = new Set([
      'count',
      'bool',
      'datetime',
      'dynamic',
      'timespan',
      'not',
      'array',
      'first',
      'last',
    ]);
    assert.deepEqual(
      names.filter((name) => words.has(name) && !keywords.has(name)),
      [],
    );
  });
});

describe('the setting that silences problems', () => {
  it('offers every code', () => {
    const [{ properties }] = JSON.parse(read('package.json')).contributes.configuration;
    assert.deepEqual(properties['aplomb.diagnostics.disabled'].items.enum, language.problemCodes);
  });
});
