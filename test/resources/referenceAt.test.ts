// Finds references at the cursor while the JSON of a resource is being edited.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KindName } from '../../resources/src/kinds.ts';
import { findReferenceAt, referencesIn } from '../../resources/src/referenceAt.ts';

/** Returns the reference at `$0`: its kind and the text between its quotes. */
function at(kind: KindName, marked: string): readonly (string | undefined)[] | undefined {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const found = findReferenceAt(kind, text, offset);
  return found && [found.to, found.literal && text.slice(found.literal.start, found.literal.end)];
}

describe('a reference at the cursor', () => {
  for (const [title, kind, text, expected] of [
    ['an identifier', 'monitors', '{"notifierIds": ["a", "b$0c"]}', ['notifiers', 'bc']],
    ['an empty array', 'monitors', '{"x": [1], "notifierIds": [$0]}', ['notifiers', undefined]],
    ['a string that is not closed', 'monitors', '{"notifierIds": ["$0\n', ['notifiers', '']],
    ['a dataset of a list', 'annotations', '{"datasets": ["$0"]}', ['datasets', '']],
    ['the dataset of a field', 'virtualFields', '{"dataset": "we$0"}', ['datasets', 'we']],
    ['another member', 'monitors', '{"name": "$0"}', undefined],
    ['an array in an array', 'monitors', '{"notifierIds": [[$0]]}', undefined],
    ['a name of a member', 'monitors', '{"notifier$0Ids": []}', undefined],
  ] as const) {
    it(`is found in ${title}`, () => assert.deepEqual(at(kind, text), expected));
  }
});

describe('the references of a document', () => {
  it('are identifiers of other resources, not dataset names', () => {
    const text = '{"name": "a", "notifierIds": ["b", 1, {"$name": "c"}, "d"]}';
    assert.deepEqual(
      referencesIn('monitors', text).map(({ to, literal }) => [
        to,
        text.slice(literal.start, literal.end),
      ]),
      [
        ['notifiers', 'b'],
        ['notifiers', 'd'],
      ],
    );
    assert.deepEqual(referencesIn('annotations', '{"datasets": ["web"]}'), []);
  });
});
