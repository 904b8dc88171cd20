/**
 * Computes the tables of an answer: its rows and, for a series, its totals. Totals are merged from the bins if
 * possible, in one statement if the bins are certainly few and read only once.
 */
import type { Merge, Plan, PlannedTable } from '../planner/plan.ts';
import type { Session } from '../store/session.ts';
import {
  aggregatedCountSql,
  type Computed,
  compute,
  isShort,
  materialize,
  numberedSql,
  readCount,
  readDirectly,
  rowCountSql,
  rowsSql,
} from './resultTable.ts';
import type { Part } from './shapes.ts';
import { jsonSql } from './slices.ts';

interface TableParts {
  readonly table: PlannedTable;
  readonly parts: readonly Part[];
}

/** Computes the tables of a plan. `readAgain`: whether the legacy series or the cursors read the rows again. */
export async function computeTables(
  session: Session,
  { main, totals, merges }: Plan,
  partsOf: (table: PlannedTable) => readonly Part[],
  readAgain: boolean,
): Promise<readonly Computed[]> {
  const rows = { table: main, parts: partsOf(main) };
  if (totals === undefined) return [await computeRows(session, rows, readAgain)];
  const wanted = { table: totals, parts: partsOf(totals) };
  if (merges === undefined) {
    const shown = await computeRows(session, rows, readAgain);
    return [shown, await computeTotals(session, wanted)];
  }
  return isShort(main) && !readAgain
    ? computeMergedInOneStatement(session, rows, wanted, merges)
    : computeMerged(session, rows, wanted, merges);
}

function computeRows(
  session: Session,
  { table, parts }: TableParts,
  readAgain: boolean,
): Promise<Computed> {
  return (readAgain ? materialize : compute)(session, 'main', table, parts);
}

function computeTotals(session: Session, { table, parts }: TableParts): Promise<Computed> {
  return compute(session, 'totals', table, parts);
}

/** Stores the bins in a table, and merges the totals from it unless a sum in a bin is null. */
async function computeMerged(
  session: Session,
  bins: TableParts,
  totals: TableParts,
  merges: readonly Merge[],
): Promise<readonly Computed[]> {
  const shown = await materialize(session, 'main', bins.table, bins.parts);
  const { rows } = shown;
  const sums = merges.some(({ by }) => by === 'sum');
  if (
    sums &&
    (await readCount(session, `${rowCountSql(rows)} WHERE ${sumsMissingSql(merges)}`)) > 0
  ) {
    return [shown, await computeTotals(session, totals)];
  }
  const sql = `SELECT ${mergedItemsSql(merges, bins.table)} FROM ${rows}`;
  return [shown, await readDirectly(session, sql, totals.table, totals.parts)];
}

/** Reads few bins and merges their totals in one statement. If a bin's sum is null, computes the totals separately. */
async function computeMergedInOneStatement(
  session: Session,
  bins: TableParts,
  totals: TableParts,
  merges: readonly Merge[],
): Promise<readonly Computed[]> {
  const jsonItems = bins.parts.map((part, i) => `${jsonSql(part)} AS part${i}`);
  const aggregates = `count(*) AS bins, ${aggregatedCountSql(bins.table)} AS aggregated, coalesce(bool_or(${sumsMissingSql(merges)}), false) AS missing`;
  const read = ['bins', 'aggregated', 'missing', ...jsonItems.map((_, i) => `part${i}`)];
  const totalItems = totals.parts.map(({ row }) => `encode(${row})`);
  const items = [aggregates, ...jsonItems, mergedItemsSql(merges, bins.table)].join(', ');
  const [row] = await session.rows<[bigint, bigint | null, boolean, ...Uint8Array[]]>(
    `SELECT ${[...read, ...totalItems].join(', ')}
FROM (SELECT ${items}
FROM ${numberedSql(rowsSql(bins.table))})`,
  );
  const [count, aggregated, missing, ...first] = row!;
  const shown: Computed = {
    ...bins,
    count: Number(count),
    isCut: false,
    first: first.slice(0, jsonItems.length),
    ...(aggregated === null ? {} : { aggregated: Number(aggregated) }),
  };
  const merged = { ...totals, count: 1, isCut: false, first: first.slice(jsonItems.length) };
  return [shown, missing ? await computeTotals(session, totals) : merged];
}

/** Returns SQL that tests for null sums. An integer sum may exceed 64 bits in a bin, although the total fits. */
function sumsMissingSql(merges: readonly Merge[]): string {
  const tests = merges.flatMap(({ column, by }) => (by === 'sum' ? [`c${column} IS NULL`] : []));
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

/** Returns the totals as aggregates of the bins, named as the parts of the totals use them. */
function mergedItemsSql(merges: readonly Merge[], { columns }: PlannedTable): string {
  const items = merges.map(({ column, by }, i) => {
    const c = `c${column}`;
    if (by === 'min' || by === 'max') return `${by}(${c}) AS c${i}`;
    const sum = `coalesce(sum(${c}), 0)`;
    const isFloat = columns[column]!.type === 'float';
    return `${isFloat ? sum : `TRY_CAST(${sum} AS BIGINT)`} AS c${i}`;
  });
  return items.join(', ');
}
