// Guesses the type of a CSV column so that nothing written is lost: no leading zero, plus sign or digit that a double
// or a 64-bit integer does not hold. What looks like a number and identifies something stays a string.
import type { CsvValue } from '../read/convert/csvRow.ts';
import { fits, NULL_TEXTS } from '../read/convert/csvValues.ts';
import type { ColumnType } from '../settings.ts';

const nulls: ReadonlySet<string> = new Set(NULL_TEXTS);

export function columnType(values: readonly CsvValue[]): ColumnType {
  const texts = values
    .filter(({ text, quoted }) => quoted || !nulls.has(text))
    .map(({ text }) => text);
  if (texts.length === 0) return 'string';
  if (texts.every((text) => fits('boolean', text))) return 'boolean';
  if (texts.every((text) => fits('integer', text))) return 'integer';
  return texts.every((text) => fits('number', text) && keepsDigits(text)) ? 'number' : 'string';
}

/** Whether a double holds a number as it is written; zeros at the end of a fraction are not digits that count. */
export function keepsDigits(text: string): boolean {
  const match = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?)\d+)?$/.exec(text);
  if (match === null) return false;
  const [, whole = '', fraction, sign] = match;
  // `12e5` is more often a code than a number; a program writes `1.2e+06`.
  if (sign === '' && fraction === undefined) return false;
  if (fraction === undefined && sign === undefined) return text === '-0' || fits('integer', text);
  const digits = (whole + (fraction ?? '')).replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length <= 15) return true;
  if (digits.length > 17) return false;
  const [written = ''] = Math.abs(Number(text)).toPrecision(digits.length).split('e');
  return written.replace('.', '').replace(/^0+/, '').replace(/0+$/, '') === digits;
}
