/** The client names wire types as the query language does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COLUMN_TYPES } from '../../../api/src/index.ts';
import { typeName } from '../../../client/src/schema/fieldTypes.ts';
import { wireTypeLabel, wireTypeOf } from '../../../language/src/index.ts';

describe('the names of types', () => {
  it('are those of APL, whatever the service calls them in responses', () => {
    assert.equal(typeName('integer'), 'long');
    assert.equal(typeName('float'), 'real');
    assert.equal(typeName('boolean'), 'bool');
    assert.equal(typeName('map'), 'dynamic');
    assert.equal(typeName('integer|string'), 'long | string');
    assert.equal(typeName('integer|int'), 'long');
  });

  it('are the same in trees and grids as in hovers and completion', () => {
    const scalars = ['bool', 'datetime', 'dynamic', 'long', 'real', 'string', 'timespan'] as const;
    const wires = [
      ...COLUMN_TYPES,
      ...scalars,
      ...scalars.map(wireTypeOf),
      ...['int', 'float64', 'double', 'timestamp', 'date', 'time'],
      'integer|string',
      'float | boolean',
      'array|map',
      'never-heard-of',
      'constructor',
      '',
      '|',
    ];
    for (const wire of wires) assert.equal(typeName(wire), wireTypeLabel(wire), wire);
  });
});
