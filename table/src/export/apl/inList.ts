/** Writes a column's values as `in (…)`: each value once, in row order, without nulls. */
import { QUERY_TEXT_LENGTH_MAX } from '../../../../api/src/plain.ts';
import type { RowSource, SourceColumn } from '../../rowSource.ts';
import { declaredKind } from '../columnKinds.ts';
import { ExportError } from '../exportError.ts';
import { eachRow, type Output } from '../output.ts';
import { aplDatetime, aplDynamic, aplNumber, aplString, aplTimespan } from './literals.ts';

export async function writeInList(source: RowSource, output: Output): Promise<void> {
  const [column] = source.columns;
  if (column === undefined || source.columns.length > 1)
    throw new ExportError('A list of values needs one column. Select cells of one column.');
  const written = new Set<string>();
  let nulls = 0;
  await eachRow(source, output, (row) => {
    const literal = literalAt(source, row, column);
    output.rows = row + 1;
    if (literal === undefined) nulls++;
    else if (!written.has(literal)) {
      output.text(written.size === 0 ? 'in (' : ', ');
      output.text(literal);
      written.add(literal);
    }
  });
  if (written.size === 0)
    throw new ExportError('The cells have no values for a list: all of them are null.');
  output.text(')');
  output.notices.add('leftOutNulls', nulls);
  if (output.length > QUERY_TEXT_LENGTH_MAX) output.notices.add('longQuery');
}

/** Returns the literal of the value in a row's first column; undefined for null. */
function literalAt(source: RowSource, row: number, column: SourceColumn): string | undefined {
  const cell = source.cell(row, 0);
  const text = source.text(row, 0);
  if (cell === null || text === null) return undefined;
  const declared = declaredKind(column);
  switch (typeof cell) {
    case 'string':
      if (declared === 'datetime') return aplDatetime(cell);
      return declared === 'timespan' ? aplTimespan(cell) : aplString(cell);
    case 'number':
    case 'bigint':
      return aplNumber(cell, text, declared === 'real');
    case 'boolean':
      return text;
    default:
      return aplDynamic(text);
  }
}
