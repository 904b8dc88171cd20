/** Written type names → scalar types, with a report where there is none of the name. */

import { scalarTypeOf, types } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import { didYouMean } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, hintFor, report } from './binder.ts';

const writtenNames = types.flatMap((row) => [row.name, ...row.aliases]);

/** The type that the query names; one that is not known is reported and `unknown`. */
export function scalarTypeNamed(node: syntax.TypeName, binder: Binder): ScalarType {
  const type = scalarTypeOf(node.name);
  if (type !== undefined) return type;
  // A name that is missing is the parser's to report.
  if (node.name !== '') {
    const hint = hintFor(binder, node.name, writtenNames);
    report(binder, 'unknown-type', node, { name: node.name, hint: didYouMean(hint) }, hint);
  }
  return 'unknown';
}
