/**
 * Properties of every query, over the catalog's examples, typical queries and random text. A rename to an unused
 * name changes only that name.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeQuery, type QueryAnalysis } from '../../../language/src/analysis.ts';
import {
  aggregates,
  functions,
  operators,
  scalarOperators,
} from '../../../language/src/catalog/index.ts';
import { proseOf } from '../../../language/src/editing.ts';
import { applyEdits } from '../../../language/src/edits.ts';
import { splitQueries } from '../../../language/src/queries.ts';
import { identitiesOf } from '../../../language/src/symbols/identity.ts';
import { definitionsAt, occurrencesAt } from '../../../language/src/symbols/occurrences.ts';
import { prepareRename, renameEdits } from '../../../language/src/symbols/rename.ts';
import { selectionSpans } from '../../../language/src/symbols/selection.ts';
import type { Span } from '../../../language/src/text.ts';
import { queries } from '../queries.data.ts';
import { mutate, randomText, seeded } from '../random.ts';

/** Each example of a function or a scalar operator is an expression that creates a column here. */
const calls = [...functions, ...scalarOperators].map(
  (row) =>
    `logs | extend made = ${proseOf(row).example} | where isnotnull(made) | project made, tostring(made)`,
);
const counts = aggregates.map(
  (row) =>
    `logs | summarize made = ${proseOf(row).example}, count() by n = status | sort by made, count_, n`,
);
const examples = [...calls, ...counts, ...operators.map((row) => proseOf(row).example)];
const texts = [...new Set([...queries, ...examples])].flatMap((text) =>
  splitQueries(text).map(({ start, end }) => text.slice(start, end)),
);

const fresh = 'never_seen';

/** Returns one offset for each name that the query itself defines. */
function madeNames({ bound }: QueryAnalysis): number[] {
  const places = new Map<string, number>();
  for (const { key, start, reference } of identitiesOf(bound).uses) {
    if (/^(?:made|let|parameter) /.test(key) && !places.has(key)) places.set(key, start);
    if (reference.definition) places.set(key, start);
  }
  return [...places.values()];
}

/** Returns the names of a query's result columns, in order. */
function resultOf({ bound }: QueryAnalysis): string[] {
  return bound.pipelines.flatMap(({ columns }) => columns.list.map(({ name }) => name));
}

function codes(analysis: QueryAnalysis): string[] {
  return analysis.problems.map(({ code }) => code).sort();
}

describe('a rename to an unused name', () => {
  it('adds no problem, changes only the renamed column in the result, and can be reversed', () => {
    let done = 0;
    let refused = 0;
    for (const text of texts) {
      const before = analyzeQuery(text);
      for (const place of madeNames(before)) {
        const target = prepareRename(before, place);
        const edits = renameEdits(before, place, fresh);
        if ('refusal' in edits || 'refusal' in target) {
          refused++;
          continue;
        }
        done++;
        const changed = applyEdits(text, edits);
        const after = analyzeQuery(changed);
        assert.deepEqual(codes(after), codes(before), `${text}\n→ ${changed}`);
        // A join may have appended its number to the name.
        const back = (name: string) => name.replace(new RegExp(`^${fresh}(?=\\d*$)`), target.name);
        assert.deepEqual(resultOf(after).map(back).sort(), resultOf(before).sort(), changed);
        const again = renameEdits(after, changed.indexOf(fresh), target.name);
        assert.ok(
          !('refusal' in again),
          `${changed}\nback to ${target.name}: ${JSON.stringify(again)}`,
        );
        assert.deepEqual(resultOf(analyzeQuery(applyEdits(changed, again))), resultOf(before));
      }
    }
    assert.ok(done > 400, `${done} renamed`);
    // Only the keys of parse-kv and the columns of externaldata can't be renamed.
    assert.ok(refused < done / 20, `${refused} of ${done} refused`);
  });
});

const rounds = process.env.APLOMB_LONG === '1' ? 20_000 : 1_000;

/** Calls `check` with queries of all kinds and an offset in each. A failure reports the text. */
function tried(seed: number, check: (analysis: QueryAnalysis, at: number) => void): void {
  const random = seeded(seed);
  for (let i = 0; i < rounds; i++) {
    const kind = random.below(4);
    const text =
      kind === 0
        ? randomText(random, 1 + random.below(25))
        : kind === 1
          ? random.pick(texts)
          : mutate(random, random.pick(texts));
    const at = random.below(text.length + 1);
    try {
      check(analyzeQuery(text), at);
    } catch (error) {
      throw new Error(`at ${at} of ${JSON.stringify(text)}`, { cause: error });
    }
  }
}

function isPart(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}

describe('on random text', () => {
  it('an expanded selection contains the cursor and grows at every step', () => {
    tried(11, ({ tree }, at) => {
      const spans = selectionSpans(tree, at);
      for (const [i, { start, end }] of spans.entries()) {
        assert.ok(start <= at && at <= end && start < end && end <= tree.text.length);
        const inner = spans[i - 1];
        if (inner === undefined) continue;
        assert.ok(start <= inner.start && inner.end <= end);
        assert.ok(end - start > inner.end - inner.start);
      }
    });
  });

  it('occurrences include the cursor and are the same when requested from each occurrence', () => {
    tried(12, ({ bound }, at) => {
      const places = occurrencesAt(bound, at);
      if (places.length === 0) return;
      assert.ok(places.some(({ start, end }) => start <= at && at <= end));
      const key = ({ start, end }: Span) => `${start}:${end}`;
      const all = places.map(key);
      for (const place of places.filter(({ write }) => !write).slice(0, 5)) {
        const own = occurrencesAt(bound, place.start).map(key);
        assert.ok(own.includes(key(place)));
        // A join key represents two columns, so it has the occurrences of both.
        assert.ok(isPart(all, own) || isPart(own, all), key(place));
      }
      for (const { start, end } of definitionsAt(bound, at)) {
        assert.ok(0 <= start && start < end && end <= bound.tree.text.length);
      }
    });
  });

  it('a rename adds no error or is refused with a complete sentence', () => {
    tried(13, (analysis, at) => {
      const target = prepareRename(analysis, at);
      const edits = renameEdits(analysis, at, 'a name');
      const refusal = 'refusal' in edits ? edits.refusal : undefined;
      if (refusal !== undefined) {
        assert.match(refusal, /^\S.*[.?]$/s);
        assert.doesNotMatch(refusal, /undefined|\[object/);
        return;
      }
      assert.ok(!('refusal' in target));
      const changed = applyEdits(
        analysis.tree.text,
        edits as Exclude<typeof edits, { refusal: string }>,
      );
      const errors = (one: QueryAnalysis) =>
        one.problems.filter(({ severity }) => severity === 'error').length;
      assert.ok(errors(analyzeQuery(changed)) <= errors(analysis), changed);
    });
  });
});
