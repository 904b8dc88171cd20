// The tolerant reader: it keeps unknown content, preserves the value for writing back, and rejects only
// unusable values.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';
import { random } from './random.ts';
import { sampleOf, samples } from './samples.ts';
import { placesOf, pointerOf, put } from './schemas.ts';

function accepted<S extends api.TSchema>(schema: S, value: unknown) {
  const reading = api.readTolerant(schema, value);
  assert.ok(reading.ok, reading.ok ? '' : reading.problem.message);
  return reading;
}

describe('the tolerant reader', () => {
  it('returns the same object for a valid value', () => {
    for (const { schema, value } of Object.values(samples)) {
      const reading = accepted(schema, value);
      assert.equal(reading.value, value);
      assert.equal(reading.typed, value);
      assert.deepEqual(reading.notes, []);
    }
  });

  it('keeps unknown properties, unknown enum values, out-of-range numbers and malformed times', () => {
    const monitor = {
      ...(sampleOf('Monitor') as object),
      type: 'Forecast',
      operator: 'Wobbles',
      tolerance: 250,
      compareDays: 400.5,
      createdAt: 'last week',
      disabledUntil: null,
      brandNew: { deep: [1, null, 'x'] },
    };
    const reading = accepted(api.Monitor, monitor);
    assert.equal(reading.value, monitor);
    assert.equal(reading.typed, monitor as unknown);
    assert.deepEqual(reading.notes, []);
    assert.ok(api.checkStrict(api.Monitor, monitor).length > 0);
  });

  it('accepts null or missing properties, except for essential properties such as id', () => {
    for (const [name, { schema }] of Object.entries(samples)) {
      for (const { node, segments } of placesOf(schema, samples[name]!.value)) {
        if (segments.length === 0 || node['x-read'] === 'key') continue;
        if (/^\d+$/.test(segments.at(-1)!)) continue;
        for (const nothing of [null, undefined]) {
          const value = put(sampleOf(name), segments, nothing);
          const reading = accepted(schema, value);
          assert.equal(reading.typed, value as unknown, `${name}${pointerOf(segments)}`);
        }
      }
    }
  });

  it('omits a property of the wrong JSON type from the typed value but not from the original', () => {
    const monitor = { ...(sampleOf('Monitor') as object), threshold: '5', notifierIds: ['a', 5] };
    const before = structuredClone(monitor);
    const { value, typed, notes } = accepted(api.Monitor, monitor);
    assert.equal(value, monitor);
    assert.deepEqual(monitor, before);
    assert.equal(typed.threshold, undefined);
    assert.deepEqual(typed.notifierIds, ['a']);
    assert.equal(typed.name, 'Errors');
    assert.deepEqual(notes, [
      { path: '/notifierIds/1', message: 'notifierIds[1] must be text, got a number' },
      { path: '/threshold', message: 'threshold must be a number, got text' },
    ]);
  });

  it('rejects a value without an essential property such as id, and names the property', () => {
    const refused = (schema: api.TSchema, value: unknown) => {
      const reading = api.readTolerant(schema, value, 'the response');
      assert.ok(!reading.ok);
      return reading.problem.message;
    };
    assert.equal(refused(api.Monitor, 'x'), 'the response must be an object, got text');
    assert.equal(refused(api.Monitor, []), 'the response must be an object, got a list');
    assert.equal(refused(api.Monitor, { name: 'n' }), 'id is missing');
    assert.equal(refused(api.Monitor, { id: null, name: 'n' }), 'id is missing');
    assert.equal(refused(api.Monitor, { id: 5, name: 'n' }), 'id must be text, got a number');
    assert.equal(
      refused(api.DashboardWriteResponse, { dashboard: { uid: 'u' } }),
      'dashboard.dashboard is missing',
    );
  });

  it('skips unusable list items and reads null as an empty list', () => {
    const { response } = api.endpoints.listMonitors;
    const good = { id: 'a', name: 'A' };
    const { typed, notes } = accepted(response, [good, { id: 'b' }, null, good]);
    assert.deepEqual(typed, [good, good]);
    assert.deepEqual(
      notes.map((note) => note.message),
      ['[1].name is missing', '[2] must be an object, got null'],
    );
    assert.deepEqual(accepted(response, null).typed, []);
    assert.equal(accepted(response, null).value, null);
  });

  it('rejects a result with a malformed column or field', () => {
    const message = (path: readonly string[], value: unknown) => {
      const reading = api.readTolerant(api.QueryResult, put(sampleOf('QueryResult'), path, value));
      return reading.ok ? 'taken' : reading.problem.message;
    };
    assert.equal(
      message(['tables', '0', 'fields', '1'], 'x'),
      'tables[0].fields[1] must be an object, got text',
    );
    assert.equal(
      message(['tables', '0', 'fields', '1', 'name'], null),
      'tables[0].fields[1].name is missing',
    );
    assert.equal(
      message(['tables', '0', 'columns', '1'], 3),
      'tables[0].columns[1] must be a list, got a number',
    );
    assert.equal(
      message(['tables', '0', 'columns'], {}),
      'tables[0].columns must be a list, got an object',
    );
    assert.equal(message(['tables', '0', 'columns'], null), 'taken');
    assert.equal(message(['tables', '0', 'fields', '1', 'type'], 'hologram|string'), 'taken');
    assert.equal(message(['status'], undefined), 'status is missing');
    assert.equal(message(['status', 'messages'], 'x'), 'taken');
  });

  it('converts properties from bigint to number but preserves bigint cells and the original value', () => {
    const status = { elapsedTime: 12n, rowsExamined: 2n ** 60n };
    const value = { status, tables: [{ fields: [], columns: [[2n ** 63n]] }] };
    const reading = accepted(api.QueryResult, value);
    assert.equal(reading.value, value);
    assert.equal(status.elapsedTime, 12n);
    assert.equal(reading.typed.status.elapsedTime, 12);
    assert.equal(reading.typed.tables?.[0]?.columns?.[0]?.[0], 2n ** 63n);
  });

  it('never throws or changes the value, whatever its content', () => {
    const source = random(3);
    const junk = () =>
      source.pick<unknown>([
        null,
        undefined,
        0,
        -1e308,
        '',
        'x',
        true,
        [],
        {},
        [[[]]],
        [null],
        { id: {} },
        7n,
        JSON.parse('{"__proto__":{"polluted":true}}'),
      ]);
    for (const [name, { schema }] of Object.entries(samples)) {
      const places = placesOf(schema, samples[name]!.value);
      for (let round = 0; round < 100; round += 1) {
        let value = sampleOf(name);
        for (let spoils = 1 + source.below(3); spoils > 0; spoils -= 1) {
          const { segments } = source.pick(places);
          try {
            value = put(value, segments, junk());
          } catch {
            // An earlier change has removed this path.
          }
        }
        const before = structuredClone(value);
        const reading = api.readTolerant(schema, value);
        assert.deepEqual(value, before);
        if (!reading.ok) assert.match(reading.problem.message, / is missing$| must be /);
        else assert.equal(reading.value, value);
      }
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
});
