/** Answers for the tests of the results page, and access to the displayed cells. */
import type { Page } from 'playwright-core';
import { jsonText } from '../../../table/src/cells.ts';
import type { Cell } from '../../../table/src/result.ts';

export interface SampleTable {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly agg?: object;
  }[];
  /** One array per column. */
  readonly values: readonly (readonly Cell[])[];
  readonly groups?: readonly string[];
  readonly range?: object;
  readonly buckets?: object;
}

export interface Sample {
  readonly title: string;
  readonly tables: readonly SampleTable[];
  /** Units by column name. */
  readonly units: Readonly<Record<string, string>>;
  readonly rowsMatched: number;
  readonly messages: readonly object[];
}

/** Returns a table of columns by name, each with its wire type and its value by row. */
export function table(
  rowCount: number,
  columns: Record<string, [string, (row: number) => Cell]>,
): SampleTable {
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

export function result(tables: SampleTable[], extra: Partial<Sample> = {}): Sample {
  return {
    title: 'requests by status',
    tables,
    units: {},
    rowsMatched: 48_213,
    messages: [
      {
        priority: 'warn',
        code: 'apl_late_data',
        msg: 'Some data arrived late.',
        count: 1,
      },
    ],
    ...extra,
  };
}

/** Returns the body of a response with the sample, with all digits of its numbers. */
export function bodyOf({ tables, units, rowsMatched, messages }: Sample): string {
  return jsonText({
    format: 'tabular',
    status: {
      elapsedTime: 12_300,
      rowsExamined: 48_213,
      rowsMatched,
      minCursor: 'oldest',
      maxCursor: 'newest',
      messages,
    },
    datasetNames: ['http-logs'],
    fieldsMetaMap: {
      'http-logs': Object.entries(units).map(([name, unit]) => ({
        name,
        type: 'float',
        unit,
        hidden: false,
        description: '',
      })),
    },
    tables: tables.map(({ name, columns, values, groups = [], range, buckets }) => ({
      name,
      sources: [{ name: 'http-logs' }],
      fields: columns,
      order: [],
      groups: groups.map((group) => ({ name: group })),
      ...(range && { range }),
      ...(buckets && { buckets }),
      columns: values,
    })),
  });
}

/** Returns the text of each cell of a drawn row, starting with the row number. */
export async function cells(page: Page, row: number): Promise<string[]> {
  const handle = page.locator(`.slick-pane .slick-row[data-row="${row}"] .slick-cell`);
  return handle.allTextContents();
}
