/** Inputs, styles and options that all kinds of charts share. */
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartAnnotation, ChartThreshold } from '../../marks.ts';
import { shortNumber } from '../format.ts';
import { type Ink, inkOf, neutral } from '../palette.ts';
import type { Theme } from '../theme.ts';

export type Option = EChartsCoreOption;

export interface Drawing {
  readonly theme: Theme;
  readonly timeZone: 'utc' | 'local';
  /** The plot's size in pixels. */
  readonly width: number;
  readonly height: number;
  /** The keys of the visible series; undefined if all are visible. */
  readonly visible?: ReadonlySet<string>;
  /** Color slots by the key of the series or category. */
  readonly slots: ReadonlyMap<string, number>;
  readonly annotations: readonly ChartAnnotation[];
  readonly thresholds: readonly ChartThreshold[];
}

export type DrawingPlace = Pick<Drawing, 'theme' | 'width' | 'height'>;

export function baseOption({ theme, timeZone }: Drawing): Option {
  return {
    animation: false,
    useUTC: timeZone === 'utc',
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize - 1, color: theme.text },
  };
}

/** Disables ECharts' own pointer handling, because `Pointing` handles the pointer instead. */
export const inert = { silent: true, emphasis: { disabled: true } } as const;

/** The plot's margins. The axis labels fit inside the grid's outer bounds. */
export const gridStyle = {
  left: 8,
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
} as const;

export function visibleOf<Item extends { readonly key: string }>(
  all: readonly Item[],
  { visible }: Pick<Drawing, 'visible'>,
): readonly Item[] {
  return visible ? all.filter(({ key }) => visible.has(key)) : all;
}

/** Returns the color of a series or category, or gray if it combines several. */
export function inkOfKey(
  { key, folded }: { readonly key: string; readonly folded?: number },
  { slots, theme: { brightness } }: Pick<Drawing, 'slots' | 'theme'>,
): Ink {
  return folded === undefined
    ? inkOf(slots.get(key) ?? 0, brightness)
    : { color: neutral[brightness], dash: 'solid' };
}

export function smallText({ theme }: Pick<Drawing, 'theme'>) {
  return { color: theme.text, fontSize: theme.fontSize - 2 };
}

export function axisStyle(drawing: Drawing) {
  const { theme } = drawing;
  return {
    axisLine: { lineStyle: { color: theme.dim } },
    axisTick: { lineStyle: { color: theme.dim } },
    axisLabel: { ...smallText(drawing), hideOverlap: true },
    splitLine: { lineStyle: { color: theme.line } },
  };
}

export const noAxisLine = { axisLine: { show: false }, axisTick: { show: false } } as const;

export function numberAxis(drawing: Drawing, unit: string | undefined) {
  const style = axisStyle(drawing);
  const formatter = (value: number) => shortNumber(value, unit);
  return { ...style, type: 'value', axisLabel: { ...style.axisLabel, formatter } };
}

/** Returns the number of labeled intervals that fit on a vertical axis. */
export function splitsOf({ height }: Drawing): number {
  return Math.max(2, Math.min(5, Math.round(height / 45)));
}
