/** Where the labels of annotations and thresholds are, so that none covers another. The library would not look. */
import type { ChartAnnotation } from '../../marks.ts';
import { cut } from '../format.ts';
import type { Drawing } from './drawing.ts';
import type { AxisRange } from './timeAxis.ts';

/** Pixels of the numbers to the left of the plot, about. */
const axisWidth = 50;
/** Of the width of a character in its height. */
const characterShare = 0.6;
const titleMax = 40;
/** Fewer characters than this say nothing. */
const titleMin = 4;

/** The text that is drawn of a title; the library fills in what is in braces. */
export function shortText(text: string, max = titleMax): string {
  return cut(text, max).replace(/[{}]/g, '');
}

/** By annotation, its title as far as the next one and the edge leave room for it; empty without room. */
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
      const { title } = annotation;
      const fits = room >= Math.min(titleMin, title.length);
      return [annotation, fits ? shortText(title, Math.min(titleMax, room)) : ''];
    }),
  );
}

/** A place along the line of a threshold. */
type ThresholdPlace = `inside${'End' | 'Middle' | 'Start'}${'Top' | 'Bottom'}`;

const along = ['End', 'Middle', 'Start'] as const;

/**
 * By threshold, where its label is: next to each other where their lines are close, and below the line at the top of
 * the plot, where the titles of annotations are. Undefined where there is no room. `top` is the greatest number of the axis.
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
