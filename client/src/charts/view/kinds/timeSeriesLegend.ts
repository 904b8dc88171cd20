/** The legend of a time series: its figures, and how they differ from those of an earlier span. */
import type { ChartSeries, TimeSeriesData } from '../../chart.ts';
import type { ComparedSeries } from '../../compare.ts';
import { columnNumber, shortNumber } from '../format.ts';
import { type Drawing, inkOfKey } from '../options/drawing.ts';
import type { Legend, LegendCell, LegendRow } from './drawn.ts';
import type { Comparison } from './timeSeries.ts';

export function timeSeriesLegend(
  { series: all }: TimeSeriesData,
  drawing: Drawing,
  comparison: Comparison | undefined,
): Legend {
  const known = new Set(all.map(({ key }) => key));
  const ended = (comparison?.series ?? []).filter(({ key }) => !known.has(key));
  const row = (series: ChartSeries, figures: readonly LegendCell[]): LegendRow => {
    const { key, name, unit, origin, folded } = series;
    const { color, dash } = inkOfKey(series, drawing);
    const compared = comparison?.compared.get(key);
    return {
      key,
      name,
      color,
      dash: dash !== 'solid',
      cells: [
        ...(comparison
          ? [differenceCell(compared, unit), columnNumber(compared?.earlier, unit)]
          : []),
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
      ...ended.map(({ origin: _, ...series }) => row(series, Array(5).fill({ text: '' }))),
    ],
  };
}

function figuresOf({ figures, unit, additive }: ChartSeries): LegendCell[] {
  const { total, average, min, max, last } = figures;
  return [additive ? total : undefined, average, min, max, last].map((text) =>
    columnNumber(text, unit),
  );
}

/** Such as `+12 (+8.5%)`. */
function differenceCell(
  compared: ComparedSeries | undefined,
  unit: string | undefined,
): LegendCell {
  const { difference, share } = compared ?? {};
  if (difference === undefined) return { text: '' };
  const sign = difference.startsWith('-') || Number(difference) === 0 ? '' : '+';
  const percent =
    share === undefined ? '' : ` (${share > 0 ? '+' : ''}${shortNumber(share * 100)}%)`;
  const { text, exact } = columnNumber(difference, unit);
  const around = (number: string) => `${sign}${number}${percent}`;
  return { text: around(text), ...(exact !== undefined && { exact: around(exact) }) };
}
