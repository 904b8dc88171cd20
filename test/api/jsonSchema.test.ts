// The declarations are valid JSON Schema: an editor receives the same schema object that the readers use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '../../api/src/index.ts';
import { samples } from './samples.ts';

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

// Keywords, each with a check of its value.
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (v) => [v].flat().every((type) => TYPES.includes(type as string)),
  enum: (v) => Array.isArray(v) && v.length > 0 && new Set(v).size === v.length,
  const: (v) => v !== undefined,
  properties: (v) => Object.values(v as object).every(isSchema),
  additionalProperties: isSchema,
  items: isSchema,
  required: (v) => Array.isArray(v) && v.every((name) => typeof name === 'string'),
  anyOf: (v) => Array.isArray(v) && v.every(isSchema),
  oneOf: (v) => Array.isArray(v) && v.every(isSchema),
  if: isSchema,
  else: isSchema,
  minimum: isNumber,
  maximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  pattern: (v) => typeof v === 'string' && new RegExp(v, 'u') instanceof RegExp,
  format: (v) => ['date-time', 'query-time', 'go-duration'].includes(v as string),
  description: (v) => typeof v === 'string' && v.length > 0,
  examples: Array.isArray,
  default: (v) => v !== undefined,
  'x-read': (v) => v === 'key' || v === 'whole',
  'x-rule': (v) => typeof v === 'string',
  'x-words': (v) => typeof v === 'string',
};

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const [keyword, content] of Object.entries(value)) {
    const check = KEYWORDS[keyword];
    assert.ok(check?.(content), `${keyword}: ${JSON.stringify(content)}`);
  }
  const { properties = {}, required = [] } = value as { properties?: object; required?: string[] };
  if (Object.keys(properties).length > 0) {
    assert.deepEqual(
      required.filter((name) => !Object.hasOwn(properties, name)),
      [],
    );
  }
  return true;
}

describe('JSON Schema declarations', () => {
  for (const [name, { schema }] of Object.entries(samples)) {
    it(`remain valid after a JSON round trip: ${name}`, () => {
      const text = JSON.parse(JSON.stringify(schema));
      assert.ok(isSchema(text));
      assert.deepEqual(Object.keys(text).toSorted(), Object.keys(schema).toSorted());
      assert.deepEqual(api.checkStrict(text, samples[name]!.value), []);
    });
  }

  it('describe every pattern in words', () => {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { pattern, 'x-words': words } = node as Record<string, unknown>;
      if (typeof pattern === 'string') assert.equal(typeof words, 'string', pattern);
      for (const inner of Object.values(node)) visit(inner);
    };
    for (const { schema } of Object.values(samples)) visit(schema);
  });

  it('require exactly the properties that the specification requires', () => {
    const required = (schema: api.TSchema) =>
      ((schema as { required?: string[] }).required ?? []).toSorted();
    assert.deepEqual(required(api.Monitor), ['id', 'name', 'type']);
    assert.deepEqual(required(api.Annotation), ['datasets', 'id', 'time', 'type']);
    assert.deepEqual(required(api.EdgeQueryRequest), ['apl']);
    assert.deepEqual(required(api.GeneralQueryRequest), ['apl']);
    assert.deepEqual(required(api.EdgeQueryParameters), ['format']);
    assert.deepEqual(required(api.GeneralQueryParameters), ['format']);
    assert.deepEqual(required(api.QueryResult), ['datasetNames', 'format', 'status']);
    assert.deepEqual(required(api.DashboardWrite), ['dashboard']);
    assert.deepEqual(required(api.DashboardWriteResponse), ['dashboard', 'status']);
    assert.deepEqual(required(api.Role), ['id', 'name']);
    assert.deepEqual(required(api.Group), ['id', 'name']);
    assert.deepEqual(required(api.Token), ['datasetCapabilities', 'id', 'name', 'orgCapabilities']);
    assert.deepEqual(required(api.Organization), [
      'id',
      'lastUsageSync',
      'license',
      'name',
      'paymentStatus',
      'plan',
      'planCreated',
      'primaryEmail',
    ]);
    assert.deepEqual(required(api.User), ['email', 'id', 'name', 'role']);
    assert.deepEqual(required(api.MapField), ['name']);
    assert.equal(api.QUERY_OPTIONS.length, 27);
  });
});
