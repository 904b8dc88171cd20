/** What every kind of chart is drawn from. */
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartAnnotation, ChartThreshold } from '../../marks.ts';
import { type Ink, inkOf, neutral } from '../palette.ts';
import type { Theme } from '../theme.ts';

export type Option = EChartsCoreOption;

export interface Drawing {
  readonly theme: Theme;
  readonly timeZone: 'utc' | 'local';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The keys of the series that are drawn; undefined for all. */
  readonly visible?: ReadonlySet<string>;
  /** By the keys of series and categories. */
  readonly slots: ReadonlyMap<string, number>;
  readonly annotations: readonly ChartAnnotation[];
  readonly thresholds: readonly ChartThreshold[];
}

/** The size and options that a chart is fitted to. */
export type DrawingPlace = Pick<Drawing, 'theme' | 'width' | 'height'>;

/** What all kinds have in common: nothing is animated, and series do not react to the pointer, which the page does. */
export function baseOption({ theme, timeZone }: Drawing): Option {
  return {
    animation: false,
    useUTC: timeZone === 'utc',
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize - 1, color: theme.text },
  };
}

/** The color of a series or category; gray where others are folded into it. */
export function inkOfKey(
  { key, folded }: { readonly key: string; readonly folded?: number },
  { slots, theme: { brightness } }: Pick<Drawing, 'slots' | 'theme'>,
): Ink {
  return folded === undefined
    ? inkOf(slots.get(key) ?? 0, brightness)
    : { color: neutral[brightness], dash: 'solid' };
}

export function axisStyle({ theme }: Drawing) {
  return {
    axisLine: { lineStyle: { color: theme.dim } },
    axisTick: { lineStyle: { color: theme.dim } },
    axisLabel: { color: theme.text, fontSize: theme.fontSize - 2, hideOverlap: true },
    splitLine: { lineStyle: { color: theme.line } },
  };
}
