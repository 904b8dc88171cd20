/** Converts type names in queries to scalar types, and reports unknown names. */
import { scalarTypeOf, types } from '../catalog/typeRows.ts';
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, reportMisspelt } from './binder.ts';

const writtenNames = types.flatMap((row) => [row.name, ...row.aliases]);

export function scalarTypeNamed(node: syntax.TypeName, binder: Binder): ScalarType {
  const type = scalarTypeOf(node.name);
  if (type !== undefined) return type;
  // Don't report a missing name, because the parser reports it.
  if (node.name !== '') reportMisspelt(binder, 'unknown-type', node, node.name, writtenNames);
  return 'unknown';
}
