/** Finds the uses and definitions of the symbol at the cursor. */
import { partitionPoint } from '../append.ts';
import type { BoundQuery, Column, Reference } from '../binding/bound.ts';
import { inTextOrder, type Span } from '../text.ts';
import { identitiesOf, type Use, unmergedParts } from './identity.ts';

/** One use of a name. `write` is true if the name is defined or declared at this span. */
export interface Occurrence extends Span {
  readonly write: boolean;
}

/**
 * Returns all occurrences of the symbol at an offset, in text order. A derived column such as `count_` is defined by
 * the expression from which its name is derived.
 */
export function occurrencesAt(bound: BoundQuery, offset: number): Occurrence[] {
  const groups = new Set(usesAt(bound, offset).map(({ group }) => group));
  if (groups.size === 0) return [];
  const found = new Map<string, Occurrence>();
  const uses = identitiesOf(bound).uses.filter(({ group }) => groups.has(group));
  for (const { start, end, reference } of uses) {
    const key = `${start}:${end}`;
    const write = reference.definition || found.get(key)?.write === true;
    found.set(key, { start, end, write });
  }
  for (const { reference } of uses) {
    if (reference.meaning.kind !== 'column') continue;
    for (const { start, end } of definitionsOf(reference.meaning.column)) {
      const key = `${start}:${end}`;
      // Keep the existing entry: in `project x`, a field `x` that is missing from the schema is both a use and a
      // definition.
      if (!found.has(key)) found.set(key, { start, end, write: true });
    }
  }
  return inTextOrder([...found.values()]);
}

/** Returns the spans that define the symbol at an offset. Fields, datasets and functions have none. */
export function definitionsAt(bound: BoundQuery, offset: number): Span[] {
  const found = new Map<number, Span>();
  for (const { reference } of usesAt(bound, offset)) {
    for (const span of definitionsOfReference(bound, reference)) found.set(span.start, span);
  }
  return inTextOrder([...found.values()]);
}

/** Returns the name of the dataset at an offset, even if no such dataset exists. */
export function datasetAt(bound: BoundQuery, offset: number): string | undefined {
  return usesAt(bound, offset).find(isDataset)?.reference.name;
}

export function datasetUses(bound: BoundQuery, name: string): Span[] {
  return identitiesOf(bound)
    .uses.filter((use) => isDataset(use) && use.reference.name === name)
    .map(({ start, end }) => ({ start, end }));
}

function isDataset({ key }: Use): boolean {
  return key.startsWith('dataset ');
}

/** Returns the uses of the name at an offset. A join key has two uses, because it names two columns. */
export function usesAt(bound: BoundQuery, offset: number): Use[] {
  const { uses } = identitiesOf(bound);
  const end = partitionPoint(uses, ({ start }) => start <= offset);
  const nearest = uses[end - 1];
  if (nearest === undefined || nearest.end < offset) return [];
  return uses.slice(
    partitionPoint(uses, ({ start }) => start < nearest.start),
    end,
  );
}

function definitionsOfReference(bound: BoundQuery, reference: Reference): readonly Span[] {
  const { meaning } = reference;
  switch (meaning.kind) {
    case 'column':
      return definitionsOf(meaning.column);
    case 'let':
      return letsNamed(bound, meaning.name, reference.start);
    case 'parameter':
      return bound.references.filter(
        (one) => one.definition && one.meaning.kind === 'parameter' && one.name === reference.name,
      );
    default:
      return [];
  }
}

/** Returns the name span of the `let` that a name refers to. A redeclared `let` can refer to the earlier one. */
function letsNamed({ lets }: BoundQuery, name: string, offset: number): Span[] {
  const named = lets.filter((one) => one.name === name);
  const declared = named.find(({ nameSpan }) => nameSpan.start === offset);
  const before = named.findLast(({ end }) => end <= offset);
  const found = declared ?? before ?? named[0];
  return found === undefined ? [] : [found.nameSpan];
}

/** Returns the definitions of a column. A union's column may have one for each table. */
export function definitionsOf(column: Column): Span[] {
  const found = new Map<number, Span>();
  for (const { definition } of unmergedParts(column))
    if (definition !== undefined) found.set(definition.start, definition);
  return [...found.values()];
}
