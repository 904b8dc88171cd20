// Both readers against values designed to break them: depth, size, and names with a meaning in JavaScript.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';
import { samples } from './samples.ts';

function deep(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('hostile values', () => {
  const hostile: Readonly<Record<string, unknown>> = {
    'lists nested 100,000 deep': deep(100_000, (inner) => [inner]),
    'objects nested 100,000 deep': deep(100_000, (inner) => ({ data: inner })),
    'filters nested 100,000 deep': {
      request: { filter: deep(100_000, (inner) => ({ children: [inner] })) },
    },
    'dictionaries nested 100,000 deep': {
      datasetCapabilities: deep(100_000, (inner) => ({ a: inner })),
    },
    'an object with a million members': Object.fromEntries(
      Array.from({ length: 1_000_000 }, (_, i) => [`m${i}`, i]),
    ),
    'strings of 50 MB': { name: 'x'.repeat(50_000_000), type: 'x'.repeat(50_000_000) },
    'a sparse array': new Array(100_000),
    'members named like JavaScript built-ins': JSON.parse(
      '{"__proto__":{"id":"x","name":"y"},"constructor":{"prototype":{"id":1}},"hasOwnProperty":1,"toString":"x","length":-1}',
    ),
    'an object without a prototype': Object.create(null),
    undefined: undefined,
    'a symbol': Symbol('s'),
    'a function': () => 1,
    NaN: Number.NaN,
  };

  for (const [title, value] of Object.entries(hostile)) {
    it(`never cause an exception: ${title}`, () => {
      for (const { schema } of Object.values(samples)) {
        for (const problem of api.checkStrict(schema, value)) {
          assert.ok(problem.message.length < 1_000, problem.message.slice(0, 200));
        }
        api.readTolerant(schema, value);
      }
    });
  }

  it("can't provide properties through __proto__", () => {
    const inherited = JSON.parse('{"__proto__":{"id":"x","name":"y","type":"Threshold"}}');
    assert.ok(api.checkStrict(api.Monitor, inherited).some((p) => p.path === '/id'));
    assert.equal(api.readTolerant(api.Monitor, inherited).ok, false);
  });

  it('are checked under every key of a dictionary, such as __proto__ or an empty key', () => {
    const text = '{"a\\nb":{"ingest":["x"]},"__proto__":{"query":5},"":{"query":[1]}}';
    const value = JSON.parse(text);
    assert.deepEqual(
      api
        .checkStrict(api.DatasetCapabilities, value)
        .map((problem) => problem.path)
        .toSorted(),
      ['//query/0', '/__proto__/query', '/a\nb/ingest/0'],
    );
    const reading = api.readTolerant(api.DatasetCapabilities, value);
    assert.ok(reading.ok);
    assert.deepEqual(Object.keys(reading.typed), ['a\nb', '__proto__', '']);
    assert.equal(Object.getPrototypeOf(reading.typed), Object.prototype);
    assert.equal(JSON.stringify(reading.value), JSON.stringify(JSON.parse(text)));
  });

  it('produce a limited number of problems with short messages', () => {
    const problems = api.checkStrict(api.IngestEvents, new Array(100_000).fill('x'.repeat(1_000)));
    assert.ok(problems.length > 0 && problems.length < 20);
    const reading = api.readTolerant(api.IngestEvents, new Array(100_000).fill(1));
    assert.ok(reading.ok && reading.notes.length === 100);
    const name = 'n'.repeat(1_000_000);
    const [problem] = api.checkStrict(api.DatasetCapabilities, { [name]: 1 });
    assert.ok(problem!.message.length < 200);
  });

  it('are accepted by both readers if they have two million cells', () => {
    const columns = Array.from({ length: 20 }, () => new Array(100_000).fill('x'));
    const fields = columns.map((_, i) => ({ name: `f${i}`, type: 'string' }));
    const result = {
      ...(samples['TabularResult']!.value as object),
      tables: [{ name: '0', sources: [], fields, order: [], groups: [], columns }],
    };
    assert.deepEqual(api.checkStrict(api.TabularResult, result), []);
    assert.ok(api.readTolerant(api.TabularResult, result).ok);
  });
});
