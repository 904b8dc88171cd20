// Guesses a CSV column's type so that nothing written is lost, such as a leading zero, a plus sign, or digits beyond a
// double or a 64-bit integer. Number-like identifiers stay strings.
import type { CsvValue } from '../../../formats/src/csvValue.ts';
import { fits, NULL_STRINGS } from '../read/convert/csvValues.ts';
import type { ColumnType } from '../settings.ts';

const nulls: ReadonlySet<string> = new Set(NULL_STRINGS);

export function columnType(values: readonly CsvValue[]): ColumnType {
  const texts = values
    .filter(({ text, quoted }) => quoted || !nulls.has(text))
    .map(({ text }) => text);
  if (texts.length === 0) return 'string';
  if (texts.every((text) => fits('boolean', text))) return 'boolean';
  if (texts.every((text) => fits('integer', text))) return 'integer';
  return texts.every((text) => fits('number', text) && keepsDigits(text)) ? 'number' : 'string';
}

/**
 * Returns whether a number keeps its digits: a number without fraction and exponent in a 64-bit integer, any other in a
 * double. Leading and trailing zeros don't count there.
 */
export function keepsDigits(text: string): boolean {
  const match = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?)\d+)?$/.exec(text);
  if (match === null) return false;
  const [, whole = '', fraction, sign] = match;
  // `12e5` is more often a code than a number. Programs write `1.2e+06`.
  if (sign === '' && fraction === undefined) return false;
  if (fraction === undefined && sign === undefined) return text === '-0' || fits('integer', text);
  const digits = (whole + (fraction ?? '')).replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length <= 15) return true;
  if (digits.length > 17) return false;
  const [written = ''] = Math.abs(Number(text)).toPrecision(digits.length).split('e');
  return written.replace('.', '').replace(/^0+/, '').replace(/0+$/, '') === digits;
}
