/** Generates the SQL statement that writes a query's rows to a file. NDJSON values look the same as in answers. */
import type { ExportFormat } from '../../answers/exportFormats.ts';
import { rowPart } from '../../answers/shapes.ts';
import type { PlannedTable } from '../../planner/plan.ts';
import { quoteName, quoteText } from '../../store/sql.ts';
import type { AnswerSql } from '../answers.ts';

interface FormatSql {
  /** Returns the SELECT list for the query's rows, whose columns are named `c0`, `c1` and so on. */
  readonly select: (table: PlannedTable, sql: AnswerSql) => string;
  readonly options: string;
}

const formats: Readonly<Record<ExportFormat, FormatSql>> = {
  parquet: {
    select: ({ columns }) => columns.map(({ name }, i) => `c${i} AS ${quoteName(name)}`).join(', '),
    options: 'FORMAT parquet, COMPRESSION zstd',
  },
  ndjson: {
    // Each row must be one line, but stored JSON may have line breaks between tokens.
    select: (table, sql) => `translate(${rowPart(table, sql)}, chr(10) || chr(13), '  ')`,
    // Turn off quoting: JSON has no control characters, so a value can't contain the delimiter.
    options: `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001'`,
  },
};

export function exportSql(
  table: PlannedTable,
  format: ExportFormat,
  path: string,
  sql: AnswerSql,
): string {
  const { select, options } = formats[format];
  const columns = table.columns.map((_, i) => `c${i}`).join(', ');
  // Omit the hidden columns, which are for paging and counting.
  return `COPY (SELECT ${select(table, sql)} FROM (${table.sql}) AS t(${columns})) TO ${quoteText(path)} (${options})`;
}
