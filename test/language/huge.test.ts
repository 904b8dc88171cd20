/**
 * A megabyte of one construct: nothing throws, and the tree holds all of the text. Benchmarks measure the time.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyze, analyzeQuery, unparse } from '../../language/src/index.ts';
import { documentShapes, queryShapes, type Shape } from './shapes.ts';

const megabyte = 1_000_000;
const some = process.env.APLOMB_LONG === '1' ? 1 : 16;

/** Returns all shapes in a long run, otherwise every sixteenth and the longest argument list. */
function tried(shapes: Readonly<Record<string, Shape>>): [string, Shape][] {
  return Object.entries(shapes).filter(
    ([name], i) => i % some === 0 || name === 'arguments of a call',
  );
}

describe('the analysis handles a megabyte of one construct', () => {
  for (const [name, shape] of tried(queryShapes)) {
    it(name, () => {
      const text = shape(megabyte);
      const { tree, problems } = analyzeQuery(text);
      assert.ok(unparse(tree) === text);
      for (const { start, end } of problems)
        assert.ok(0 <= start && start <= end && end <= text.length);
    });
  }

  for (const [name, shape] of tried(documentShapes)) {
    it(`${name} in a document`, () => {
      const text = shape(megabyte);
      for (const { start, end } of analyze(text).problems)
        assert.ok(0 <= start && start <= end && end <= text.length);
    });
  }
});
