/** Two numbers against each other, or a number over time, point by point. */
import type { ScatterData } from '../../../../../table/src/chart/chart.ts';
import { shortNumber } from '../format.ts';
import { axisStyle, baseOption, type Drawing, inkOfKey, type Option } from './drawing.ts';

const symbols = ['circle', 'rect', 'triangle', 'diamond'] as const;
/** Above this number points are drawn in one piece, without a shape of their own. */
const largeFrom = 5_000;

export function scatterOption(data: ScatterData, drawing: Drawing): Option {
  const { theme, visible, slots } = drawing;
  const style = axisStyle(drawing);
  return {
    ...baseOption(drawing),
    grid: {
      left: 8,
      right: 16,
      top: 8,
      bottom: 2,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    xAxis: {
      type: data.x.isTime ? 'time' : 'value',
      scale: true,
      ...style,
      splitLine: { show: false },
      // A time says by itself what it is.
      ...(!data.x.isTime && {
        name: data.x.name,
        nameLocation: 'middle',
        nameTextStyle: { color: theme.dim },
        nameTruncate: { maxWidth: Math.max(60, drawing.width - 120) },
        axisLabel: {
          ...style.axisLabel,
          formatter: (value: number) => shortNumber(value, data.x.unit),
        },
      }),
    },
    yAxis: {
      type: 'value',
      scale: true,
      ...style,
      splitNumber: Math.max(2, Math.min(5, Math.round(drawing.height / 45))),
      name: data.y.name,
      // Along the axis, since a plot is rather wide than high.
      nameLocation: 'middle',
      nameTextStyle: { color: theme.dim },
      nameTruncate: { maxWidth: Math.max(60, drawing.height - 50) },
      axisLabel: {
        ...style.axisLabel,
        formatter: (value: number) => shortNumber(value, data.y.unit),
      },
    },
    series: data.series
      .filter(({ key }) => visible?.has(key) !== false)
      .map((series) => ({
        id: series.key,
        name: series.name,
        type: 'scatter',
        silent: true,
        emphasis: { disabled: true },
        large: series.points.length > largeFrom,
        largeThreshold: largeFrom,
        symbol: symbols[(slots.get(series.key) ?? 0) % symbols.length],
        symbolSize: 5,
        itemStyle: {
          color: inkOfKey(series, drawing).color,
          opacity: series.points.length > 200 ? 0.7 : 1,
        },
        data: series.points.map((point) => [...point]),
      })),
  };
}
