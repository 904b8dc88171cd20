/** Writes rows as a `datatable`, a table within a query. Every value is written as a literal of its column's type. */
import { QUERY_TEXT_LENGTH_MAX } from '../../../../api/src/plain.ts';
import type { RowSource } from '../../rowSource.ts';
import { type ColumnKind, columnKinds } from '../columnKinds.ts';
import { ExportError } from '../exportError.ts';
import { eachRow, type Output, writeRows } from '../output.ts';
import { uniqueNames } from '../uniqueNames.ts';
import {
  aplDatetime,
  aplDynamic,
  aplName,
  aplNumber,
  aplString,
  aplTimespan,
  isDynamicLiteral,
} from './literals.ts';

interface LiteralType {
  readonly name: string;
  readonly literal: (text: string, source: RowSource, row: number, column: number) => string;
}

const dynamic: LiteralType = {
  name: 'dynamic',
  literal: (text, source, row, column) => {
    const cell = source.cell(row, column);
    return aplDynamic(typeof cell === 'string' ? JSON.stringify(cell) : text);
  },
};

const string: LiteralType = { name: 'string', literal: aplString };

const numbers = (name: string, isReal: boolean): LiteralType => ({
  name,
  literal: (text, source, row, column) =>
    aplNumber(source.cell(row, column) as number | bigint, text, isReal),
});

const types: Readonly<Record<ColumnKind, LiteralType>> = {
  boolean: { name: 'bool', literal: (text) => text },
  long: numbers('long', false),
  real: numbers('real', true),
  datetime: { name: 'datetime', literal: aplDatetime },
  timespan: { name: 'timespan', literal: aplTimespan },
  string,
  dynamic,
  mixed: dynamic,
  inexact: string,
};

export async function writeDatatable(source: RowSource, output: Output): Promise<void> {
  if (source.columns.length === 0) throw new ExportError('The result has no columns.');
  const kinds = await literalKinds(source, output);
  const written = kinds.map((kind) => types[kind]);
  output.notices.add('inexactColumns', kinds.filter((kind) => kind === 'inexact').length);

  const declarations = uniqueNames(source, output).map(
    (name, column) => `${aplName(name)}: ${written[column]?.name}`,
  );
  output.text(`datatable (${declarations.join(', ')}) [`);
  await writeRows(source, output, {
    open: (row) => (row === 0 ? '\n  ' : ',\n  '),
    cell: (row, column) => {
      const { name, literal } = written[column] as LiteralType;
      const text = source.text(row, column);
      const value = text === null ? `${name}(null)` : literal(text, source, row, column);
      return column === 0 ? value : `, ${value}`;
    },
    close: '',
  });
  output.text(source.rowCount === 0 ? ']' : '\n]');
  if (output.length > QUERY_TEXT_LENGTH_MAX) output.notices.add('longQuery');
}

/** Returns the column kinds. A dynamic column becomes a string column if one of its values has no literal. */
async function literalKinds(source: RowSource, output: Output): Promise<ColumnKind[]> {
  const kinds = await columnKinds(source, output);
  const dynamics = [...kinds.keys()].filter(
    (column) => types[kinds[column] as ColumnKind] === dynamic,
  );
  if (dynamics.length === 0) return kinds;
  await eachRow(source, output, (row) => {
    for (const column of dynamics)
      if (!isDynamicLiteral(source.cell(row, column))) kinds[column] = 'inexact';
  });
  return kinds;
}
