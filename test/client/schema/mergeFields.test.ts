// Merges all evidence of a dataset's fields into one schema. Each test is a rule of precedence.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FieldEvidence,
  type FieldSource,
  joinEvidence,
  mergeFields,
  type SeenField,
  withStatement,
} from '../../../client/src/schema/mergeFields.ts';

const day = 24 * 60 * 60 * 1000;

type Step = readonly [source: FieldSource, at: number, ...fields: SeenField[]];

/** Returns the evidence after these statements, in order. */
function evidenceOf(...steps: readonly Step[]): FieldEvidence {
  let evidence: FieldEvidence = {};
  for (const [source, at, ...fields] of steps) {
    evidence = withStatement(evidence, source, { at, fields });
  }
  return evidence;
}

const merged = (...steps: readonly Step[]) => mergeFields(evidenceOf(...steps));
const typed = (type: string): SeenField => ({ name: 'x', type });

interface Rule {
  readonly rule: string;
  readonly steps: readonly Step[];
  readonly type?: string;
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: true;
  readonly gone?: true;
}

/** Each rule is about the field x. */
const rules: readonly Rule[] = [
  {
    rule: 'a field list overrides the type in an older answer',
    steps: [
      ['answer', 1, typed('string')],
      ['list', 2, typed('integer')],
    ],
    type: 'integer',
  },
  {
    rule: 'a newer answer with another type adds it to the listed type',
    steps: [
      ['list', 1, typed('integer')],
      ['answer', 2, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'a newer answer with only one of the listed types keeps all of them',
    steps: [
      ['list', 1, typed('integer|string')],
      ['answer', 2, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'two names of the same type, boolean and bool, count as one type',
    steps: [
      ['list', 1, typed('boolean')],
      ['getschema', 2, typed('bool')],
    ],
    type: 'boolean',
  },
  {
    rule: 'a list that is newer than the answer replaces the combined type',
    steps: [
      ['list', 1, typed('integer')],
      ['answer', 2, typed('string')],
      ['list', 3, typed('string')],
    ],
    type: 'string',
  },
  {
    rule: 'an older list that arrives after a newer one is ignored',
    steps: [
      ['list', 2, typed('string')],
      ['list', 1, typed('integer')],
    ],
    type: 'string',
  },
  {
    rule: 'the types of getschema and answers are combined if there is no list',
    steps: [
      ['getschema', 2, typed('integer')],
      ['answer', 1, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'the type dynamic is not added to a known type, but array is',
    steps: [
      ['list', 1, typed('string')],
      ['getschema', 2, typed('dynamic')],
      ['answer', 3, typed('array')],
    ],
    type: 'string|array',
  },
  {
    rule: 'metadata without a type adds the unit and keeps the listed type',
    steps: [
      ['list', 1, typed('integer')],
      ['metadata', 2, { ...typed('unknown'), unit: 'ms' }],
    ],
    type: 'integer',
    unit: 'ms',
  },
  {
    rule: 'a virtual field hides a stored field of the same name',
    steps: [
      ['virtual', 1, typed('boolean')],
      ['list', 2, typed('integer')],
    ],
    type: 'boolean',
  },
  {
    rule: 'a map field is included even if the field list lacks it',
    steps: [
      ['list', 1],
      ['maps', 1, typed('map')],
    ],
    type: 'map',
  },
  {
    rule: 'newer metadata overrides the unit, description and visibility from the list',
    steps: [
      ['list', 1, { ...typed('integer'), unit: 's', description: 'old' }],
      ['metadata', 2, { ...typed('unknown'), unit: 'ms', description: 'new', hidden: true }],
    ],
    type: 'integer',
    unit: 'ms',
    description: 'new',
    hidden: true,
  },
  {
    rule: 'a newer list overrides the unit, description and visibility from metadata',
    steps: [
      ['metadata', 1, { ...typed('unknown'), unit: 'ms', description: 'old', hidden: true }],
      ['list', 2, { ...typed('integer'), description: 'new' }],
    ],
    type: 'integer',
    description: 'new',
  },
  {
    rule: 'a newer answer or getschema without a unit keeps the unit of the list',
    steps: [
      ['list', 1, { ...typed('integer'), unit: 'ms' }],
      ['answer', 2, typed('integer')],
      ['getschema', 3, typed('integer')],
    ],
    type: 'integer',
    unit: 'ms',
  },
  {
    rule: 'a field is removed if newer lists of stored and virtual fields lack it',
    steps: [
      ['answer', 1, typed('integer')],
      ['list', 2],
      ['virtual', 2],
    ],
    gone: true,
  },
  {
    rule: 'a field that only a newer answer contains is added',
    steps: [
      ['list', 1],
      ['virtual', 1],
      ['answer', 2, typed('integer')],
    ],
    type: 'integer',
  },
  {
    rule: 'a field of an older answer is kept if virtual fields cannot be listed, because it may be virtual',
    steps: [
      ['answer', 1, typed('integer')],
      ['list', 2],
    ],
    type: 'integer',
  },
  {
    rule: 'a newer answer without the field does not remove it',
    steps: [
      ['answer', 1, typed('integer')],
      ['answer', 2, { name: 'y', type: 'string' }],
    ],
    type: 'integer',
  },
  {
    rule: 'a field that only a month-old answer contains is removed by the next answer',
    steps: [
      ['answer', 1, typed('integer')],
      ['answer', 31 * day, { name: 'y', type: 'string' }],
    ],
    gone: true,
  },
  {
    rule: 'a virtual field is removed if a newer list of virtual fields lacks it',
    steps: [
      ['list', 1],
      ['virtual', 1, typed('integer')],
      ['virtual', 2],
    ],
    gone: true,
  },
];

describe('the fields of a dataset', () => {
  for (const { rule, steps, gone, ...expected } of rules) {
    it(rule, () => {
      const field = merged(...steps).find(({ name }) => name === 'x');
      assert.deepEqual(field, gone ? undefined : { name: 'x', ...expected });
    });
  }

  it('are listed once each, those of the field list first', () => {
    const fields = merged(
      ['answer', 3, { name: 'c', type: 'string' }, { name: 'a', type: 'string' }],
      ['list', 1, { name: 'a', type: 'string' }, { name: 'b', type: 'string' }],
    );
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });

  it('are the same in whichever order the evidence of two windows is joined', () => {
    const one = evidenceOf(['list', 1, typed('integer')], ['answer', 5, typed('float')]);
    const other = evidenceOf(
      ['list', 3, typed('string')],
      ['answer', 2, { name: 'y', type: 'bool' }],
    );
    const joined = mergeFields(joinEvidence(one, other));
    const reversed = mergeFields(joinEvidence(other, one));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    assert.deepEqual(joined.toSorted(byName), reversed.toSorted(byName));
    assert.deepEqual(joined, [
      { name: 'x', type: 'string|float' },
      { name: 'y', type: 'bool' },
    ]);
  });
});
