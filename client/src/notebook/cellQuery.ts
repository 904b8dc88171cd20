// Maps a query's errors to cells, because the sent text starts with lets of other cells.
import type { CellQuery, CellQueryLet } from '../../../server/src/protocol.ts';
import { errorPlace, lineBreaks } from '../query/errorPlace.ts';
import type { Failure, FailurePlace } from '../service/failure.ts';

/**
 * Groups a failure's positions by statement: the query, or a let from another cell. Lines are relative to the start of
 * the statement. Positions outside these statements are omitted.
 */
export function failuresByCell(
  { text, above, lets }: Pick<CellQuery, 'text' | 'above' | 'lets'>,
  { places = [] }: Pick<Failure, 'places'>,
) {
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
