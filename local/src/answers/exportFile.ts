/** Generates the SQL statement that writes a query's rows to a file. NDJSON values look the same as in answers. */
import { duckdbSql } from '../engines/duckdb/answers.ts';
import type { PlannedTable } from '../planner/plan.ts';
import { quoteName, quoteText } from '../store/sql.ts';
import { rowPart } from './shapes.ts';

interface ExportFormat {
  readonly mediaType: string;
  /** Returns the SELECT list for the query's rows, whose columns are named `c0`, `c1` and so on. */
  readonly select: (table: PlannedTable) => string;
  readonly options: string;
}

export const exportFormats = {
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    select: ({ columns }) => columns.map(({ name }, i) => `c${i} AS ${quoteName(name)}`).join(', '),
    options: 'FORMAT parquet, COMPRESSION zstd',
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    // Each row must be one line, but stored JSON may have line breaks between tokens.
    select: (table) => `translate(${rowPart(table, duckdbSql)}, chr(10) || chr(13), '  ')`,
    // Turn off quoting: JSON has no control characters, so a value can't contain the delimiter.
    options: `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001'`,
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof exportFormats;

export function isExportFormat(name: string): name is ExportFormatName {
  return Object.hasOwn(exportFormats, name);
}

export function exportSql(table: PlannedTable, format: ExportFormatName, path: string): string {
  const { select, options } = exportFormats[format];
  const columns = table.columns.map((_, i) => `c${i}`).join(', ');
  // Omit the hidden columns, which are for paging and counting.
  return `COPY (SELECT ${select(table)} FROM (${table.sql}) AS t(${columns})) TO ${quoteText(path)} (${options})`;
}
