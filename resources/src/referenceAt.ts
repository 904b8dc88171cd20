// Finds references by name or identifier in a resource's JSON, such as a monitor's notifiers or datasets. Works on
// incomplete text, to complete, describe and check references.
import { arrayAt, type Span, stringsIn } from './jsonText.ts';
import { type KindName, kinds } from './kinds.ts';
import type { Path } from './value.ts';

export interface PossibleReference {
  /** The target of the reference: resources by identifier, or datasets by name. */
  readonly to: KindName | 'datasets';
  /** The text between the quotes; absent between the items of an array. */
  readonly literal?: Span;
}

/** Returns the reference at an offset, if one is possible there. */
export function findReferenceAt(
  kind: KindName,
  text: string,
  offset: number,
): PossibleReference | undefined {
  const literal = stringsIn(text).find(({ start, end }) => start <= offset && offset <= end);
  if (literal !== undefined) {
    const to = targetOf(kind, literal.path);
    return to && { to, literal };
  }
  const array = arrayAt(text, offset);
  const to = array && targetOf(kind, [...array, 0]);
  return to && { to };
}

/** An identifier of another resource, found in a text. */
export interface Reference {
  readonly to: KindName;
  readonly literal: Span;
}

/** Returns the identifiers of other resources in a text, in order. Dataset names aren't included. */
export function referencesIn(kind: KindName, text: string): Reference[] {
  if (kinds[kind].references === undefined) return [];
  return stringsIn(text).flatMap((literal) => {
    const to = targetOf(kind, literal.path);
    return to === undefined || to === 'datasets' ? [] : [{ to, literal }];
  });
}

function targetOf(kind: KindName, path: Path): PossibleReference['to'] | undefined {
  const { references = [], datasets = [] } = kinds[kind];
  const fits = (pattern: readonly string[]) =>
    pattern.length === path.length &&
    pattern.every((step, at) => (step === '*' ? typeof path[at] === 'number' : step === path[at]));
  return (
    references.find((reference) => fits(reference.path))?.to ??
    (datasets.some(fits) ? 'datasets' : undefined)
  );
}
