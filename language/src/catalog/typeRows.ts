/** The scalar types: their names in queries and on the wire, and their labels. */
import type { ParameterType, ScalarType, TypeRow } from './types.ts';

export const types: readonly TypeRow[] = [
  { name: 'bool', aliases: ['boolean'], summary: 'True or false.', literal: 'true' },
  {
    name: 'datetime',
    aliases: ['date'],
    summary: 'A point in time in UTC, with nanosecond precision.',
    literal: 'datetime(2025-01-15T10:30:00Z)',
  },
  {
    name: 'dynamic',
    aliases: [],
    summary: 'An array, a bag of properties, or a value of any other type.',
    literal: 'dynamic({"a": [1, 2]})',
  },
  { name: 'long', aliases: ['int'], summary: 'A 64-bit integer.', literal: '42' },
  { name: 'real', aliases: ['double'], summary: 'A 64-bit floating-point number.', literal: '1.5' },
  { name: 'string', aliases: [], summary: 'A string of Unicode characters.', literal: '"text"' },
  {
    name: 'timespan',
    aliases: ['time'],
    summary: 'A duration with nanosecond precision.',
    literal: '1.5h',
  },
];

const byWrittenName: ReadonlyMap<string, ScalarType> = new Map(
  types.flatMap((row) => [row.name, ...row.aliases].map((name) => [name, row.name] as const)),
);

export function scalarTypeOf(writtenName: string): ScalarType | undefined {
  return byWrittenName.get(writtenName);
}

/** Type names that are used only on the wire, in addition to the names used in queries. */
const byWireName: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ['integer', 'long'],
  ['float', 'real'],
  ['float64', 'real'],
  ['timestamp', 'datetime'],
  ['array', 'dynamic'],
  ['map', 'dynamic'],
  ['dictionary', 'dynamic'],
]);

/** Returns the scalar types of a wire type, such as `integer|string`. An unknown name becomes `unknown`. */
export function scalarTypesOfWire(wireType: string): readonly ScalarType[] {
  return [...new Set(wireType.split('|').map((part) => oneOfWire(part.trim())))];
}

function oneOfWire(name: string): ScalarType {
  return byWireName.get(name) ?? byWrittenName.get(name) ?? 'unknown';
}

/** Returns the label of a wire type: `long | string` for `integer|string`. Unknown names are unchanged. */
export function wireTypeLabel(wireType: string): string {
  const parts = wireType.split('|').map((part) => {
    const name = part.trim();
    const type = oneOfWire(name);
    return type === 'unknown' ? name || 'unknown' : type;
  });
  return [...new Set(parts)].join(' | ');
}

const wireNames: Readonly<Record<ScalarType, string>> = {
  bool: 'boolean',
  datetime: 'datetime',
  // Only the data shows whether a dynamic value is an array, a map or another value.
  dynamic: 'unknown',
  long: 'integer',
  real: 'float',
  string: 'string',
  timespan: 'timespan',
  unknown: 'unknown',
};

export function wireTypeOf(type: ScalarType): string {
  return wireNames[type];
}

const labels: Readonly<Record<Extract<ParameterType, string>, string>> = {
  bool: 'bool',
  datetime: 'datetime',
  dynamic: 'dynamic',
  field: 'field',
  long: 'long',
  numeric: 'number',
  real: 'real',
  row: 'fields',
  scalar: 'any',
  string: 'string',
  timespan: 'timespan',
  type: 'typeof',
  unknown: 'any',
  wildcard: '*',
};

/** Returns the label of a type in signatures, such as `number | timespan`. */
export function typeLabel(type: ParameterType): string {
  return typeof type === 'string' ? labels[type] : type.map(typeLabel).join(' | ');
}
