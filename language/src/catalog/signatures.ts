/** Interprets signatures: argument counts, parameters of arguments, accepted types and return types. */
import type { FunctionRow, Parameter, ParameterType, ScalarType, Signature } from './types.ts';

/** The argument counts that a signature accepts. If `most` is absent, there is no maximum. */
export interface Arity {
  readonly least: number;
  readonly most: number | undefined;
  /** The number of arguments in a repeated group, such as 2 for key-value pairs. */
  readonly step: number;
}

export function arityOf(signature: Signature): Arity {
  const { parameters, repeating } = signature;
  const least = parameters.reduce((count, { optional }) => (optional ? count : count + 1), 0);
  if (repeating !== undefined) return { least, most: undefined, step: repeating };
  const endless = parameters.at(-1)?.variadic === true;
  return { least, most: endless ? undefined : parameters.length, step: 1 };
}

export function takes(signature: Signature, count: number): boolean {
  const { least, most, step } = arityOf(signature);
  if (count < least || (most !== undefined && count > most)) return false;
  return (count - least) % step === 0;
}

/** Returns the parameter for the argument at `index` in a call with `count` arguments. The call may be incomplete. */
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

/** Returns whether a parameter accepts a type. `unknown` and `dynamic` may be any type, so they are accepted. */
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

export function signatureFor(
  row: FunctionRow,
  argumentTypes: readonly ScalarType[],
): Signature | undefined {
  return row.signatures.find((signature) => fits(signature, argumentTypes));
}

/** Returns the type of a call's result, or `unknown` if the matching signatures disagree. */
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
    // A parameter for a type literal accepts any argument, because a type literal has no scalar type.
    return parameter === undefined || parameter.type === 'type' || accepts(parameter.type, actual);
  });
}

function returned(signature: Signature, argumentTypes: readonly ScalarType[]): ScalarType {
  const { returns } = signature;
  if (typeof returns === 'string') return returns;
  // `argumentTypes` doesn't contain the type named by `typeof(…)`, so the caller determines the result type.
  if ('typeArgument' in returns) return 'unknown';
  const count = argumentTypes.length;
  const types = argumentTypes.filter((_, index) => {
    const name = parameterAt(signature, index, count)?.name;
    return name !== undefined && (name === returns.sameAs || name === returns.and);
  });
  return unite(types);
}

/**
 * Returns the common type of values, or `unknown` if they have none. The common type of long and real values is real. A
 * `dynamic` such as `dynamic(null)` doesn't affect the result if other values have a type.
 */
export function unite(types: readonly ScalarType[]): ScalarType {
  const known = new Set(types);
  if (known.size === 0 || known.has('unknown')) return 'unknown';
  if (known.size > 1) known.delete('dynamic');
  if (known.size === 2 && known.has('long') && known.has('real')) return 'real';
  const [only] = known;
  return only !== undefined && known.size === 1 ? only : 'unknown';
}
