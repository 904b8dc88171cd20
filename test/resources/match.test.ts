// Matches files with resources by content, file name and key, in time proportional to their number.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeployedResource } from '../../resources/src/folder/gather.ts';
import { keyOf, stemsOf } from '../../resources/src/folder/layout.ts';
import { digestOf } from '../../resources/src/folder/lock.ts';
import { matchFiles } from '../../resources/src/folder/match.ts';
import type { Entry } from '../../resources/src/folder/readFolder.ts';
import type { Members } from '../../resources/src/value.ts';

const COUNT = 20_000;
/**
 * Sorting this many resources reads a name about 30 times. Comparing all pairs would read it 20,000
 * times.
 */
const READS_PER_RESOURCE_MAX = 60;

function heldOf(documents: readonly Members[]): DeployedResource[] {
  return documents.map((document, index) => ({
    kind: 'monitors',
    id: `m${index}`,
    document,
    stored: document,
  }));
}

function entriesOf(stems: readonly string[], documents: readonly Members[]): Entry[] {
  return documents.map((document, index) => {
    const stem = stems[index] ?? '';
    const path = `monitors/${stem}.json`;
    return { kind: 'monitors', path, stem, key: keyOf('monitors', document) ?? '', document };
  });
}

/** Wraps objects in proxies that count property reads and throw beyond the limit. */
function counting<T extends object>(items: readonly T[], limit: number) {
  let reads = 0;
  const counted = items.map(
    (item) =>
      new Proxy(item, {
        get(target, name) {
          reads += 1;
          assert.ok(reads <= limit, `More than ${limit} reads.`);
          return Reflect.get(target, name);
        },
      }),
  );
  return { counted, reads: () => reads };
}

const monitor = (name: string, threshold: number): Members => ({ name, threshold });
const numbers = Array.from({ length: COUNT }, (_, index) => index);

describe('files and resources', () => {
  const cases: readonly (readonly [string, Members[], Members[]])[] = [
    [
      'with unique names, half of them changed',
      numbers.map((index) => monitor(`monitor-${index}`, 0)),
      numbers.map((index) => monitor(`monitor-${index}`, index % 2)),
    ],
    [
      'with the same name, all changed',
      numbers.map((index) => monitor('same', index)),
      numbers.map((index) => monitor('same', index + COUNT)),
    ],
    [
      'renamed in their files',
      numbers.map((index) => monitor(`monitor-${index}`, 0)),
      numbers.map((index) => monitor(`renamed-${index}`, 0)),
    ],
  ];
  for (const [name, there, here] of cases) {
    it(`${name}: ${COUNT} of each are matched in time proportional to their number`, () => {
      const limit = COUNT * READS_PER_RESOURCE_MAX;
      const held = counting(heldOf(there), limit);
      const files = counting(entriesOf(stemsOf('monitors', there), here), limit);
      const { entries, withoutFile } = matchFiles('monitors', files.counted, held.counted);
      assert.equal(withoutFile.length, 0);
      assert.equal(new Set(entries.map((pair) => pair.deployed)).size, COUNT);
      for (const index of [0, 1, 777, COUNT - 1]) {
        const pair = entries[index];
        assert.equal(pair?.entry, files.counted[index]);
        assert.equal(pair?.deployed?.id, `m${index}`);
      }
    });
  }

  it('are matched by content first, then by file name, then by key', () => {
    const there = [monitor('a', 1), monitor('a', 2), monitor('a', 3), monitor('b', 1)];
    const stems = stemsOf('monitors', there);
    assert.deepEqual(stems, ['a', 'a~2', 'a~3', 'b']);
    // The first resource's content is in the second's file, and the second's changed content is in
    // a new file.
    const here = [monitor('a', 9), monitor('a', 1), monitor('a', 4), monitor('c', 1)];
    const files = entriesOf(['other', 'a~2', 'a~3', 'b'], here);
    const { entries, withoutFile } = matchFiles('monitors', files, heldOf(there));
    assert.deepEqual(
      entries.map(({ deployed }) => deployed?.id),
      ['m1', 'm0', 'm2', 'm3'],
    );
    assert.deepEqual(withoutFile, []);
    const more = matchFiles('monitors', files.slice(2), heldOf(there));
    assert.deepEqual(
      more.withoutFile.map(({ deployed, stem }) => [deployed.id, stem]),
      [
        ['m0', 'a'],
        ['m1', 'a~2'],
      ],
    );
  });

  it("are matched by the file's recorded content if the names on both sides have changed", () => {
    const there = [monitor('new', 1), monitor('other', 1)];
    const files = entriesOf(['first', 'second'], [monitor('newest', 1), monitor('last', 1)]);
    const lock = new Map([
      // A merge may leave the digests of both sides.
      ['monitors/first.json', [digestOf(monitor('old', 1)), digestOf(monitor('new', 1))]],
      ['monitors/second.json', [digestOf(monitor('somebody changed it', 1))]],
    ]);
    const { entries, withoutFile } = matchFiles('monitors', files, heldOf(there), lock);
    assert.deepEqual(
      entries.map(({ deployed }) => deployed?.id),
      ['m0', undefined],
    );
    assert.deepEqual(
      withoutFile.map(({ deployed }) => deployed.id),
      ['m1'],
    );
  });
});
