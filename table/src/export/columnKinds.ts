/**
 * Finds each column's type by examining all of its values. Formats with typed columns can't rely on the wire type,
 * which may name several types or none.
 */
import type { RowSource, SourceColumn } from '../rowSource.ts';
import { isInt64, significantDigits } from './exactNumbers.ts';
import { eachRow, type Output } from './output.ts';
import { fitsNanoseconds, isTimespan, readInstant } from './timeCells.ts';

/**
 * A type that represents every value of a column exactly. `mixed`: values of several types. `inexact`: numbers that no
 * 64-bit type can represent.
 */
export type ColumnKind =
  | 'boolean'
  | 'long'
  | 'real'
  | 'datetime'
  | 'timespan'
  | 'string'
  | 'dynamic'
  | 'mixed'
  | 'inexact';

const seen = {
  boolean: 1,
  long: 2,
  /** A long that a double can't represent exactly. */
  wideLong: 4,
  real: 8,
  string: 16,
  /** A string in a column of times or durations that is invalid or out of range. */
  otherString: 32,
  structure: 64,
  inexact: 128,
} as const;

/** Returns the kinds of all columns in one pass. Skips string columns, because any value can be written as text. */
export async function columnKinds(source: RowSource, output: Output): Promise<ColumnKind[]> {
  const { columns } = source;
  const declared = columns.map(declaredKind);
  const found = new Uint8Array(columns.length);
  const checked = [...columns.keys()].filter((column) => columns[column]?.type !== 'string');
  await eachRow(source, output, (row) => {
    for (const column of checked)
      found[column] =
        (found[column] as number) | classOf(source, row, column, declared[column] as ColumnKind);
  });
  return declared.map((kind, column) => kindOf(found[column] as number, kind));
}

function kindOf(found: number, declared: ColumnKind): ColumnKind {
  const has = (what: number) => (found & what) !== 0;
  if (found === 0) return declared;
  if (has(seen.inexact)) return 'inexact';
  switch (found & ~(seen.wideLong | seen.otherString)) {
    case seen.boolean:
      return 'boolean';
    case seen.long:
      return declared === 'real' && !has(seen.wideLong) ? 'real' : 'long';
    case seen.real:
      return 'real';
    case seen.long | seen.real:
      return has(seen.wideLong) ? 'mixed' : 'real';
    case seen.string:
      return isTime(declared) && !has(seen.otherString) ? declared : 'string';
    case seen.structure:
      return 'dynamic';
    default:
      return 'mixed';
  }
}

function isTime(kind: ColumnKind): boolean {
  return kind === 'datetime' || kind === 'timespan';
}

/** A number of significant digits that exceeds the shortest text of any double. */
const longNumber = 18;

function classOf(source: RowSource, row: number, column: number, declared: ColumnKind): number {
  const cell = source.cell(row, column);
  switch (typeof cell) {
    case 'boolean':
      return seen.boolean;
    case 'bigint':
      if (!isInt64(cell)) return seen.inexact;
      return BigInt(Number(cell)) === cell ? seen.long : seen.long | seen.wideLong;
    case 'number':
      if (Number.isSafeInteger(cell) && !Object.is(cell, -0)) return seen.long;
      return isExactDouble(source.text(row, column) ?? '', cell) ? seen.real : seen.inexact;
    case 'string':
      if (!isTime(declared)) return seen.string;
      return isOfKind(cell, declared) ? seen.string : seen.string | seen.otherString;
    default:
      return cell === null || cell === undefined ? 0 : seen.structure;
  }
}

/** Whether a double preserves the number in its source text, judged by the number of digits. */
function isExactDouble(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return !/\d/.test(text);
  return text.length < longNumber || significantDigits(text) < longNumber;
}

function isOfKind(text: string, kind: ColumnKind): boolean {
  if (kind === 'timespan') return isTimespan(text);
  const instant = readInstant(text);
  return instant !== undefined && fitsNanoseconds(instant);
}

/** Column kinds by wire type or by APL type name. */
const declaredKinds: Readonly<Record<string, ColumnKind>> = {
  integer: 'long',
  int: 'long',
  long: 'long',
  float: 'real',
  float64: 'real',
  double: 'real',
  real: 'real',
  boolean: 'boolean',
  bool: 'boolean',
  datetime: 'datetime',
  timestamp: 'datetime',
  date: 'datetime',
  timespan: 'timespan',
  time: 'timespan',
  unknown: 'dynamic',
  dynamic: 'dynamic',
  array: 'dynamic',
  map: 'dynamic',
  dictionary: 'dynamic',
};

/** Returns the kind for a column's wire type; `string` if it names several types or an unknown type. */
export function declaredKind({ type }: SourceColumn): ColumnKind {
  return Object.hasOwn(declaredKinds, type) ? (declaredKinds[type] as ColumnKind) : 'string';
}
