// Where the JSON of a resource refers to something by name or identifier: notifiers of a monitor, datasets. Found in
// text that somebody is typing, to complete the reference, to show its name and to check it.
import { arrayAt, type Span, stringsIn } from './jsonText.ts';
import { type KindName, kinds } from './kinds.ts';
import type { Path } from './value.ts';

export interface NamedAt {
  /** What is referred to: resources by identifier, or datasets by name. */
  readonly to: KindName | 'datasets';
  /** The text between the quotes; absent in an array, between its items. */
  readonly literal?: Span;
}

/** The reference at an offset, if one can be there. */
export function namedAt(kind: KindName, text: string, offset: number): NamedAt | undefined {
  const literal = stringsIn(text).find(({ start, end }) => start <= offset && offset <= end);
  if (literal !== undefined) {
    const to = targetOf(kind, literal.path);
    return to && { to, literal };
  }
  const array = arrayAt(text, offset);
  const to = array && targetOf(kind, [...array, 0]);
  return to && { to };
}

/** An identifier of another resource in a text. */
export interface Reference {
  readonly to: KindName;
  readonly literal: Span;
}

/** Returns the identifiers of other resources in a text, in order; names of datasets are not among them. */
export function referencesIn(kind: KindName, text: string): Reference[] {
  if (kinds[kind].references === undefined) return [];
  return stringsIn(text).flatMap((literal) => {
    const to = targetOf(kind, literal.path);
    return to === undefined || to === 'datasets' ? [] : [{ to, literal }];
  });
}

function targetOf(kind: KindName, path: Path): NamedAt['to'] | undefined {
  const { references = [], datasets = [] } = kinds[kind];
  const fits = (pattern: readonly string[]) =>
    pattern.length === path.length &&
    pattern.every((step, at) => (step === '*' ? typeof path[at] === 'number' : step === path[at]));
  return (
    references.find((reference) => fits(reference.path))?.to ??
    (datasets.some(fits) ? 'datasets' : undefined)
  );
}
