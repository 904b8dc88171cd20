/** A time series' legend: each series' summary values, and how they differ from those over an earlier span. */

import type { ChartSeries, TimeSeriesData } from '../../../../../table/src/chart/chart.ts';
import { shareText } from '../../../../../table/src/numberText.ts';
import { columnNumbers } from '../columnNumbers.ts';
import { type Drawing, inkOfKey } from '../options/drawing.ts';
import { type Legend, type LegendCell, swatchOf } from './drawn.ts';
import type { Comparison } from './timeSeries.ts';

const figureNames = ['total', 'average', 'min', 'max', 'last'] as const;
const figureTitles = ['Total', 'Average', 'Min', 'Max', 'Last'];

export function timeSeriesLegend(
  { series: all }: TimeSeriesData,
  drawing: Drawing,
  comparison: Comparison | undefined,
): Legend {
  const known = new Set(all.map(({ key }) => key));
  // Remove the origins, because they refer to rows of the earlier answer.
  const ended = (comparison?.series ?? []).flatMap(({ origin: _, ...series }) =>
    known.has(series.key) ? [] : [{ ...series, figures: { points: 0 } }],
  );
  const listed: readonly ChartSeries[] = [...all, ...ended];
  const columns = [
    // Put comparisons first, because a narrow legend hides the last columns.
    ...(comparison ? comparedColumns(listed, comparison) : []),
    ...figureNames.map((name) =>
      columnNumbers(
        listed.map(({ figures, additive, unit }) => ({
          text: name === 'total' && !additive ? undefined : figures[name],
          unit,
        })),
      ),
    ),
  ];
  return {
    columns: [...(comparison ? ['Difference', comparison.label] : []), ...figureTitles],
    rows: listed.map((series, at) => {
      const { key, name, origin } = series;
      const cells = columns.map((column) => column[at] as LegendCell);
      return { key, name, ...swatchOf(inkOfKey(series, drawing)), cells, origin };
    }),
  };
}

/** Returns columns with differences, such as `+12 (+8.5%)`, and with earlier values. */
function comparedColumns(listed: readonly ChartSeries[], { compared }: Comparison): LegendCell[][] {
  const column = (name: 'difference' | 'earlier') =>
    columnNumbers(listed.map(({ key, unit }) => ({ text: compared.get(key)?.[name], unit })));
  const differences = column('difference').map(({ text, exact }, at): LegendCell => {
    const { difference, share } = compared.get((listed[at] as ChartSeries).key) ?? {};
    if (difference === undefined) return { text: '' };
    const sign = difference.startsWith('-') || Number(difference) === 0 ? '' : '+';
    const percent = share === undefined ? '' : ` (${share > 0 ? '+' : ''}${shareText(share)})`;
    const around = (number: string) => `${sign}${number}${percent}`;
    return { text: around(text), ...(exact !== undefined && { exact: around(exact) }) };
  });
  return [differences, column('earlier')];
}
