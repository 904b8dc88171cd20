/** The scalar types, and the return types of functions. */
import { functionNamed } from '../catalog/index.ts';
import { types } from '../catalog/typeRows.ts';
import type { ScalarType } from '../catalog/types.ts';

const scalarTypes: ReadonlySet<unknown> = new Set(types.map(({ name }) => name));

export function isScalarType(type: unknown): type is ScalarType {
  return scalarTypes.has(type);
}

/** Returns the type of a function's result, or `unknown` if it depends on the arguments. */
export function returnedBy(name: string): ScalarType {
  const found = new Set(functionNamed(name)?.signatures.map(({ returns }) => returns));
  const [only] = found;
  return found.size === 1 && isScalarType(only) ? only : 'unknown';
}
