// One schema for a dataset from all that says something of it: each rule of precedence by what it does.
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

/** The evidence after these statements, in this order. */
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

/** Each is about the field x. */
const rules: readonly Rule[] = [
  {
    rule: 'a list gives the type, also against an older answer',
    steps: [
      ['answer', 1, typed('string')],
      ['list', 2, typed('integer')],
    ],
    type: 'integer',
  },
  {
    rule: 'an answer that shows another type after the list adds it',
    steps: [
      ['list', 1, typed('integer')],
      ['answer', 2, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'an answer that shows one of the types of the list narrows nothing',
    steps: [
      ['list', 1, typed('integer|string')],
      ['answer', 2, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'another name of the same type is not another type',
    steps: [
      ['list', 1, typed('boolean')],
      ['getschema', 2, typed('bool')],
    ],
    type: 'boolean',
  },
  {
    rule: 'a list after the answer has the type that changed alone',
    steps: [
      ['list', 1, typed('integer')],
      ['answer', 2, typed('string')],
      ['list', 3, typed('string')],
    ],
    type: 'string',
  },
  {
    rule: 'an older list that arrives later changes nothing',
    steps: [
      ['list', 2, typed('string')],
      ['list', 1, typed('integer')],
    ],
    type: 'string',
  },
  {
    rule: 'without a list, getschema and answers are taken together',
    steps: [
      ['getschema', 2, typed('integer')],
      ['answer', 1, typed('string')],
    ],
    type: 'integer|string',
  },
  {
    rule: 'dynamic adds nothing to a type that is known, and a real array does',
    steps: [
      ['list', 1, typed('string')],
      ['getschema', 2, typed('dynamic')],
      ['answer', 3, typed('array')],
    ],
    type: 'string|array',
  },
  {
    rule: 'metadata without a type leaves the type alone',
    steps: [
      ['list', 1, typed('integer')],
      ['metadata', 2, { ...typed('unknown'), unit: 'ms' }],
    ],
    type: 'integer',
    unit: 'ms',
  },
  {
    rule: 'a virtual field is what queries read, where a stored field has its name',
    steps: [
      ['virtual', 1, typed('boolean')],
      ['list', 2, typed('integer')],
    ],
    type: 'boolean',
  },
  {
    rule: 'a map field without a value is there',
    steps: [
      ['list', 1],
      ['maps', 1, typed('map')],
    ],
    type: 'map',
  },
  {
    rule: 'newer metadata gives unit, description and hidden, against the list',
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
    rule: 'a newer list gives unit, description and hidden, against metadata',
    steps: [
      ['metadata', 1, { ...typed('unknown'), unit: 'ms', description: 'old', hidden: true }],
      ['list', 2, { ...typed('integer'), description: 'new' }],
    ],
    type: 'integer',
    description: 'new',
  },
  {
    rule: 'an answer without metadata and getschema say nothing of units',
    steps: [
      ['list', 1, { ...typed('integer'), unit: 'ms' }],
      ['answer', 2, typed('integer')],
      ['getschema', 3, typed('integer')],
    ],
    type: 'integer',
    unit: 'ms',
  },
  {
    rule: 'a field that newer lists of stored and virtual fields lack is gone',
    steps: [
      ['answer', 1, typed('integer')],
      ['list', 2],
      ['virtual', 2],
    ],
    gone: true,
  },
  {
    rule: 'a field of an answer after the lists is new',
    steps: [
      ['list', 1],
      ['virtual', 1],
      ['answer', 2, typed('integer')],
    ],
    type: 'integer',
  },
  {
    rule: 'where virtual fields cannot be listed, a field of an older answer may be one',
    steps: [
      ['answer', 1, typed('integer')],
      ['list', 2],
    ],
    type: 'integer',
  },
  {
    rule: 'an answer without the field does not take it away',
    steps: [
      ['answer', 1, typed('integer')],
      ['answer', 2, { name: 'y', type: 'string' }],
    ],
    type: 'integer',
  },
  {
    rule: 'a field that only answers had a month ago is forgotten with the next answer',
    steps: [
      ['answer', 1, typed('integer')],
      ['answer', 31 * day, { name: 'y', type: 'string' }],
    ],
    gone: true,
  },
  {
    rule: 'a virtual field that was deleted is gone',
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

  it('are each listed once, in the order of the list', () => {
    const fields = merged(
      ['answer', 3, { name: 'c', type: 'string' }, { name: 'a', type: 'string' }],
      ['list', 1, { name: 'a', type: 'string' }, { name: 'b', type: 'string' }],
    );
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });

  it('are the same whichever window learned what first', () => {
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
