/** Makes lists, and reads their items and the fields of structs. */
import { coerced, nullOf } from './casts.ts';
import { computedOnce, newVariable, valuesOnce } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { binary } from './operators.ts';
import { commonType, isOptional, listOf, scalarType, type Type } from './types.ts';
import { field, nullIfAny, nullTest, required, type Value } from './value.ts';

/** Makes a list of items, which are converted to a common type. */
export function list(items: readonly Value[]): Value {
  const of = items.map(({ type }) => type).reduce(commonType, scalarType('null'));
  const same = items.every(
    ({ type }) => type.kind === of.kind && isOptional(type) === isOptional(of),
  );
  const common = items.length > 0 && same ? items.map(({ type }) => type).reduce(commonType) : of;
  const written = items.map((item) => coerced(item, common).sql);
  return { sql: `[${written.join(', ')}]`, type: listOf(common) };
}

/** Returns a field of a struct. */
export function fieldOf(of: Value, name: string): Value {
  if (of.type.kind !== 'struct') throw new NotOnEngine(`the field ${name} of ${of.type.kind}`);
  const i = of.type.names.findIndex((known) => known.toLowerCase() === name.toLowerCase());
  return part(of, i);
}

/** Returns a field of a struct by its position, from 0. */
export function part(of: Value, i: number): Value {
  const type = of.type.kind === 'struct' ? of.type.types[i] : undefined;
  if (type === undefined) throw new NotOnEngine('this field of a struct');
  return valuesOnce([of], ([one]) => {
    const value = { sql: field(required(one as Value).sql, i + 1), type };
    return nullIfAny(value, [nullTest(one as Value)]);
  });
}

/** Returns a list's item, or null if there is none. */
export function element(of: Value, index: Value): Value {
  if (of.type.kind !== 'list') throw new NotOnEngine(`a subscript of ${of.type.kind}`);
  const items = required(of).sql;
  const type = of.type.of;
  if (of.type.isMap) return entry(of, index);
  const tests = [nullTest(of), nullTest(index)];
  if (index.type.kind === 'null') return nullOf(type);
  const position = index.present ? index.sql : `assumeNotNull(${index.sql})`;
  if (type.kind === 'list' || type.kind === 'struct') {
    let result: Value | undefined;
    const sql = computedOnce([of.sql, position], (list, at) => {
      const bare = required({ ...of, sql: list }).sql;
      const outside = `(abs(${at}) > length(${bare}) OR ${at} = 0)`;
      const test = nullTest({ ...of, sql: list });
      result = nullIfAny({ sql: `arrayElement(${bare}, ${at})`, type }, [
        test,
        nullTest(index),
        outside,
      ]);
      return result.sql;
    });
    return { ...(result as Value), sql };
  }
  return nullIfAny({ sql: `arrayElementOrNull(${items}, ${position})`, type }, tests);
}

/** Returns the value at a key of a map. */
function entry(of: Value, key: Value): Value {
  return valuesOnce([of, key], ([map, wanted]) => {
    const { sql, type } = required(map as Value);
    const entries = type.kind === 'list' && type.of.kind === 'struct' ? type.of.types : [];
    const item = newVariable();
    const equal = binary(
      '=',
      { sql: `${item}.1`, type: entries[0] as Type },
      wanted as Value,
      false,
    ).sql;
    const found = `arrayFilter(${item} -> ifNull(${equal}, 0), ${sql})`;
    const value = {
      sql: `arrayElementOrNull(arrayMap(${item} -> ${item}.2, ${found}), 1)`,
      type: entries[1] as Type,
    };
    return nullIfAny(value, [nullTest(map as Value)]);
  });
}
