/**
 * Arbitrary text: a million seeded mutations of queries and random text, with a new seed each day, and fewer
 * in `npm test`. Nothing throws or hangs, each tree prints back its text, and problems lie within the text.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contextAt } from '../../language/src/editing.ts';
import { analyze } from '../../language/src/index.ts';
import { isLong, seed } from '../drawn.ts';
import { schema } from './binding/marked.ts';
import { queries } from './queries.data.ts';
import { mutate, type Random, randomText, seeded } from './random.ts';
import { checkTree } from './syntax/wholeTree.ts';

const runs = isLong ? 1_000_000 : 4_000;

/**
 * Parses the text, analyzes it as a document, and requests the context at a random offset of each query.
 */
function checkText(text: string, random: Random): void {
  checkTree(text);
  const { problems, queries: found } = analyze(text, schema);
  for (const { start, end, message } of problems) {
    assert.ok(0 <= start && start <= end && end <= text.length, `${start}-${end}: ${message}`);
  }
  for (const query of found) {
    assert.equal(text.slice(query.start, query.end), query.text);
    contextAt(query.bound, random.below(query.text.length + 1));
  }
}

function fuzz(seed: number, count: number, make: (random: Random) => string): void {
  const random = seeded(seed);
  for (let i = 0; i < count; i++) {
    const text = make(random);
    try {
      checkText(text, random);
    } catch (error) {
      throw new Error(`fails on ${JSON.stringify(text)}`, { cause: error });
    }
  }
}

describe('the analysis', () => {
  it("doesn't fail on mutated queries", () => {
    fuzz(seed, 0.6 * runs, (random) => mutate(random, random.pick(queries)));
  });

  it("doesn't fail on random tokens", () => {
    fuzz(seed + 1, 0.4 * runs, (random) => randomText(random, random.below(60)));
  });
});
