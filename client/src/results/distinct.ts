// The values of a result's columns that have few different ones: what completion offers where a query
// compares a field. Bounded, so that neither a wide nor a long result costs more than a moment.
import type { SeenColumn, SeenValue } from '../../../server/src/protocol.ts';
import type { Cell, QueryResult, ResultTable } from './result.ts';

const rowsMost = 20_000;
const columnsMost = 300;
const valuesMost = 100;
const numbersMost = 50;
const charactersMost = 100;
/** So few different texts are told even where each stands in one row only. */
const textsAlways = 20;

/** The columns of a result's first table whose values are few, each value once in the order it came. */
export function fewValues({ tables, aggregated }: QueryResult): SeenColumn[] {
  const [table] = tables;
  if (table === undefined) return [];
  return table.columns.slice(0, columnsMost).flatMap(({ name }, index) => {
    const found = distinct(table, index);
    if (found === undefined || !isEnumeration(found, aggregated)) return [];
    return [{ name, values: found.values }];
  });
}

interface Distinct {
  readonly values: SeenValue[];
  /** How many cells hold one of them. */
  readonly cells: number;
}

/** The different values of a column; undefined where there are too many, or one that is no plain value. */
function distinct({ values, rowCount }: ResultTable, index: number): Distinct | undefined {
  const found = new Set<SeenValue>();
  const column = values[index] ?? [];
  let cells = 0;
  for (let row = 0; row < Math.min(rowCount, rowsMost); row++) {
    const cell = column[row] ?? null;
    if (cell === null || cell === '') continue;
    if (!isPlain(cell)) return undefined;
    cells++;
    found.add(cell);
    if (found.size > valuesMost) return undefined;
  }
  return { values: [...found], cells };
}

const controls = /\p{Cc}|\u2028|\u2029/u;

/** Whether a cell is a value that a query may write in a few characters of one line. */
function isPlain(cell: Cell): cell is SeenValue {
  if (typeof cell === 'string') return cell.length <= charactersMost && !controls.test(cell);
  return typeof cell === 'boolean' || (typeof cell === 'number' && Number.isInteger(cell));
}

/**
 * Whether the values look like names or codes, and not like measurements or identifiers, of which almost
 * each row has one of its own. The rows of an aggregate are its groups, each different by nature.
 */
function isEnumeration({ values, cells }: Distinct, aggregated: boolean): boolean {
  if (values.length === 0) return false;
  const repeats = (times: number) => aggregated || values.length * times <= cells;
  const hasNumbers = values.some((value) => typeof value === 'number');
  if (hasNumbers) return values.length <= numbersMost && repeats(4);
  return values.length <= textsAlways || repeats(2);
}
