/** Types and shapes of bound expressions, and the references that names create. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeQuery } from '../../../language/src/analysis.ts';
import { bindQuery } from '../../../language/src/binding/bind.ts';
import type { BoundExpression } from '../../../language/src/binding/bound.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import { columnsOf, schema } from './marked.ts';

function bind(expression: string): BoundExpression {
  const { bound } = analyzeQuery(`logs | extend x = ${expression}`, schema);
  const operator = bound.stages[0]?.operator;
  assert.ok(operator?.kind === 'extend');
  return operator.items[0]?.expression as BoundExpression;
}

test('the type of an operation is derived from its operands', () => {
  const types = {
    '1 + 2': 'long',
    '1 + 2.5': 'real',
    'status / 2': 'long',
    'status / 2.0': 'real',
    '_time + 1h': 'datetime',
    '_time - _time': 'timespan',
    'took / 1s': 'real',
    'took * 2': 'timespan',
    'code + 1': 'unknown',
    'duration + code': 'real',
    '-duration': 'real',
    'status == 200': 'bool',
    'method has "x" and ok': 'bool',
    'status in (1, 2)': 'bool',
    'status between (1 .. 5)': 'bool',
    attributes: 'dynamic',
    'attributes.a.b[0]': 'dynamic',
    'dynamic([1, 2])': 'dynamic',
    'datetime(2025-01-01)': 'datetime',
    'long(null)': 'long',
    null: 'unknown',
    'tags[1:3]': 'dynamic',
  };
  for (const [expression, type] of Object.entries(types)) {
    assert.equal(bind(expression).type, type, expression);
  }
});

test('the type of a call is the return type of the matching signature', () => {
  const types = {
    'strlen(method)': 'long',
    'iff(ok, 1, 2)': 'long',
    'iff(ok, 1, 2.5)': 'real',
    'bin(_time, 1h)': 'datetime',
    'bin(duration, 5)': 'real',
    "ensure_field('nothing', typeof(long))": 'long',
    "column_ifexists('status', 'x')": 'long',
    "column_ifexists('nothing', 'x')": 'string',
    'nothing_known(1)': 'unknown',
  };
  for (const [expression, type] of Object.entries(types)) {
    assert.equal(bind(expression).type, type, expression);
  }
});

test("['geo.city'] is bound as a column, geo.city as a member, and ['strlen'](…) as a call", () => {
  assert.equal(bind("['geo.city']").kind, 'column');
  assert.equal(bind('attributes.city').kind, 'member');
  const call = bind("['strlen'](method)");
  assert.ok(call.kind === 'call' && call.name === 'strlen' && !call.aggregate);
});

test('a dynamic literal is bound as a constant, or as a bag if it contains expressions', () => {
  const constant = bind(`dynamic({"a": [1, -2.5, null], '__proto__': true})`);
  assert.ok(constant.kind === 'dynamic');
  assert.equal(
    JSON.stringify(constant.value, (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
    '{"a":[1,-2.5,null],"__proto__":true}',
  );
  const built = bind("dynamic({'path': strcat('/', method), 'times': [100ms]})");
  assert.ok(built.kind === 'bag');
  assert.deepEqual(
    built.entries.map(({ key, value }) => [key, value.kind]),
    [
      ['path', 'call'],
      ['times', 'array'],
    ],
  );
});

test('bound references list every definition and use of a name in text order', () => {
  const query = 'let n = 5; logs | extend x = status + n | where x > 1 | summarize count() by y';
  const { bound } = analyzeQuery(query, schema);
  assert.deepEqual(
    bound.references.map(({ start, end, meaning, definition }) =>
      [query.slice(start, end), meaning.kind, definition ? 'definition' : 'use'].join(' '),
    ),
    [
      'n let definition',
      'logs dataset use',
      'x column definition',
      'status column use',
      'n let use',
      'x column use',
      'count function use',
      'y unknown use',
    ],
  );
});

test('variables sent with the request are bound as query parameters', () => {
  const tree = parseQuery('print x = wanted, y = other');
  const bound = bindQuery(tree, undefined, { variables: { wanted: 'long' } });
  assert.deepEqual(
    bound.problems.map(({ code, start }) => [code, start]),
    [['unknown-column', 22]],
  );
  assert.equal(columnsOf('let wanted = 1; print wanted'), 'wanted:long');
});

test('a chain of thousands of operators has the type of its last operation', () => {
  const sum = Array.from({ length: 900 }, (_, i) => i).join(' + ');
  assert.equal(bind(sum).type, 'long');
  const either = Array.from({ length: 20_000 }, (_, i) => `status == ${i}`).join(' or ');
  assert.equal(bind(either).type, 'bool');
});
