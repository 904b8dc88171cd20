/**
 * Writes CSV, TSV and tab-separated cells, quoted as in RFC 4180. In CSV and TSV, strings equal to the chosen text for
 * null are quoted.
 */
import type { RowSource } from '../../rowSource.ts';
import type { ExportOptions } from '../options.ts';
import { type Output, writeRows } from '../output.ts';
import { bareFormulaGuard, formulaGuard } from './formulas.ts';

export async function writeDelimited(
  source: RowSource,
  output: Output,
  options: ExportOptions,
): Promise<void> {
  const { delimiter, nullText, guardFormulas } = options;
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`);
  const quoted = (text: string) =>
    special.test(text) || text === nullText ? `"${text.replaceAll('"', '""')}"` : text;
  const guarded = formulaGuard(guardFormulas, output);
  const nulls = special.test(nullText) ? `"${nullText.replaceAll('"', '""')}"` : nullText;

  if (options.byteOrderMark) output.text('\uFEFF');
  const { columns } = source;
  if (options.header) {
    output.text(columns.map(({ name }) => quoted(guarded(name))).join(delimiter));
    output.text('\n');
  }
  const value = (row: number, column: number) => {
    const text = source.text(row, column);
    return text === null ? nulls : quoted(guarded(text));
  };
  await writeRows(source, output, {
    open: () => '',
    cell: (row, column) => (column === 0 ? '' : delimiter) + value(row, column),
    close: '\n',
  });
}

/**
 * Writes cells separated by tabs, as spreadsheets expect them on the clipboard. A single cell is written without
 * quotation marks.
 */
export async function writeCells(
  source: RowSource,
  output: Output,
  options: ExportOptions,
): Promise<void> {
  const { columns, rowCount } = source;
  if (rowCount === 1 && columns.length === 1) {
    const bare = bareFormulaGuard(options.guardFormulas, output);
    output.text(bare(source.text(0, 0) ?? ''));
    output.rows = 1;
    return;
  }
  const guarded = formulaGuard(options.guardFormulas, output);
  const quoted = (given: string) => {
    const text = guarded(given);
    return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  if (options.header) output.text(`${columns.map(({ name }) => quoted(name)).join('\t')}\n`);
  await writeRows(source, output, {
    open: (row) => (row === 0 ? '' : '\n'),
    cell: (row, column) => (column === 0 ? '' : '\t') + quoted(source.text(row, column) ?? ''),
    close: '',
  });
}
