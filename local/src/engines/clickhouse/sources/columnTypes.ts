/**
 * Maps the types of columns to types of fields. A value that the field's type can't hold becomes null or a value of
 * another type of the same field.
 */
import type { StoredType } from '../../../store/layout.ts';
import { clickhouseTypes, TIME_TYPE } from '../columns.ts';
import { quoteName, quoteText } from '../quotes.ts';
import { doubleJson, jsonText, timeText } from '../sql/formats.ts';
import { newVariable } from '../sql/lists.ts';

/** A type of a field, with SQL for the values of this type. Other values are null. */
export interface FieldSql {
  readonly type: StoredType;
  readonly sql: string;
  /** Whether the SQL is a column without null, which the view keeps so that skip indexes of the column apply. */
  readonly isBare?: boolean;
}

interface ParsedType {
  readonly name: string;
  /** The arguments as text, such as `a String` of a tuple. */
  readonly args: readonly string[];
}

const kinds = {
  string: /^(?:String|FixedString|UUID|Enum8|Enum16|IPv4|IPv6)$/,
  integer: /^U?Int(?:8|16|32|64|128|256)$/,
  float: /^(?:Float32|Float64|BFloat16|Decimal\d*)$/,
  boolean: /^Bool$/,
  datetime: /^(?:Date|Date32|DateTime|DateTime64)$/,
  array: /^(?:Array|Nested|Tuple)$/,
  map: /^(?:Map|Tuple)$/,
  json: /^JSON$/,
} as const;

/** Integers of these types may be beyond 64 bits. */
const LARGE = /^(?:UInt64|U?Int(?:128|256))$/;

/** The first time that a field can't hold is shortly after this one. */
const LAST_DAY = '2262-04-11';

export const isTime = (type: string) => kinds.datetime.test(plainType(type).name);
export const isJson = (type: string) => kinds.json.test(plainType(type).name);
export const isMap = (type: string) => plainType(type).name === 'Map';

/**
 * Returns the field's types for a column, or undefined if fields have no such values. `sql` refers to the column. The
 * view converts values to the type of its own column, which holds all of them.
 */
export function fieldSqlOf(type: string, sql: string): readonly FieldSql[] | undefined {
  const { name, args } = plainType(type);
  if (kinds.string.test(name)) return [{ type: 'string', sql, isBare: type === 'String' }];
  if (kinds.float.test(name)) return [{ type: 'float', sql }];
  if (kinds.boolean.test(name)) return [{ type: 'boolean', sql }];
  if (kinds.datetime.test(name)) return [{ type: 'datetime', sql: timeSql(type, sql) }];
  if (LARGE.test(name)) {
    const integer = `accurateCastOrNull(${sql}, 'Int64')`;
    return [
      { type: 'integer', sql: integer },
      { type: 'float', sql: `if(isNull(${integer}), toFloat64(${sql}), NULL)` },
    ];
  }
  if (kinds.integer.test(name)) return [{ type: 'integer', sql }];
  const isObject = name === 'Map' || (name === 'Tuple' && args.every((arg) => memberOf(arg).name));
  if (isObject) return [{ type: 'map', sql: jsonSql(type, sql) }];
  if (kinds.array.test(name)) return [{ type: 'array', sql: jsonSql(type, sql) }];
  return undefined;
}

/** Returns SQL for the time of an event, which lets ClickHouse use indexes. */
export function eventTimeSql(type: string, sql: string): string {
  const { name, args } = plainType(type);
  // A conversion to the same precision could hide that the time is ordered.
  return name === 'DateTime64' && args[0] === '9'
    ? `toTimeZone(${sql}, 'UTC')`
    : `CAST(${sql}, ${quoteText(isNullable(type) ? `Nullable(${TIME_TYPE})` : TIME_TYPE)})`;
}

function timeSql(type: string, sql: string): string {
  const { name, args } = plainType(type);
  if (name === 'DateTime64' && args[0] === '9') return eventTimeSql(type, sql);
  const cast = (of: string) => `CAST(${of}, ${typeText('datetime')})`;
  if (name === 'Date' || name === 'DateTime') return cast(sql);
  const last =
    name === 'Date32'
      ? `toDate32('${LAST_DAY}')`
      : `toDateTime64('${LAST_DAY} 00:00:00', ${args[0]}, 'UTC')`;
  // ClickHouse converts the value beneath a null too, so it must be in the range as well.
  return `if(${sql} < ${last}, ${cast(`least(${sql}, ${last})`)}, NULL)`;
}

/** Returns a field's types for a path of a JSON column. `column` is SQL, and `types` are those of values at the path. */
export function pathSqlOf(
  type: string,
  column: string,
  path: string,
  types: readonly string[],
): readonly FieldSql[] {
  const value = `${column}.${quoteName(path)}`;
  const isDeclared = plainType(type).args.some((arg) => memberOf(arg).name === path);
  const all = types.flatMap((of) => {
    const found = fieldSqlOf(of, isDeclared ? value : `${value}.:${backticked(of)}`) ?? [];
    if (isDeclared || !kinds.array.test(parseType(of).name)) return found;
    // ClickHouse reads an empty array if the path has no value of this type.
    const test = `dynamicType(${value}) = ${quoteText(of)}`;
    return found.map(({ type: to, sql }) => ({ type: to, sql: `if(${test}, ${sql}, NULL)` }));
  });
  return [...Map.groupBy(all, (one) => one.type)].map(([to, ways]) => ({
    type: to,
    sql: ways.length === 1 ? ways[0]!.sql : `coalesce(${ways.map(({ sql }) => sql).join(', ')})`,
  }));
}

/** Returns SQL for the JSON of a value, which is `null` for null. Integers have all digits. */
export function jsonSql(type: string, sql: string): string {
  if (isNullable(type))
    return `if(isNull(${sql}), 'null', ${jsonSql(plainTypeText(type), `assumeNotNull(${sql})`)})`;
  const { name, args } = plainType(type);
  if (kinds.string.test(name)) return jsonText(`toString(${sql})`);
  if (kinds.integer.test(name)) return `toString(${sql})`;
  if (kinds.float.test(name))
    return `if(isFinite(${sql}), ${doubleJson(`toFloat64(${sql})`)}, 'null')`;
  if (kinds.boolean.test(name)) return `if(${sql}, 'true', 'false')`;
  if (kinds.datetime.test(name)) {
    const time = replacedSpace(timeText(timeSql(type, sql)));
    return `ifNull(concat('"', ${time}, 'Z"'), 'null')`;
  }
  const joined = (open: string, items: string, close: string) =>
    `concat('${open}', arrayStringConcat(${items}, ','), '${close}')`;
  if (name === 'Array' || name === 'Nested') {
    const item = newVariable();
    const of = name === 'Array' ? args[0]! : `Tuple(${args.join(', ')})`;
    return joined('[', `arrayMap(${item} -> ${jsonSql(of, item)}, ${sql})`, ']');
  }
  if (name === 'Map') {
    const [key, value] = [newVariable(), newVariable()];
    const member = `concat(${jsonText(`toString(${key})`)}, ':', ${jsonSql(args[1]!, value)})`;
    const of = `mapKeys(${sql}), mapValues(${sql})`;
    return joined('{', `arrayMap((${key}, ${value}) -> ${member}, ${of})`, '}');
  }
  if (name === 'Tuple') {
    const members = args.map(memberOf);
    const isObject = members.every((member) => member.name !== undefined);
    const items = members.map((member, i) => {
      const item = jsonSql(member.type, `tupleElement(${sql}, ${i + 1})`);
      return isObject ? `concat(${quoteText(`${JSON.stringify(member.name)}:`)}, ${item})` : item;
    });
    return joined(isObject ? '{' : '[', `[${items.join(', ')}]`, isObject ? '}' : ']');
  }
  return `toJSONString(${sql})`;
}

export function elementType(type: string): string {
  return plainType(type).args[0] ?? type;
}

function replacedSpace(sql: string): string {
  return `replaceOne(${sql}, ' ', 'T')`;
}

function typeText(type: StoredType): string {
  return quoteText(clickhouseTypes[type]);
}

function backticked(text: string): string {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

export function isNullable(type: string): boolean {
  return /^(?:LowCardinality\()?Nullable\(/.test(type);
}

/** Returns a type without Nullable, LowCardinality and the function of SimpleAggregateFunction. */
function plainTypeText(type: string): string {
  const { name, args } = parseType(type);
  if (name === 'Nullable' || name === 'LowCardinality') return plainTypeText(args[0]!);
  return name === 'SimpleAggregateFunction' ? plainTypeText(args[1]!) : type;
}

function plainType(type: string): ParsedType {
  return parseType(plainTypeText(type));
}

/** Splits a type into its name and arguments, which may have quoted names and strings. */
function parseType(type: string): ParsedType {
  const [, name = type, inner] = /^(\w+)\((.*)\)$/s.exec(type) ?? [];
  if (inner === undefined) return { name, args: [] };
  const args = [''];
  let depth = 0;
  for (const [token] of inner.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`]/gs)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) args.push('');
    else args[args.length - 1] += token;
  }
  return { name, args: args.map((arg) => arg.trim()) };
}

/** Splits the argument of a tuple or JSON type into its name, if it has one, and its type. */
function memberOf(arg: string): { readonly name?: string; readonly type: string } {
  const [, quoted, bare, type] = /^(?:`((?:[^`\\]|\\.)*)`|([\w.]+)) (.+)$/s.exec(arg) ?? [];
  if (type === undefined) return { type: arg };
  return { name: quoted?.replace(/\\(.)/gs, '$1') ?? bare!, type };
}
