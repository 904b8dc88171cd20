/** Positions the labels of annotations and thresholds without overlaps, because ECharts doesn't check for them. */
import { shortened, visibleText } from '../../../../../table/src/visibleText.ts';
import type { ChartAnnotation } from '../../marks.ts';
import type { Drawing } from './drawing.ts';
import type { AxisRange } from './timeAxis.ts';

/** The approximate width in pixels of the numbers to the left of the plot. */
const axisWidth = 50;
/** The approximate width of a character, as a share of the font size. */
const characterShare = 0.6;
const titleMax = 40;
/** The minimum length in characters of a shortened title. A title that doesn't fit is omitted. */
const titleMin = 4;

/** Shows invisible characters and shortens a label. Removes braces, because ECharts interprets them as placeholders. */
export function shortText(text: string, max = titleMax): string {
  return shortened(visibleText(text), max).replace(/[{}]/g, '');
}

/** Returns annotation titles, shortened to end before the next annotation or the edge; empty if they don't fit. */
export function fittingTitles(
  annotations: readonly ChartAnnotation[],
  { min = 0, max = 0 }: AxisRange,
  { width, theme }: Drawing,
): ReadonlyMap<ChartAnnotation, string> {
  const character = (theme.fontSize - 2) * characterShare;
  const plotWidth = Math.max(1, width - axisWidth);
  const at = ({ time }: ChartAnnotation) => ((time - min) / Math.max(1, max - min)) * plotWidth;
  const sorted = annotations.toSorted((one, other) => one.time - other.time);
  return new Map(
    sorted.map((annotation, index) => {
      const next = sorted[index + 1];
      const end = next === undefined ? plotWidth : Math.min(plotWidth, at(next));
      const room = Math.floor((end - at(annotation)) / character) - 1;
      const title = visibleText(annotation.title);
      const fits = room >= Math.min(titleMin, title.length);
      return [annotation, fits ? shortText(title, Math.min(titleMax, room)) : ''];
    }),
  );
}

type ThresholdPlace = `inside${'End' | 'Middle' | 'Start'}${'Top' | 'Bottom'}`;

const along = ['End', 'Middle', 'Start'] as const;

/**
 * Returns each threshold's label position; undefined if there is no room. Labels of close lines are side by side. At
 * the top of the plot they are below the line, clear of annotation titles. `top` is the axis's maximum.
 */
export function thresholdPlaces(
  values: readonly number[],
  top: number,
  { height, theme, annotations }: Drawing,
): readonly (ThresholdPlace | undefined)[] {
  const lineHeight = theme.fontSize + 2;
  const pixel = (value: number) => (1 - value / (top || 1)) * height;
  const taken: { readonly y: number; readonly place: number }[] = [];
  return values.map((value) => {
    const isBelow = annotations.length > 0 && pixel(value) < 2 * lineHeight;
    const y = pixel(value) + (isBelow ? lineHeight / 2 : -lineHeight / 2);
    const place = along.findIndex(
      (_, index) =>
        !taken.some((other) => other.place === index && Math.abs(other.y - y) < lineHeight),
    );
    if (place < 0) return undefined;
    taken.push({ y, place });
    return `inside${along[place] as (typeof along)[number]}${isBelow ? 'Bottom' : 'Top'}` as const;
  });
}
