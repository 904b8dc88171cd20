/**
 * The order of a result's columns where the query states none: the time of the event first, the time of
 * its ingestion last, the others as the service sent them.
 */

const rank = (name: string) => (name === '_time' ? 0 : name === '_sysTime' ? 2 : 1);

/** The indexes of columns in the order to show them. */
export function defaultColumnOrder(names: readonly string[]): number[] {
  return names
    .map((name, index) => ({ index, rank: rank(name) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ index }) => index);
}
