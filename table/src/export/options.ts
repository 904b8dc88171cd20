/** The export formats' options. Each format lists its options with defaults. */
import { ExportError } from './exportError.ts';

export interface ExportOptions {
  /** The character between values. */
  readonly delimiter: string;
  /** Write column names first. */
  readonly header: boolean;
  /** Start with a byte order mark, so that Excel recognizes UTF-8. */
  readonly byteOrderMark: boolean;
  readonly nullText: string;
  /** Put an apostrophe in front of text that a spreadsheet would run as a formula. This changes the exported text. */
  readonly guardFormulas: boolean;
}

export const defaultOptions: ExportOptions = {
  delimiter: ',',
  header: true,
  byteOrderMark: false,
  nullText: '',
  guardFormulas: true,
};

/** Returns options from a setting or a form. Options in `names` are validated; all others have their defaults. */
export function readOptions(
  given: Readonly<Record<string, unknown>>,
  names: readonly (keyof ExportOptions)[],
  defaults: ExportOptions,
): ExportOptions {
  const read: Record<string, unknown> = { ...defaults };
  for (const name of names) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) continue;
    if (typeof value !== typeof defaults[name])
      throw new ExportError(`The export option ${name} must be a ${typeof defaults[name]}.`);
    read[name] = value;
  }
  const options = read as unknown as ExportOptions;
  if ([...options.delimiter].length !== 1 || /["\r\n]/.test(options.delimiter))
    throw new ExportError(
      'The delimiter must be one character other than a quotation mark or a line break.',
    );
  return options;
}
