/**
 * Finds look-ups: conditions of a query's leading filters that a stored string equals one of a few texts. The store may
 * know when the events with a rare text occurred, and then the query needs to read only those times.
 */
import type { BoundExpression, BoundPipeline } from '../../../language/src/index.ts';
import type { Lookup, PlanContext } from './plan.ts';
import { operands } from './scalarOperators.ts';

/** The maximum number of texts. More texts are probably spread over all times. */
const MAX_TEXTS = 20;

/** The maximum number of look-ups. The store reads the newest rows for each. */
const MAX_LOOKUPS = 8;

/** Returns the look-ups of a pipeline whose source is a stored dataset. */
export function lookupsOf({ source, stages }: BoundPipeline, context: PlanContext): Lookup[] {
  const layout = source.kind === 'dataset' ? context.layoutOf(source.name) : undefined;
  if (layout === undefined) return [];
  const virtual = new Set(context.virtualFieldsOf?.(layout.name).map(({ name }) => name));
  const columnOf = (name: string): string | undefined => {
    const field = layout.fields.find((each) => each.name === name);
    const [only, ...others] = field?.variants ?? [];
    const isText = only?.type === 'string' && others.length === 0 && !virtual.has(name);
    return isText ? only.column : undefined;
  };
  const found: Lookup[] = [];
  for (const { operator } of stages) {
    if (operator.kind !== 'where') break;
    for (const condition of conjuncts(operator.predicate)) {
      const equal = equalTexts(condition);
      const column = equal && columnOf(equal.name);
      if (column !== undefined) found.push({ table: layout.table, column, texts: equal!.texts });
    }
  }
  return found.slice(0, MAX_LOOKUPS);
}

/** Returns the operands of nested `and`, into which the parser also splits long chains. */
function conjuncts(node: BoundExpression): readonly BoundExpression[] {
  const parts = operands(node, 'and');
  return parts.length === 1 ? parts : parts.flatMap(conjuncts);
}

/** Returns the column and the texts of `column == text`, `text == column` or `column in (text, …)`. */
function equalTexts(
  node: BoundExpression,
): { readonly name: string; readonly texts: readonly string[] } | undefined {
  const equal = (column: BoundExpression, items: readonly BoundExpression[]) => {
    const texts = items.flatMap((item) =>
      item.kind === 'literal' && item.type === 'string' && typeof item.value === 'string'
        ? [item.value]
        : [],
    );
    const isLookup = texts.length === items.length && texts.length <= MAX_TEXTS;
    return column.kind === 'column' && isLookup ? { name: column.name, texts } : undefined;
  };
  if (node.kind === 'in' && node.operator === 'in') return equal(node.left, node.items);
  if (node.kind !== 'binary' || node.operator !== '==') return undefined;
  return equal(node.left, [node.right]) ?? equal(node.right, [node.left]);
}
