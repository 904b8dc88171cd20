// The strict reader, for requests and for responses of the local deployment. It converts typebox's findings to
// sentences. A validator is compiled when its schema is first used. If the environment forbids code generation, typebox
// interprets the schema instead.
import { Set as setFormat } from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { grouped } from '../../formats/src/counts.ts';
import {
  describeSchemaType,
  describeValue,
  memberPath,
  nameOf,
  type Problem,
  type SchemaNode,
  segmentsOf,
} from './problem.ts';
import { rewrite } from './rewrite.ts';
import { RULE_KEYWORDS } from './rules.ts';
import type { TSchema } from './schema.ts';
import { goDurationNanos, isQueryTime, isTimestamp } from './time.ts';

setFormat('date-time', isTimestamp);
setFormat('query-time', isQueryTime);
setFormat('go-duration', (text) => goDurationNanos(text) !== undefined);

const FORMAT_REQUIREMENTS: Readonly<Record<string, string>> = {
  'date-time': 'be a time such as 2026-01-31T08:00:00Z',
  'go-duration': 'be a duration such as 90s, 45m or 1h30m',
  'query-time': 'be a time such as 2026-01-31T08:00:00Z, now or now-1h',
};

const validators = new WeakMap<TSchema, Validator>();

/**
 * Checks a value. Returns the first few problems, at most one for each location. Accepts undeclared members, and
 * bigints as integers. `rootName` names the value itself in messages. Never throws.
 */
export function checkStrict(schema: TSchema, value: unknown, rootName = 'the value'): Problem[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema) as Validator;
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return [];
  const checked = withDoubles(schema as SchemaNode, value);
  if (checked !== value && validator.Check(checked)) return [];
  const problems = new Map<string, Problem>();
  for (const error of validator.Errors(checked)[1] as Finding[]) {
    for (const problem of problemsOf(error, schema as SchemaNode, value, rootName)) {
      if (!problems.has(problem.path)) problems.set(problem.path, problem);
    }
  }
  return [...problems.values()];
}

/**
 * Converts bigints to doubles, because typebox does not accept bigints as numbers. Rounds down, so that a double is
 * within the 64-bit bounds if and only if the bigint is.
 */
function withDoubles(schema: SchemaNode, value: unknown): unknown {
  return rewrite(schema, value, (_, found) =>
    typeof found === 'bigint' ? roundedDown(found) : found,
  );
}

function roundedDown(integer: bigint): number {
  const double = Number(integer);
  if (!Number.isFinite(double) || BigInt(double) <= integer) return double;
  const bits = new BigInt64Array(new Float64Array([double]).buffer);
  bits[0] = bits[0]! + (double > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0]!;
}

interface Finding {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: { readonly limit?: number; readonly requiredProperties?: readonly string[] };
}

function problemsOf(error: Finding, root: SchemaNode, value: unknown, rootName: string): Problem[] {
  // Each invalid member of the dictionary has its own finding.
  if (error.keyword === 'additionalProperties') return [];
  const path = error.instancePath;
  const { schema, rule } = nodeAt(root, error);
  if (rule) {
    const owner = path === '' ? '' : `${nameOf(path, rootName)}: `;
    return [
      {
        path,
        message: `${owner}${schema['x-rule'] ?? 'the value does not match any alternative'}`,
      },
    ];
  }
  if (error.keyword === 'required') {
    return (error.params.requiredProperties ?? []).map((name) => {
      const missing = memberPath(path, name);
      return { path: missing, message: `${nameOf(missing, rootName)} is required` };
    });
  }
  const found = valueAt(value, path);
  return [
    { path, message: `${nameOf(path, rootName)} must ${requirementOf(error, schema, found)}` },
  ];
}

function requirementOf(error: Finding, schema: SchemaNode, found: unknown): string {
  const { limit } = error.params;
  switch (error.keyword) {
    case 'type':
      return `be ${describeSchemaType(schema)}, got ${describeValue(found)}`;
    case 'enum':
      return `be one of ${(schema.enum ?? []).join(', ')}, got ${describeValue(found)}`;
    case 'maximum':
      return `be at most ${limit}, got ${describeValue(found)}`;
    case 'minimum':
      return `be at least ${limit}, got ${describeValue(found)}`;
    case 'maxLength':
      return `be at most ${grouped(limit ?? 0)} characters long, got ${grouped(lengthOf(found))}`;
    case 'minLength':
      return limit === 1
        ? 'not be empty'
        : `be at least ${limit} characters long, got ${lengthOf(found)}`;
    case 'maxItems':
      return `have at most ${grouped(limit ?? 0)} items, got ${grouped(lengthOf(found))}`;
    case 'minItems':
      return limit === 1 ? 'not be empty' : `have at least ${limit} items, got ${lengthOf(found)}`;
    case 'pattern':
      return `${schema['x-words']}, got ${describeValue(found)}`;
    case 'format':
      return `${FORMAT_REQUIREMENTS[schema.format ?? '']}, got ${describeValue(found)}`;
    default:
      return `satisfy ${error.keyword}, got ${describeValue(found)}`;
  }
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let length = 0;
  for (const _ of String(value)) length += 1;
  return length;
}

// Returns the schema of the invalid value, or the schema that has the rule if the finding is about a rule.
function nodeAt(root: SchemaNode, error: Finding): { schema: SchemaNode; rule: boolean } {
  let schema = root;
  const segments = segmentsOf(error.schemaPath);
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index]!;
    if (segment === 'properties') {
      index += 1;
      schema = schema.properties?.[segments[index]!] ?? {};
    } else if (segment === 'items') {
      schema = schema.items ?? {};
    } else if (segment === 'additionalProperties') {
      schema = schema.additionalProperties ?? {};
    } else {
      return { schema, rule: true };
    }
  }
  return { schema, rule: RULE_KEYWORDS.some((keyword) => keyword === error.keyword) };
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const segment of segmentsOf(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) {
      return undefined;
    }
    found = (found as Record<string, unknown>)[segment];
  }
  return found;
}
