/**
 * Writes JSON and NDJSON with one object per row. Objects are written as text, so that columns can have any name and
 * numbers keep all digits.
 */
import type { RowSource } from '../../rowSource.ts';
import { type Output, writeRows } from '../output.ts';
import { uniqueNames } from '../uniqueNames.ts';

export async function writeJson(source: RowSource, output: Output): Promise<void> {
  output.text('[');
  await writeRows(source, output, {
    open: (row) => (row === 0 ? '\n{' : ',\n{'),
    cell: member(source, output),
    close: '}',
  });
  output.text('\n]\n');
}

export async function writeNdjson(source: RowSource, output: Output): Promise<void> {
  await writeRows(source, output, { open: () => '{', cell: member(source, output), close: '}\n' });
}

function member(source: RowSource, output: Output): (row: number, column: number) => string {
  const keys = uniqueNames(source, output).map(
    (name, column) => `${column === 0 ? '' : ','}${JSON.stringify(name)}:`,
  );
  return (row, column) => (keys[column] as string) + jsonValue(source, row, column, output);
}

function jsonValue(source: RowSource, row: number, column: number, output: Output): string {
  const cell = source.cell(row, column);
  if (typeof cell === 'string') return JSON.stringify(cell);
  const text = source.text(row, column) ?? 'null';
  if (typeof cell !== 'number' || Number.isFinite(cell) || /\d/.test(text)) return text;
  output.notices.add('notJsonNumbers');
  return JSON.stringify(text);
}
