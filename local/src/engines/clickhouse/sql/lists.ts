/** Names of lambda parameters, and lists. */
import { type Type, typeName } from './types.ts';
import { quotedText, type Value } from './value.ts';

let lastVariable = 0;

/** Returns an unused name for a lambda's parameter. */
export function newVariable(): string {
  lastVariable += 1;
  return `_${lastVariable}_`;
}

/** Restarts the names of variables, so that a statement's translation doesn't depend on earlier ones. */
export function restartVariables(): void {
  lastVariable = 0;
}

export function emptyList(of: Type): string {
  return `CAST([], ${quotedText(`Array(${typeName(of)})`)})`;
}

/** The length from which an expression is computed once rather than repeated. */
const MAX_REPEATED = 48;

/**
 * Writes SQL that uses its operands several times. A long operand that `write` repeats becomes the parameter of a
 * lambda over a list of one item, because ClickHouse has no other names for values inside an expression.
 */
export function computedOnce(
  operands: readonly string[],
  write: (...operands: readonly string[]) => string,
): string {
  if (operands.every(({ length }) => length <= MAX_REPEATED)) return write(...operands);
  const names = operands.map((sql) => (sql.length > MAX_REPEATED ? newVariable() : undefined));
  const body = write(...operands.map((sql, i) => names[i] ?? sql));
  const repeated = names.map(
    (name) => name !== undefined && (body.split(name).length > 2 || isInLambda(body, name)),
  );
  if (!repeated.includes(true)) return write(...operands);
  const bound = operands.flatMap((sql, i) =>
    repeated[i] ? [{ name: names[i] as string, sql }] : [],
  );
  const parameters = bound.map(({ name }) => name).join(', ');
  const lists = bound.map(({ sql }) => `[${sql}]`).join(', ');
  const written = write(...operands.map((sql, i) => (repeated[i] ? (names[i] as string) : sql)));
  return `arrayElement(arrayMap((${parameters}) -> ${written}, ${lists}), 1)`;
}

function isInLambda(body: string, name: string): boolean {
  const arrow = body.indexOf(' -> ');
  return arrow >= 0 && body.indexOf(name) > arrow;
}

/** Translates an expression of values that the result's SQL may repeat. Constants are repeated as they are. */
export function valuesOnce(
  values: readonly Value[],
  make: (values: readonly Value[]) => Value,
): Value {
  let result: Value | undefined;
  const sql = computedOnce(
    values.map(({ sql, constant }) => (constant === undefined ? sql : '')),
    (...names) => {
      const named = values.map((value, i) =>
        value.constant === undefined ? { ...value, sql: names[i] as string } : value,
      );
      result = make(named);
      return result.sql;
    },
  );
  return { ...(result as Value), sql };
}

/** Joins strings. ClickHouse's function takes only a constant delimiter. */
export function joinedBy(list: string, { sql, constant, present }: Value): string {
  if (constant !== undefined) return `arrayStringConcat(${list}, ${sql})`;
  const [text, position] = [newVariable(), newVariable()];
  const delimiter = present ? sql : `ifNull(${sql}, '')`;
  const piece = `if(${position} = 1, ${text}, concat(${delimiter}, ${text}))`;
  return `arrayStringConcat(arrayMap((${text}, ${position}) -> ${piece}, ${list}, arrayEnumerate(${list})))`;
}
