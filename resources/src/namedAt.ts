// Where the JSON of a resource refers to something by name or identifier: notifiers of a monitor, datasets. Found in
// text that somebody is typing, to complete the reference and to show its name.
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
