/** The legend of a time series: its figures, and how they differ from those of an earlier span. */
import type { ChartSeries, TimeSeriesData } from '../../chart.ts';
import type { ComparedSeries } from '../../compare.ts';
import { exactNumber, shortNumber } from '../format.ts';
import { type Drawing, inkOfKey } from '../options/drawing.ts';
import type { TimeSeriesLook } from '../options/timeSeries.ts';
import type { Legend, LegendRow } from './drawn.ts';
import type { Comparison } from './timeSeries.ts';

export function timeSeriesLegend(
  { series: all }: TimeSeriesData,
  { style }: TimeSeriesLook,
  drawing: Drawing,
  comparison: Comparison | undefined,
): Legend {
  const known = new Set(all.map(({ key }) => key));
  const ended = (comparison?.series ?? []).filter(({ key }) => !known.has(key));
  const row = (series: ChartSeries, figures: readonly string[]): LegendRow => {
    const { key, name, unit, origin, folded } = series;
    const { color, dash } = inkOfKey(series, drawing);
    const compared = comparison?.compared.get(key);
    return {
      key,
      name,
      color,
      dash: style !== 'bars' && dash !== 'solid',
      cells: [
        ...(comparison ? [differenceText(compared, unit), cell(compared?.earlier, unit)] : []),
        ...figures,
      ],
      ...(origin && { origin }),
      ...(folded !== undefined && { folded }),
    };
  };
  return {
    // What is compared comes first: a narrow legend cuts off the last columns.
    columns: [
      ...(comparison ? ['Difference', comparison.label] : []),
      'Total',
      'Average',
      'Min',
      'Max',
      'Last',
    ],
    rows: [
      ...all.map((series) => row(series, figuresOf(series))),
      // An origin is a row of the answer that it comes from, so those of the earlier one name none here.
      ...ended.map(({ origin: _, ...series }) => row(series, ['', '', '', '', ''])),
    ],
  };
}

function figuresOf({ figures, unit, additive }: ChartSeries): string[] {
  const { total, average, min, max, last } = figures;
  return [
    cell(additive ? total : undefined, unit),
    average === undefined ? '' : shortNumber(Number(average), unit),
    ...[min, max, last].map((text) => cell(text, unit)),
  ];
}

function cell(text: string | undefined, unit: string | undefined): string {
  return text === undefined ? '' : exactNumber(text, unit);
}

function differenceText(compared: ComparedSeries | undefined, unit: string | undefined): string {
  if (compared?.difference === undefined) return '';
  const sign = compared.difference.startsWith('-') || Number(compared.difference) === 0 ? '' : '+';
  const share =
    compared.share === undefined || !Number.isFinite(compared.share)
      ? ''
      : ` (${compared.share > 0 ? '+' : ''}${shortNumber(compared.share * 100)}%)`;
  return `${sign}${exactNumber(compared.difference, unit)}${share}`;
}
