/** What every kind of chart is drawn from. */
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartAnnotation, ChartThreshold } from '../../marks.ts';
import type { Theme } from '../theme.ts';

export type Option = EChartsCoreOption;

export interface Drawing {
  readonly theme: Theme;
  readonly timeZone: 'utc' | 'local';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** By key, the names of the series that are drawn; undefined for all. */
  readonly visible?: ReadonlySet<string>;
  readonly annotations: readonly ChartAnnotation[];
  readonly thresholds: readonly ChartThreshold[];
}

/** What all kinds have in common. Nothing moves by itself, and no series is more than drawn: the page answers the pointer. */
export function baseOption({ theme, timeZone }: Drawing): Option {
  return {
    animation: false,
    useUTC: timeZone === 'utc',
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize - 1, color: theme.text },
  };
}

export function axisStyle({ theme }: Drawing) {
  return {
    axisLine: { lineStyle: { color: theme.dim } },
    axisTick: { lineStyle: { color: theme.dim } },
    axisLabel: { color: theme.text, fontSize: theme.fontSize - 2, hideOverlap: true },
    splitLine: { lineStyle: { color: theme.line } },
  };
}
