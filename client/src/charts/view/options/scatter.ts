/** Two numbers against each other, or a number over time, point by point. */
import type { ScatterData } from '../../chart.ts';
import { shortNumber } from '../format.ts';
import { inkOf, neutral } from '../palette.ts';
import { axisStyle, baseOption, type Drawing, type Option } from './drawing.ts';

const symbols = ['circle', 'rect', 'triangle', 'diamond'] as const;
/** Above this number points are drawn in one piece, without a shape of their own. */
const largeFrom = 5_000;

export function scatterOption(data: ScatterData, drawing: Drawing): Option {
  const { theme, visible } = drawing;
  const style = axisStyle(drawing);
  return {
    ...baseOption(drawing),
    grid: {
      left: 8,
      right: 24,
      top: 24,
      bottom: 24,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    xAxis: {
      type: data.x.isTime ? 'time' : 'value',
      scale: true,
      ...style,
      splitLine: { show: false },
      name: data.x.name,
      nameLocation: 'middle',
      nameGap: 24,
      nameTextStyle: { color: theme.dim },
      ...(!data.x.isTime && {
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
      name: data.y.name,
      nameTextStyle: { color: theme.dim, align: 'left' },
      axisLabel: {
        ...style.axisLabel,
        formatter: (value: number) => shortNumber(value, data.y.unit),
      },
    },
    series: data.series
      .map((series, index) => ({ series, index }))
      .filter(({ series }) => visible?.has(series.key) !== false)
      .map(({ series, index }) => ({
        id: series.key,
        name: series.name,
        type: 'scatter',
        silent: true,
        emphasis: { disabled: true },
        large: series.points.length > largeFrom,
        largeThreshold: largeFrom,
        symbol: symbols[index % symbols.length],
        symbolSize: 5,
        itemStyle: {
          color:
            series.folded === undefined
              ? inkOf(index, theme.brightness).color
              : neutral[theme.brightness],
          opacity: series.points.length > 200 ? 0.7 : 1,
        },
        data: series.points.map((point) => [...point]),
      })),
  };
}
