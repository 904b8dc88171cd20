/**
 * Reads signatures: how many arguments a call takes, which parameter an argument belongs to, whether a
 * type fits, and what type comes out. Checking, signature help and execution agree by asking here.
 */
import type { FunctionRow, Parameter, ParameterType, ScalarType, Signature } from './types.ts';

/** How many arguments a call may have; `most` is undefined when there is no limit. */
export interface Arity {
  readonly least: number;
  readonly most: number | undefined;
  /** Beyond `least`, arguments come in groups of so many. */
  readonly step: number;
}

/** How many arguments `signature` takes. */
export function arityOf(signature: Signature): Arity {
  const { parameters, repeating } = signature;
  const least = parameters.reduce((count, { optional }) => (optional ? count : count + 1), 0);
  if (repeating !== undefined) return { least, most: undefined, step: repeating };
  const endless = parameters.at(-1)?.variadic === true;
  return { least, most: endless ? undefined : parameters.length, step: 1 };
}

/** Whether `signature` takes `count` arguments. */
export function takes(signature: Signature, count: number): boolean {
  const { least, most, step } = arityOf(signature);
  if (count < least || (most !== undefined && count > most)) return false;
  return (count - least) % step === 0;
}

/**
 * The parameter that argument `index` of a call with `count` arguments belongs to; undefined when there
 * is none. A call still being typed may have too few arguments.
 */
export function parameterAt(
  signature: Signature,
  index: number,
  count: number,
): Parameter | undefined {
  const { parameters, repeating } = signature;
  if (repeating === undefined) {
    const last = parameters.at(-1);
    return parameters[index] ?? (last?.variadic ? last : undefined);
  }
  const tail = parameters.length - repeating;
  const complete = takes(signature, count);
  if (complete && index >= count - tail) return parameters[repeating + index - (count - tail)];
  return parameters[index % repeating];
}

/**
 * Whether a value of type `actual` may stand where `wanted` is asked for. What cannot be told is
 * accepted: `unknown`, and `dynamic`, which may hold a value of any type. A whole number serves as real.
 */
export function accepts(wanted: ParameterType, actual: ScalarType): boolean {
  if (actual === 'unknown' || actual === 'dynamic') return true;
  if (typeof wanted !== 'string') return wanted.some((type) => accepts(type, actual));
  switch (wanted) {
    case 'scalar':
    case 'unknown':
    case 'field':
    case 'row':
    case 'wildcard':
      return true;
    case 'numeric':
      return actual === 'long' || actual === 'real';
    case 'real':
      return actual === 'real' || actual === 'long';
    case 'type':
      return false;
    default:
      return wanted === actual;
  }
}

/** The first signature of `row` that takes arguments of these types. */
export function signatureFor(
  row: FunctionRow,
  argumentTypes: readonly ScalarType[],
): Signature | undefined {
  return row.signatures.find((signature) => fits(signature, argumentTypes));
}

/**
 * The type of a call with arguments of these types: `unknown` when signatures that fit equally well
 * disagree, as for `avg` of a column that may hold numbers or durations.
 */
export function returnTypeOf(row: FunctionRow, argumentTypes: readonly ScalarType[]): ScalarType {
  let found: ScalarType | undefined;
  for (const signature of row.signatures) {
    if (!fits(signature, argumentTypes)) continue;
    const type = returned(signature, argumentTypes);
    if (found !== undefined && found !== type) return 'unknown';
    found = type;
  }
  return found ?? 'unknown';
}

function fits(signature: Signature, argumentTypes: readonly ScalarType[]): boolean {
  const count = argumentTypes.length;
  if (!takes(signature, count)) return false;
  return argumentTypes.every((actual, index) => {
    const parameter = parameterAt(signature, index, count);
    // A type literal has no scalar type, so a call is not distinguished by it.
    return parameter === undefined || parameter.type === 'type' || accepts(parameter.type, actual);
  });
}

function returned(signature: Signature, argumentTypes: readonly ScalarType[]): ScalarType {
  const { returns } = signature;
  if (typeof returns === 'string') return returns;
  // The type that a `typeof(…)` names is the caller's to read: it is not among the argument types.
  if ('typeArgument' in returns) return 'unknown';
  const count = argumentTypes.length;
  const types = argumentTypes.filter((_, index) => {
    const name = parameterAt(signature, index, count)?.name;
    return name !== undefined && (name === returns.sameAs || name === returns.and);
  });
  return unite(types);
}

/** The type that values of all these types share: a null or missing value joins any; whole numbers join real ones. */
export function unite(types: readonly ScalarType[]): ScalarType {
  const known = new Set(types);
  if (known.size === 0 || known.has('unknown')) return 'unknown';
  if (known.size > 1) known.delete('dynamic');
  if (known.size === 2 && known.has('long') && known.has('real')) return 'real';
  const [only] = known;
  return only !== undefined && known.size === 1 ? only : 'unknown';
}
