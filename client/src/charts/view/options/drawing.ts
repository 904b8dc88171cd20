/** What every kind of chart is drawn from. */
import type { EChartsCoreOption } from 'echarts/core';
import type { ChartAnnotation, ChartThreshold } from '../../marks.ts';
import { shortNumber } from '../format.ts';
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

/** Nothing is animated. */
export function baseOption({ theme, timeZone }: Drawing): Option {
  return {
    animation: false,
    useUTC: timeZone === 'utc',
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize - 1, color: theme.text },
  };
}

/** Series do not react to the pointer: the page does. */
export const inert = { silent: true, emphasis: { disabled: true } } as const;

/** The plot, with room for the labels of its axes. */
export const gridStyle = {
  left: 8,
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
} as const;

/** The series or categories that the legend does not hide. */
export function visibleOf<Item extends { readonly key: string }>(
  all: readonly Item[],
  { visible }: Pick<Drawing, 'visible'>,
): readonly Item[] {
  return visible ? all.filter(({ key }) => visible.has(key)) : all;
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

/** An axis without a line of its own. */
export const noAxisLine = { axisLine: { show: false }, axisTick: { show: false } } as const;

/** The style of an axis of numbers, with labels in their unit. */
export function numberAxis(drawing: Drawing, unit: string | undefined) {
  const style = axisStyle(drawing);
  const formatter = (value: number) => shortNumber(value, unit);
  return { ...style, type: 'value', axisLabel: { ...style.axisLabel, formatter } };
}

/** The number of parts of a vertical axis that have labels. */
export function splitsOf({ height }: Drawing): number {
  return Math.max(2, Math.min(5, Math.round(height / 45)));
}
