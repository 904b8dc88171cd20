/**
 * The statement that writes the rows of a query to a file. Parquet keeps the types of DuckDB; NDJSON has the values as
 * answers and ingest have them.
 */
import type { PlannedTable } from '../planner/plan.ts';
import { quoteName, quoteText } from '../store/sql.ts';
import { rowPart } from './shapes.ts';

interface ExportFormat {
  readonly mediaType: string;
  /** What is selected of the columns `c0` and so on. */
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
    // Stored JSON may have line breaks between its tokens; in its strings they are escaped.
    select: (table) => `translate(${rowPart(table)}, chr(10) || chr(13), '  ')`,
    // Text as it is: JSON has no control characters, so it contains no delimiter.
    options: `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001'`,
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof exportFormats;

export function isExportFormat(name: string): name is ExportFormatName {
  return Object.hasOwn(exportFormats, name);
}

/** Writes all rows of `table` to a file at `path`. */
export function exportSql(table: PlannedTable, format: ExportFormatName, path: string): string {
  const { select, options } = exportFormats[format];
  const columns = table.columns.map((_, i) => `c${i}`).join(', ');
  // The columns that follow are for paging and counting.
  return `COPY (SELECT ${select(table)} FROM (${table.sql}) AS t(${columns})) TO ${quoteText(path)} (${options})`;
}
