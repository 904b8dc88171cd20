/** Formats a legend column's numbers with equal decimals, so that they can be compared at a glance. */
import { decimalsOf, groupedNumber, roundedNumber } from '../../../../table/src/numberText.ts';
import { scaledTo } from '../../webview/page/units.ts';
import { shortNumber } from './format.ts';
import type { LegendCell } from './kinds/drawn.ts';

interface ColumnValue {
  /** The value as exact text; absent if there is no value. */
  readonly text?: string | undefined;
  readonly unit?: string | undefined;
}

interface Part {
  readonly text: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** The number of significant digits to keep for the smallest number. */
const significantDigits = 4;
/** The maximum number of decimals for columns with small numbers, and for other columns. */
const [smallDecimalsMax, decimalsMax] = [6, 2];

/**
 * Formats a column. Numbers with the same unit prefix get equal decimals. `exact` is set if it differs from the text.
 */
export function columnNumbers(values: readonly ColumnValue[]): LegendCell[] {
  const parts = values.map(partOf);
  const decimals = new Map<string, number>();
  for (const { suffix } of parts.flatMap((part) => part ?? []))
    if (!decimals.has(suffix))
      decimals.set(
        suffix,
        commonDecimals(parts.flatMap((part) => (part?.suffix === suffix ? part.text : []))),
      );
  return parts.map((part, at): LegendCell => {
    const { text = '', unit } = values[at] as ColumnValue;
    if (part === undefined) return { text: '' };
    const { prefix, suffix } = part;
    const shown = `${prefix}${withDecimals(part.text, decimals.get(suffix) ?? 0)}${suffix}`;
    const exact = `${groupedNumber(text)}${unit === undefined ? '' : ` ${unit}`}`;
    return exact === shown ? { text: shown } : { text: shown, exact };
  });
}

function partOf({ text, unit }: ColumnValue): Part | undefined {
  if (text === undefined) return undefined;
  const scaled = unit === undefined ? undefined : scaledTo(text, unit);
  if (scaled !== undefined) return { ...scaled, text: roundedNumber(String(scaled.value)) };
  return { text: roundedNumber(text), prefix: '', suffix: unit === undefined ? '' : ` ${unit}` };
}

function commonDecimals(texts: readonly string[]): number {
  const needed = Math.max(0, ...texts.map(decimalsOf));
  const sizes = texts.map((text) => Math.abs(Number(text))).filter((size) => size > 0);
  if (needed === 0 || sizes.length === 0) return 0;
  const [least, greatest] = [Math.min(...sizes), Math.max(...sizes)];
  const max = least < 1 && greatest < 1_000 ? smallDecimalsMax : decimalsMax;
  const wanted = significantDigits - 1 - Math.floor(Math.log10(least));
  let decimals = Math.max(0, Math.min(needed, wanted, max));
  // Remove trailing zeros that all numbers have in common.
  while (decimals > 0 && texts.every((text) => Number(text).toFixed(decimals).endsWith('0')))
    decimals--;
  return decimals;
}

function withDecimals(text: string, decimals: number): string {
  const value = Number(text);
  if (/^-?\d+$/.test(text))
    return `${groupedNumber(text)}${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}`;
  if (!/^-?[\d.]+$/.test(text)) return text;
  // A nonzero number would round to zero, so format it with its own digits.
  if (value !== 0 && Math.abs(value) < 0.5 / 10 ** decimals) return shortNumber(value);
  return groupedNumber(value.toFixed(decimals));
}
