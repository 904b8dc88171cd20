/**
 * CSV, TSV and the tab-separated cells of the clipboard, quoted as RFC 4180 says. Null is the chosen text;
 * a string that would read as null is quoted.
 */
import type { RowSource } from '../../store/rowSource.ts';
import type { ExportOptions } from '../options.ts';
import { type Output, writeRows } from '../output.ts';

/** How spreadsheets recognize a formula, full-width characters included. */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export async function writeDelimited(
  source: RowSource,
  options: ExportOptions,
  output: Output,
): Promise<void> {
  const { delimiter, nullText, guardFormulas } = options;
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`);
  const quoted = (text: string) =>
    special.test(text) || text === nullText ? `"${text.replaceAll('"', '""')}"` : text;
  const guarded = (text: string) => {
    if (!guardFormulas || !formula.test(text)) return text;
    output.notices.add('guardedFormulas');
    return `'${text}`;
  };
  const nulls = special.test(nullText) ? `"${nullText.replaceAll('"', '""')}"` : nullText;

  if (options.byteOrderMark) output.text('\uFEFF');
  const { columns } = source;
  if (options.header) {
    output.text(columns.map(({ name }) => quoted(guarded(name))).join(delimiter));
    output.text('\n');
  }
  const isNumber = (row: number, column: number) => {
    const type = typeof source.cell(row, column);
    return type === 'number' || type === 'bigint';
  };
  const value = (row: number, column: number) => {
    const text = source.text(row, column);
    if (text === null) return nulls;
    if (guardFormulas && formula.test(text) && !isNumber(row, column)) return quoted(guarded(text));
    return quoted(text);
  };
  await writeRows(source, output, {
    open: () => '',
    cell: (row, column) => (column === 0 ? '' : delimiter) + value(row, column),
    close: '\n',
  });
}

/** One cell as it is; several with tabs between them, as spreadsheets paste them. */
export async function writeCells(
  source: RowSource,
  options: ExportOptions,
  output: Output,
): Promise<void> {
  const { columns, rowCount } = source;
  if (rowCount === 1 && columns.length === 1) {
    output.text(source.text(0, 0) ?? '');
    output.rows = 1;
    return;
  }
  const quoted = (text: string) =>
    /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  if (options.header) output.text(`${columns.map(({ name }) => quoted(name)).join('\t')}\n`);
  await writeRows(source, output, {
    open: (row) => (row === 0 ? '' : '\n'),
    cell: (row, column) => (column === 0 ? '' : '\t') + quoted(source.text(row, column) ?? ''),
    close: '',
  });
}
