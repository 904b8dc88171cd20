/**
 * Computes the tables of an answer: the rows and, for a time series, the totals. Totals are merged from the time bins
 * if possible.
 */
import { rowsSql } from '../../answers/shapes.ts';
import type { Merge, PlannedTable } from '../../planner/plan.ts';
import type { TableParts, TablesToCompute } from '../answers.ts';
import type { Session } from './database/session.ts';
import {
  aggregatedCountSql,
  compute,
  type DuckDBRows,
  isShort,
  materialize,
  numberedSql,
  readCount,
  readDirectly,
  rowCountSql,
} from './resultTable.ts';
import { jsonSql } from './slices.ts';

export async function computeTables(
  session: Session,
  { main, totals, merges, readAgain }: TablesToCompute,
): Promise<readonly DuckDBRows[]> {
  const computeMain = () => (readAgain ? materialize : compute)(session, 'main', main);
  if (totals === undefined) return [await computeMain()];
  if (merges === undefined) {
    return [await computeMain(), await compute(session, 'totals', totals)];
  }
  return isShort(main.table) && !readAgain
    ? computeMergedInOneStatement(session, main, totals, merges)
    : computeMerged(session, main, totals, merges);
}

/** Computes the bins, and merges the totals from them. If a bin's sum is null, computes the totals separately. */
async function computeMerged(
  session: Session,
  bins: TableParts,
  totals: TableParts,
  merges: readonly Merge[],
): Promise<readonly DuckDBRows[]> {
  const shown = await materialize(session, 'main', bins);
  const missingSql = `${rowCountSql(shown.rows)} WHERE ${sumsMissingSql(merges)}`;
  const hasSums = merges.some(({ by }) => by === 'sum');
  if (hasSums && (await readCount(session, missingSql)) > 0) {
    return [shown, await compute(session, 'totals', totals)];
  }
  const sql = `SELECT ${mergedItemsSql(merges, bins.table)} FROM ${shown.rows}`;
  return [shown, await readDirectly(session, sql, totals)];
}

async function computeMergedInOneStatement(
  session: Session,
  bins: TableParts,
  totals: TableParts,
  merges: readonly Merge[],
): Promise<readonly DuckDBRows[]> {
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
  const shown: DuckDBRows = {
    ...bins,
    count: Number(count),
    isCut: false,
    first: first.slice(0, jsonItems.length),
    aggregated: aggregated === null ? undefined : Number(aggregated),
  };
  const merged = { ...totals, count: 1, isCut: false, first: first.slice(jsonItems.length) };
  return [shown, missing ? await compute(session, 'totals', totals) : merged];
}

/** Returns a condition for bins without a sum. A bin's integer sum may exceed 64 bits even if the total doesn't. */
function sumsMissingSql(merges: readonly Merge[]): string {
  const tests = merges.flatMap(({ column, by }) => (by === 'sum' ? [`c${column} IS NULL`] : []));
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

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
