// Finds the cells that the errors of a query are in: the text that is sent has the lets of the cells above ahead of
// the query itself.
import type { CellQuery, CellQueryLet } from '../../../server/src/protocol.ts';
import { errorPlace, lineBreaks } from '../query/errorPlace.ts';
import type { Failure, FailurePlace } from '../service/failure.ts';

/** The places of a failure in one cell, with lines relative to the query or let there. */
export interface CellFailure {
  /** The let of a cell above; absent for the query itself. */
  readonly let?: CellQueryLet;
  readonly places: readonly FailurePlace[];
}

/** Groups the places of a failure by the part of the text that they are in. */
export function failuresByCell(
  { text, above, lets }: Pick<CellQuery, 'text' | 'above' | 'lets'>,
  { places = [] }: Pick<Failure, 'places'>,
): CellFailure[] {
  const found = new Map<CellQueryLet | undefined, FailurePlace[]>();
  for (const place of places) {
    const { start } = errorPlace(text, place);
    const declared = start < above ? lets.findLast(({ offset }) => offset <= start) : undefined;
    if (start < above && declared === undefined) continue;
    const before = lineBreaks(text.slice(0, declared?.offset ?? above));
    const moved: FailurePlace = {
      ...place,
      line: place.line - before,
      ...(place.endLine !== undefined && { endLine: place.endLine - before }),
    };
    found.set(declared, [...(found.get(declared) ?? []), moved]);
  }
  return [...found].map(([declared, moved]) => ({
    ...(declared && { let: declared }),
    places: moved,
  }));
}
