/** The keys and paths that rows have in columns of a table. The view keeps them in a comment. */
import { DATASET_FIELDS_MAX } from '../../../../../api/src/index.ts';

/** The paths of a JSON column with their types in ClickHouse, or the keys of a map, which have no types. */
export type FoundPaths = ReadonlyMap<string, readonly string[]>;

/** Paths by column. */
export type FoundColumns = ReadonlyMap<string, FoundPaths>;

export function foundText(found: FoundColumns): string {
  return JSON.stringify([...found].map(([column, paths]) => [column, [...paths]]));
}

/** Reads the result of `foundText`. Any other text counts as nothing found. */
export function readFound(text: string): FoundColumns {
  try {
    const columns = JSON.parse(text) as [string, [string, string[]][]][];
    return new Map(columns.map(([column, paths]) => [column, new Map(paths)]));
  } catch {
    return new Map();
  }
}

/**
 * Adds keys, paths and types to known ones, up to the number of fields that a dataset can have. Known ones stay first, so
 * that no field is lost.
 */
export function merged(known: FoundColumns, found: FoundColumns): FoundColumns {
  const columns = union(known.keys(), found.keys());
  return new Map(
    columns.map((column) => {
      const all = [known.get(column), found.get(column)];
      const paths = union(...all.map((one) => one?.keys() ?? [])).slice(0, DATASET_FIELDS_MAX);
      const typesOf = (path: string) => union(...all.map((one) => one?.get(path) ?? []));
      return [column, new Map(paths.map((path) => [path, typesOf(path)]))];
    }),
  );
}

function union(...lists: readonly Iterable<string>[]): string[] {
  return [...new Set(lists.flatMap((list) => [...list]))];
}
