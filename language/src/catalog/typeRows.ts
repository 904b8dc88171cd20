/** The scalar types: their names in queries and on the wire, and how a person reads them. */
import type { ParameterType, ScalarType, TypeRow } from './types.ts';

export const types: readonly TypeRow[] = [
  {
    name: 'bool',
    aliases: ['boolean'],
    summary: 'True or false.',
    literal: 'true',
  },
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
  {
    name: 'long',
    aliases: ['int'],
    summary: 'A 64-bit integer.',
    literal: '42',
  },
  {
    name: 'real',
    aliases: ['double'],
    summary: 'A 64-bit floating-point number.',
    literal: '1.5',
  },
  {
    name: 'string',
    aliases: [],
    summary: 'A string of Unicode characters.',
    literal: '"text"',
  },
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

/** The type that a query calls by this name, aliases included; undefined when there is none. */
export function scalarTypeOf(writtenName: string): ScalarType | undefined {
  return byWrittenName.get(writtenName);
}

/** The names that only the wire has; it also uses those of queries. */
const byWireName: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ['integer', 'long'],
  ['float', 'real'],
  ['float64', 'real'],
  ['timestamp', 'datetime'],
  ['array', 'dynamic'],
  ['map', 'dynamic'],
  ['dictionary', 'dynamic'],
]);

/**
 * The scalar types of a type as the service names it, each once, in the order they stand: one for
 * `integer`, several for a field seen with several, as `integer|string`. A name that is not known is
 * `unknown`.
 */
export function scalarTypesOfWire(wireType: string): readonly ScalarType[] {
  return [...new Set(wireType.split('|').map((part) => oneOfWire(part.trim())))];
}

function oneOfWire(name: string): ScalarType {
  return byWireName.get(name) ?? byWrittenName.get(name) ?? 'unknown';
}

/**
 * What a person reads for a wire type, in the words of queries: `long` for `integer`, `long | string`
 * for `integer|string`. A name that is not known stays as the service writes it.
 */
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
  // Whether it is an array, a map or something else shows only in the data.
  dynamic: 'unknown',
  long: 'integer',
  real: 'float',
  string: 'string',
  timespan: 'timespan',
  unknown: 'unknown',
};

/** The name of a type on the wire. */
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

/** What a signature calls a type, such as `number | timespan`. */
export function typeLabel(type: ParameterType): string {
  return typeof type === 'string' ? labels[type] : type.map(typeLabel).join(' | ');
}
