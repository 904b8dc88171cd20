/** Builds a chart's data request, limited to as many series and points as the user can distinguish. */
import type { ChartKind, ChartRequest } from '../../../../table/src/chart/chart.ts';
import { chartRequest, chosenKind } from '../../../../table/src/chart/shape.ts';
import type { ChartContent } from './module.ts';

type Bounds = Pick<ChartRequest, 'maxSeries' | 'maxPoints'>;

const bounds: Readonly<Record<ChartKind, Bounds>> = {
  timeSeries: { maxSeries: 100, maxPoints: 2_000 },
  topList: { maxSeries: 50, maxPoints: 4 },
  pie: { maxSeries: 8, maxPoints: 4 },
  heatmap: { maxSeries: 50, maxPoints: 500 },
  scatter: { maxSeries: 24, maxPoints: 20_000 },
  statistic: { maxSeries: 12, maxPoints: 200 },
  logStream: { maxSeries: 1, maxPoints: 4 },
};

export function requestOf({ shape, choice, timeZone }: ChartContent): ChartRequest {
  return chartRequest(shape, choice, { ...bounds[chosenKind(shape, choice)], timeZone });
}
