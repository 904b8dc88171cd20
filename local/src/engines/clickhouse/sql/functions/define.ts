/** Helpers that define a function in one line. */
import { coerced } from '../casts.ts';
import { argument, type Call, type FunctionRow } from '../context.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { isOptional, listOf, type ScalarKind, scalarType, type Type } from '../types.ts';
import {
  LENGTH_BITS,
  nullIfAny,
  nullTest,
  required,
  scalar,
  traitsOf,
  type Value,
} from '../value.ts';

interface Traits {
  /** The number of arguments that a call must have; all by default. */
  readonly min?: number;
  /** Whether the result may be null although all arguments are present. */
  readonly nullable?: boolean;
  /** Whether the result is a length or position. */
  readonly small?: boolean;
}

function argumentsOf(call: Call, kinds: readonly ScalarKind[], min: number): readonly Value[] {
  const { nodes, name } = call;
  if (nodes.length < min || nodes.length > kinds.length)
    throw new NotOnEngine(`${name}() with ${nodes.length} arguments`);
  return nodes.map((_, i) => coerced(argument(call, i), scalarType(kinds[i] as ScalarKind)));
}

/** Defines a function of scalars. As most functions, it is null if an argument is null. */
export function simple(
  kinds: readonly ScalarKind[],
  result: ScalarKind,
  write: (...args: readonly string[]) => string,
  { min = kinds.length, nullable = false, small = false }: Traits = {},
): FunctionRow {
  return (call) => {
    const args = argumentsOf(call, kinds, min);
    return scalar(write(...args.map(({ sql }) => sql)), result, {
      ...traitsOf(...args),
      ...(nullable && { present: false }),
      ...(small && { bits: LENGTH_BITS }),
    });
  };
}

/**
 * Defines a function that can fail. `attempt` is its SQL inside TRY, which is null instead.
 */
export function failing(
  kinds: readonly ScalarKind[],
  result: ScalarKind,
  write: (...args: readonly string[]) => string,
  attempt: (...args: readonly string[]) => string,
): FunctionRow {
  return (call) => {
    const args = argumentsOf(call, kinds, kinds.length).map(({ sql }) => sql);
    return scalar((call.context.attempt ? attempt : write)(...args), result, { fails: true });
  };
}

/** Defines a function that makes a list from scalars, which `write` gets without nulls. */
export function listMaker(
  kinds: readonly ScalarKind[],
  of: Type,
  write: (...args: readonly string[]) => string,
  min = kinds.length,
): FunctionRow {
  return (call) => {
    const args = argumentsOf(call, kinds, min);
    const present = args.map((arg) => (arg.present ? arg.sql : `assumeNotNull(${arg.sql})`));
    const made = { sql: write(...present), type: listOf(of) };
    return nullIfAny(made, args.map(nullTest));
  };
}

/** Returns an argument that must be a list, without its null flag, and the test for null. */
export function listArgument(call: Call, i: number) {
  const value = argument(call, i);
  if (value.type.kind !== 'list') throw new NotOnEngine(`${call.name}() of ${value.type.kind}`);
  const { sql, type } = required(value);
  if (type.kind !== 'list') throw new NotOnEngine(call.name);
  return { sql, of: type.of, test: nullTest(value), value };
}

/** Returns a constant string argument. */
export function constantText(call: Call, i: number): string {
  const { constant } = argument(call, i);
  if (typeof constant === 'string') return constant;
  throw new NotOnEngine(`${call.name}() with an argument that isn't constant`);
}

export function rejectOptionalItems(call: Call, of: Type): void {
  if (isOptional(of)) throw new NotOnEngine(`${call.name}() of lists that may be null`);
}
