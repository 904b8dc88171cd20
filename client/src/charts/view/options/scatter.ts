/** ECharts options for points by two numbers, or by time and number. */
import type { ScatterData } from '../../../../../table/src/chart/chart.ts';
import {
  axisStyle,
  baseOption,
  type Drawing,
  gridStyle,
  inert,
  inkOfKey,
  numberAxis,
  type Option,
  splitsOf,
  visibleOf,
} from './drawing.ts';

const symbols = ['circle', 'rect', 'triangle', 'diamond'] as const;
/** The number of points from which ECharts draws them in bulk, with one shape for all. */
const largeFrom = 5_000;

export function scatterOption(data: ScatterData, drawing: Drawing): Option {
  const { theme, slots } = drawing;
  const nameStyle = { nameLocation: 'middle', nameTextStyle: { color: theme.dim } };
  return {
    ...baseOption(drawing),
    grid: { ...gridStyle, right: 16, top: 8, bottom: 2, outerBoundsContain: 'all' },
    xAxis: {
      // Omit the name of a time axis, because its labels are self-explanatory.
      ...(data.x.isTime
        ? { ...axisStyle(drawing), type: 'time' }
        : {
            ...numberAxis(drawing, data.x.unit),
            ...nameStyle,
            name: data.x.name,
            nameTruncate: { maxWidth: Math.max(60, drawing.width - 120) },
          }),
      scale: true,
      splitLine: { show: false },
    },
    yAxis: {
      ...numberAxis(drawing, data.y.unit),
      // Write the name along the axis, because the plot is usually wider than high.
      ...nameStyle,
      name: data.y.name,
      nameTruncate: { maxWidth: Math.max(60, drawing.height - 50) },
      scale: true,
      splitNumber: splitsOf(drawing),
    },
    series: visibleOf(data.series, drawing).map((series) => ({
      ...inert,
      id: series.key,
      name: series.name,
      type: 'scatter',
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
