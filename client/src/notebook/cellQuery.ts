// A query of a cell as it is sent: its own text after the lets of the cells above that it needs. What the
// service says of the text is led back to the cell that holds the place.
import type { CellQuery, CellQueryLet } from '../../../server/src/protocol.ts';
import type { Failure, FailurePlace } from '../api/failure.ts';
import { errorPlace } from '../query/errorPlace.ts';

/** The places of a failure that are in one cell; lines are those of the query there, or of the let. */
export interface CellFailure {
  /** The let of a cell above; absent for the query itself. */
  readonly let?: CellQueryLet;
  readonly places: readonly FailurePlace[];
}

/** Sorts the places of a failure by the part of the text that they are in. */
export function failuresByCell(
  { text, above, lets }: Pick<CellQuery, 'text' | 'above' | 'lets'>,
  { places = [] }: Pick<Failure, 'places'>,
): CellFailure[] {
  const found = new Map<CellQueryLet | undefined, FailurePlace[]>();
  for (const place of places) {
    const { start } = errorPlace(text, place);
    const declared = start < above ? lets.findLast(({ offset }) => offset <= start) : undefined;
    if (start < above && declared === undefined) continue;
    const before = linesIn(text.slice(0, declared?.offset ?? above));
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

function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
