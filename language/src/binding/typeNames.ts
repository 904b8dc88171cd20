/** Written type names, with their aliases, → scalar types. */
import { types } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, didYouMean, hintFor, report } from './binder.ts';

const byName: ReadonlyMap<string, ScalarType> = new Map(
  types.flatMap((row) => [row.name, ...row.aliases].map((name) => [name, row.name] as const)),
);

/** The type of that name, when there is one. */
export function scalarTypeOf(name: string): ScalarType | undefined {
  return byName.get(name);
}

/** The type that the query names; one that is not known is reported and `unknown`. */
export function scalarTypeNamed(node: syntax.TypeName, binder: Binder): ScalarType {
  const type = byName.get(node.name);
  if (type !== undefined) return type;
  // A name that is missing is the parser's to report.
  if (node.name !== '') {
    const hint = hintFor(binder, node.name, byName.keys());
    report(binder, 'unknown-type', node, { name: node.name, hint: didYouMean(hint) }, hint);
  }
  return 'unknown';
}
