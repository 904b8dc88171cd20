/** Finds text that a spreadsheet would run as a formula, and makes it plain text with an apostrophe in front. */
import type { Output } from '../output.ts';

/** Characters that start a formula in spreadsheets, including full-width ones. */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Signed numbers, timespans such as `-00:05:00` and `-1m30s`, and a lone sign. They name no function and no cell. */
const harmless = /^[+-]?(?:[\d.:]*(?:[eE][+-]?\d+)?|(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+)$/;

function isFormula(text: string): boolean {
  return formula.test(text) && !harmless.test(text);
}

/** Returns a function that puts an apostrophe in front of formulas and counts them. Does nothing if `on` is false. */
export function formulaGuard(on: boolean, output: Output): (text: string) => string {
  if (!on) return (text) => text;
  return (text) => {
    if (!isFormula(text)) return text;
    output.notices.add('guardedFormulas');
    return `'${text}`;
  };
}

/**
 * Returns the same guard for a cell copied without quotation marks. Spreadsheets split such a cell at tabs and line
 * breaks, and remove quotation marks around the parts.
 */
export function bareFormulaGuard(on: boolean, output: Output): (text: string) => string {
  if (!on) return (text) => text;
  return (text) => {
    const guarded = text.replace(/[^\t\r\n]+/g, (part) =>
      isFormula(part.replace(/^"+/, '')) ? `'${part}` : part,
    );
    if (guarded !== text) output.notices.add('guardedFormulas');
    return guarded;
  };
}
