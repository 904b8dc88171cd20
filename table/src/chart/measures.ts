/** A chart's measures and points. Each point has a group, a time, and one number per measure. */
import { parseJson } from '../../../api/src/plain.ts';
import type { AnswerField } from '../answer.ts';
import type { Column } from '../columns/column.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import type { Cell } from '../result.ts';
import { columnAt } from '../tableSource.ts';
import type { ChartSeries, MarkOrigin } from './chart.ts';
import { type Combining, combiningOf, partNames, valueForm } from './fields.ts';
import { keyText, shownLabel } from './groups.ts';
import { type Numbers, numbersOf } from './numbers.ts';

/** A column of values, or one part of a column's arrays. */
export interface Measure {
  readonly column: number;
  readonly name: string;
  readonly unit?: string;
  readonly combining: Combining;
  /** How values at the same time are combined. Of several events, the greatest value is drawn. */
  readonly atOneTime: Combining;
  /** Identifies the measure within the answer. */
  readonly key: readonly unknown[];
  readonly numbers: Numbers;
}

export interface Points {
  readonly count: number;
  /** The group number of each point. */
  readonly groups: Int32Array;
  /** The time of each point in milliseconds; `NaN` if it has no time. Absent if the chart has no times. */
  readonly times: Float64Array | undefined;
  readonly measures: readonly Measure[];
  /** The numbers by measure and point; `NaN` if there is no number. */
  readonly values: readonly Float64Array[];
  /** The number of rows or list items without a time or with a non-numeric value. */
  readonly skipped: number;
  readonly grouping: PointGroups;
  exact(point: number, measure: number): number | bigint;
  text(point: number, measure: number): string;
  timeText(point: number): string;
}

export interface PointGroups {
  readonly count: number;
  name(group: number): string;
  key(group: number): readonly unknown[];
  origin(group: number): MarkOrigin | undefined;
}

export function measuresOf(
  table: HeldTable,
  values: readonly number[],
  areEvents = false,
): Measure[] {
  return values.flatMap((index) => {
    const column = columnAt(table, index);
    const field = table.fields[index] as AnswerField;
    const isTimespan = valueForm(field) === 'timespan';
    const combining = combiningOf(field);
    const unit = isTimespan ? 'ns' : field.unit;
    // Names may repeat, so the key includes how many columns to the left have the same name.
    const same = table.fields.slice(0, index).filter(({ name }) => name === field.name).length;
    return partNames(field).map(
      (part, at): Measure => ({
        column: index,
        name: shownLabel(part === undefined ? field.name : `${part} ${field.name}`),
        ...(unit !== undefined && { unit }),
        combining,
        atOneTime: areEvents && combining === 'last' ? 'max' : combining,
        key: [field.name, ...(part === undefined ? [] : [part]), ...(same === 0 ? [] : [same])],
        numbers: numbersOf(column, field, at),
      }),
    );
  });
}

/** Returns the list in a cell; an empty list for null and for other values. */
export function listOf(column: Column, row: number): readonly Cell[] {
  const text = column.text(row);
  if (text === null || !text.startsWith('[')) return [];
  return parseJson(text) as Cell[];
}

/** Names a series by its groups, its measure, or both if the chart has several measures. */
export function seriesName(
  { measures, grouping }: Points,
  group: number,
  measure: number,
  isOnlyMeasure = measures.length === 1,
): string {
  const { name } = measures[measure] as Measure;
  const groups = grouping.name(group);
  if (groups === '') return name;
  return isOnlyMeasure ? groups : `${groups}, ${name}`;
}

/** Returns the key of a group's series, or of the folded series if `group` is undefined. */
export function seriesKey(
  { measures, grouping }: Points,
  group: number | undefined,
  measure: number,
): string {
  const groups = group === undefined ? [{ other: true }] : grouping.key(group);
  return keyText([...(measures[measure] as Measure).key, ...groups]);
}

/** Describes the mark for a group and a measure, or for all folded groups if `group` is undefined. */
export function markOf(
  points: Points,
  group: number | undefined,
  measure: number,
): Pick<ChartSeries, 'key' | 'name' | 'column' | 'unit' | 'origin'> {
  const { column, name, unit } = points.measures[measure] as Measure;
  const origin = group === undefined ? undefined : points.grouping.origin(group);
  const others = points.measures.length > 1 ? `other, ${name}` : 'other';
  return {
    key: seriesKey(points, group, measure),
    name: group === undefined ? others : seriesName(points, group, measure),
    column,
    ...(unit !== undefined && { unit }),
    ...(origin !== undefined && { origin }),
  };
}
