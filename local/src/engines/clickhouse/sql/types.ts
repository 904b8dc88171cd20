/**
 * The types of values. A null list or struct, which ClickHouse doesn't have, is a tuple of the value and a flag: 1 if
 * the value is null. `optional` marks the types that are written in this way.
 */
import { NotOnEngine } from './notOnEngine.ts';

export type ScalarKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'huge'
  | 'unsignedHuge'
  | 'decimal'
  | 'double'
  | 'string'
  | 'json'
  | 'blob'
  /** TIMESTAMP_NS and TIMESTAMP. Both are DateTime64(9). */
  | 'time';

export interface ScalarType {
  readonly kind: ScalarKind;
}

export interface ListType {
  readonly kind: 'list';
  readonly of: Type;
  readonly optional: boolean;
  /** Whether the list has the entries of a map. */
  readonly isMap?: boolean;
}

/** A struct's fields are read by position, and a map is a list of structs with the fields `key` and `value`. */
export interface StructType {
  readonly kind: 'struct';
  readonly names: readonly string[];
  readonly types: readonly Type[];
  readonly optional: boolean;
}

export type Type = ScalarType | ListType | StructType;

export function scalarType(kind: ScalarKind): ScalarType {
  return { kind };
}

export function listOf(of: Type, optional = false): ListType {
  return { kind: 'list', of, optional };
}

export function structOf(fields: readonly (readonly [string, Type])[]): StructType {
  return {
    kind: 'struct',
    names: fields.map(([name]) => name),
    types: fields.map(([, type]) => type),
    optional: false,
  };
}

export function isOptional(type: Type): boolean {
  return (type.kind === 'list' || type.kind === 'struct') && type.optional;
}

export function withOptional<T extends Type>(type: T, optional: boolean): T {
  return type.kind === 'list' || type.kind === 'struct' ? { ...type, optional } : type;
}

const scalarNames: Readonly<Record<ScalarKind, string>> = {
  null: 'Nullable(Nothing)',
  bool: 'Nullable(Bool)',
  int: 'Nullable(Int64)',
  huge: 'Nullable(Int128)',
  unsignedHuge: 'Nullable(UInt128)',
  decimal: 'Nullable(Decimal(38, 9))',
  double: 'Nullable(Float64)',
  string: 'Nullable(String)',
  json: 'Nullable(String)',
  blob: 'Nullable(String)',
  time: "Nullable(DateTime64(9, 'UTC'))",
};

/** Returns the name of a type in ClickHouse. */
export function typeName(type: Type): string {
  if (isOptional(type)) return `Tuple(${typeName(withOptional(type, false))}, UInt8)`;
  if (type.kind === 'list') return `Array(${typeName(type.of)})`;
  if (type.kind === 'struct') return `Tuple(${type.types.map(typeName).join(', ')})`;
  return scalarNames[type.kind];
}

const duckdbNames: Readonly<Record<string, ScalarKind>> = {
  BIGINT: 'int',
  BOOLEAN: 'bool',
  DOUBLE: 'double',
  HUGEINT: 'huge',
  INTEGER: 'int',
  JSON: 'json',
  TIMESTAMP: 'time',
  TIMESTAMP_NS: 'time',
  UHUGEINT: 'unsignedHuge',
  VARCHAR: 'string',
};

/** Returns the type that DuckDB calls `name`. */
export function typeNamed(name: string): Type {
  if (name.endsWith('[]')) return listOf(typeNamed(name.slice(0, -2)), true);
  if (name.startsWith('DECIMAL')) return scalarType('decimal');
  const kind = duckdbNames[name];
  if (kind === undefined) throw new NotOnEngine(`the type ${name}`);
  return scalarType(kind);
}

const ranks: readonly ScalarKind[] = ['int', 'unsignedHuge', 'huge', 'decimal', 'double'];

/** Returns the type to which values of both types convert without an explicit cast. */
export function commonType(a: Type, b: Type): Type {
  if (a.kind === 'null') return b.kind === 'null' ? b : withOptional(b, true);
  if (b.kind === 'null') return withOptional(a, true);
  const optional = isOptional(a) || isOptional(b);
  if (a.kind === 'list' && b.kind === 'list') return listOf(commonType(a.of, b.of), optional);
  if (a.kind === 'struct' && b.kind === 'struct' && a.types.length === b.types.length) {
    const types = a.types.map((type, i) => commonType(type, b.types[i] as Type));
    return { ...a, types, optional };
  }
  if (a.kind === b.kind) return a;
  const [x, y] = [ranks.indexOf(a.kind as ScalarKind), ranks.indexOf(b.kind as ScalarKind)];
  if (x >= 0 && y >= 0) return scalarType(ranks[Math.max(x, y)] as ScalarKind);
  if (isText(a) && isText(b)) return scalarType('json');
  throw new NotOnEngine(`a common type of ${a.kind} and ${b.kind}`);
}

export function isText({ kind }: Type): boolean {
  return kind === 'string' || kind === 'json' || kind === 'blob';
}

export function isInteger({ kind }: Type): boolean {
  return kind === 'int' || kind === 'huge' || kind === 'unsignedHuge';
}
