/** Explicit conversions, and tests of a value's type. */
import { PlanError } from '../errors.ts';
import { inRange, outOfRangeTime } from '../outOfRange.ts';
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import {
  arrayValue,
  as,
  constant,
  convert,
  nullOf,
  scalarOf,
  toDynamic,
  toText,
  type Value,
  type ValueType,
  value,
  valueType,
} from '../values.ts';
import {
  at,
  type Call,
  constantText,
  custom,
  type FunctionPlan,
  operandAt,
  optionalAt,
} from './define.ts';

function to(type: ValueType): FunctionPlan {
  return custom((call) => {
    const of = operandAt(call, 0);
    // A time out of range stays out of range.
    if (of.type === type) return of;
    return converted(inRange(of, call.args[0] ?? call.node), type);
  });
}

/** Converts a value. A column with several types tries each of them. A numeric constant string becomes a constant. */
function converted(of: Value, type: ValueType): Value {
  const known = scalarOf(of);
  if (type === 'long' && typeof known === 'string' && /^[+-]?[0-9]{1,18}$/.test(known)) {
    return constant(BigInt(known.replace('+', '')), 'long');
  }
  const outOfRange = type === 'datetime' ? outOfRangeTime(of) : undefined;
  if (outOfRange !== undefined) return outOfRange;
  if (of.variants === undefined || type === 'dynamic') return convert(of, type);
  const parts = of.variants.map((variant) => as(variant, type));
  return value(print.call('coalesce', ...parts), type);
}

/** Plans a test whether a value has one of the types, or a dynamic value one of the JSON kinds. */
function isA(types: readonly ValueType[], kinds: readonly string[]): FunctionPlan {
  return custom((call) => {
    const of = at(call, 0);
    if (of.type === 'dynamic') {
      const list = print.join(kinds.map(print.text));
      return value(sql`coalesce(json_type(${toDynamic(of).sql}) IN (${list}), false)`, 'bool');
    }
    return value(types.includes(of.type) ? sql`(${of.sql} IS NOT NULL)` : sql`false`, 'bool');
  });
}

/** Returns the named field converted to a type, or a null of that type if the field doesn't exist. */
function ensureField(call: Call): Value {
  const name = constantText(call, 0, 'name');
  const wanted = call.args[1];
  if (wanted?.kind !== 'typeof') {
    throw new PlanError(
      'invalid-argument',
      wanted ?? call.node,
      'Write the type as typeof(string).',
    );
  }
  const type = valueType(wanted.of);
  const found = call.scope.find(name);
  return found === undefined ? nullOf(type) : converted(found, type);
}

export const conversionFunctions = {
  dynamic_to_json: custom((call) => {
    const of = at(call, 0);
    const holdsScalars = of.type !== 'dynamic' || of.variants !== undefined;
    if (holdsScalars) return value(toText(of), 'string');
    return value(print.call('apl.sorted_json', toDynamic(of).sql), 'string');
  }),
  ensure_field: custom(ensureField),
  isbool: isA(['bool'], ['BOOLEAN']),
  isreal: isA(['real', 'long'], ['DOUBLE', 'BIGINT', 'UBIGINT']),
  isstring: isA(['string'], ['VARCHAR']),
  toarray: custom((call) => {
    const of = at(call, 0);
    const json = of.type === 'string' ? sql`apl.read_array(${of.sql})` : toDynamic(of).sql;
    return arrayValue(print.call('apl.to_array', json));
  }),
  tobool: custom((call) => {
    const of = at(call, 0);
    return of.type === 'datetime'
      ? value(sql`(epoch_ns(${of.sql}) <> 0)`, 'bool')
      : converted(of, 'bool');
  }),
  todatetime: to('datetime'),
  todouble: to('real'),
  todynamic: custom((call) => {
    const of = at(call, 0);
    if (of.type !== 'string') return toDynamic(of);
    return value(sql`apl.parse_json(${of.sql})`, 'dynamic');
  }),
  tohex: custom((call) => {
    const of = at(call, 0);
    const digits = sql`lower(to_hex(${as(of, 'long')}))`;
    const length = optionalAt(call, 1);
    if (length === undefined) return value(digits, 'string');
    return value(print.call('apl.padded', digits, as(length, 'long')), 'string');
  }),
  toint: to('long'),
  tolong: to('long'),
  toreal: to('real'),
  tostring: custom((call) => {
    const of = at(call, 0);
    const known = scalarOf(of);
    return typeof known === 'string' && of.type === 'string' ? of : value(toText(of), 'string');
  }),
  totimespan: to('timespan'),
} as const satisfies Readonly<Record<string, FunctionPlan>>;
