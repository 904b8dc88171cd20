/** The scalar types, and the return types of functions. */
import { functionNamed } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';

const scalarTypes: ReadonlySet<unknown> = new Set<ScalarType>([
  'bool',
  'datetime',
  'dynamic',
  'long',
  'real',
  'string',
  'timespan',
]);

export function isScalarType(type: unknown): type is ScalarType {
  return scalarTypes.has(type);
}

/**
 * Returns the type of a function's result. Returns `unknown` if its signatures differ, if the type depends on the
 * arguments, or if the function is unknown.
 */
export function returnedBy(name: string): ScalarType {
  const found = new Set(functionNamed(name)?.signatures.map(({ returns }) => returns));
  const [only] = found;
  return found.size === 1 && isScalarType(only) ? only : 'unknown';
}
