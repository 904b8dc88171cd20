/** Results for the tests of the results view, and what its page shows of them. */
import type { Page } from 'playwright-core';
import type { Cell, QueryResult, ResultTable } from '../../../client/src/results/result.ts';

/** A table of columns by name, each with its wire type and its value by row. */
export function table(
  rowCount: number,
  columns: Record<string, [string, (row: number) => Cell]>,
): ResultTable {
  return {
    name: '0',
    rowCount,
    columns: Object.entries(columns).map(([name, [type]]) => ({ name, type })),
    values: Object.values(columns).map(([, cell]) =>
      Array.from({ length: rowCount }, (_, r) => cell(r)),
    ),
  };
}

export const requests = (rowCount: number) =>
  table(rowCount, {
    _time: [
      'datetime',
      (row) => `2026-11-21T09:14:02.${String(118_394_221 - row).padStart(9, '0')}Z`,
    ],
    status: ['integer', (row) => [200, 404, 500][row % 3] ?? 0],
    duration: ['float', (row) => row * 1.25],
    id: ['integer', (row) => 9_007_199_254_740_993n + BigInt(row)],
    'geo.city': ['string', (row) => (row % 4 === 1 ? null : row % 4 === 2 ? '' : 'Lisbon')],
    tags: ['array', (row) => ['a', row]],
  });

export function result(tables: ResultTable[], extra: Partial<QueryResult> = {}): QueryResult {
  return {
    title: 'requests by status',
    query: "['http-logs']",
    deployment: 'Local',
    rangeLabel: 'last 1 hour',
    tables,
    elapsedMicroseconds: 12_300,
    roundTripMilliseconds: 20,
    rowsExamined: 48_213,
    rowsMatched: 48_213,
    aggregated: false,
    isPartial: false,
    notices: [
      {
        severity: 'warning',
        code: 'default_limit_warning',
        message: 'A default limit of 1000 was applied',
      },
    ],
    ...extra,
  };
}

/** The text of a drawn row, its number first. */
export async function cells(page: Page, row: number): Promise<string[]> {
  const handle = page.locator(`.slick-pane .slick-row[data-row="${row}"] .slick-cell`);
  return handle.allTextContents();
}
