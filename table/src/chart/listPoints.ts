/** Reads points from rows that contain lists: the arrays of `make-series`, and the values and counts of `topk`. */
import { shownText } from '../cells.ts';
import { roomFor } from '../columns/growable.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import { timeOfText, utcText } from '../columns/timeValues.ts';
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { columnAt } from '../tableSource.ts';
import { Groups, shownName } from './groups.ts';
import { listOf, type Measure, measuresOf, type Points } from './measures.ts';
import { numberOf } from './numbers.ts';
import type { Asked } from './points.ts';

class PointList {
  count = 0;
  groups = new Int32Array(0);
  times = new Float64Array(0);
  /** The original row of each point. */
  rows = new Int32Array(0);
  /** The index of each point in its row's list. */
  places = new Int32Array(0);
  readonly values: Float64Array[];
  /** Integers beyond 2^53, which doubles may not represent exactly, by measure and point. */
  readonly #wide: Map<number, bigint>[];

  constructor(measures: number) {
    this.values = Array.from({ length: measures }, () => new Float64Array(0));
    this.#wide = Array.from({ length: measures }, () => new Map());
  }

  add(group: number, time: number, row: number, place: number): number {
    const point = this.count++;
    this.groups = roomFor(this.groups, point);
    this.times = roomFor(this.times, point);
    this.rows = roomFor(this.rows, point);
    this.places = roomFor(this.places, point);
    this.groups[point] = group;
    this.times[point] = time;
    this.rows[point] = row;
    this.places[point] = place;
    return point;
  }

  put(point: number, measure: number, value: number | bigint | undefined): void {
    const values = roomFor(this.values[measure] as Float64Array, point);
    this.values[measure] = values;
    const double = Number(value ?? Number.NaN);
    values[point] = Number.isFinite(double) ? double : Number.NaN;
    if (typeof value === 'bigint') this.#wide[measure]?.set(point, value);
  }

  exact(point: number, measure: number): number | bigint {
    return this.#wide[measure]?.get(point) ?? (this.values[measure]?.[point] as number);
  }
}

/** Reads points from arrays. Each row is a series, with one array of times and one array of numbers per measure. */
export async function arrayPoints(table: HeldTable, asked: Asked, task: LongTask): Promise<Points> {
  const measures = measuresOf(table, asked.values);
  const groups = new Groups(table, asked.groups, asked.timeZone);
  const timeColumn = columnAt(table, asked.time as number);
  const columns = measures.map(({ column }) => columnAt(table, column));
  const points = new PointList(measures.length);
  let skipped = 0;
  for (let shown = 0; shown < table.shownCount; shown++) {
    const row = table.rowAt(shown);
    const group = groups.idOf(row, shown);
    const times = listOf(timeColumn, row);
    const lists = columns.map((column) => listOf(column, row));
    for (let place = 0; place < times.length; place++) {
      const point = points.add(group, timeOfText(times[place]), row, place);
      let isSkipped = Number.isNaN(points.times[point]);
      for (let measure = 0; measure < measures.length; measure++) {
        const cell: Cell | undefined = lists[measure]?.[place];
        const value = numberOf(cell);
        points.put(point, measure, value);
        isSkipped ||= value === undefined && cell !== null && cell !== undefined;
      }
      if (isSkipped) skipped++;
      if ((place & 1023) === 0 && task.due) await task.pause(shown, table.shownCount);
    }
  }
  return {
    ...held(points, measures, skipped),
    times: points.times.subarray(0, points.count),
    grouping: groups,
    timeText(point) {
      const cell = listOf(timeColumn, points.rows[point] as number)[points.places[point] as number];
      return typeof cell === 'string' ? utcText(cell) : '';
    },
  };
}

/** Reads points from `topk` lists. Each value in a list is a group, and its count is the point's number. */
export async function topkPoints(
  table: HeldTable,
  asked: Asked,
  index: number,
  task: LongTask,
): Promise<Points> {
  const measures = measuresOf(table, [index]);
  const rowGroups = new Groups(table, asked.groups, asked.timeZone);
  const column = columnAt(table, index);
  const reader = asked.time === undefined ? undefined : columnAt(table, asked.time).store.times();
  const points = new PointList(1);
  const known = new Map<string, number>();
  const found: { readonly group: number; readonly value: Cell }[] = [];
  let skipped = 0;
  for (let shown = 0; shown < table.shownCount; shown++) {
    const row = table.rowAt(shown);
    const rowGroup = rowGroups.idOf(row, shown);
    const time = reader?.milliseconds(row) ?? 0;
    if (Number.isNaN(time)) skipped++;
    for (const [place, cell] of listOf(column, row).entries()) {
      const { key: value = null, count } = entryOf(cell);
      const text = JSON.stringify([rowGroup, ...keyOf(value)]);
      let group = known.get(text);
      if (group === undefined) {
        group = found.length;
        known.set(text, group);
        found.push({ group: rowGroup, value });
      }
      const point = points.add(group, time, row, place);
      const number = numberOf(count);
      points.put(point, 0, number);
      if (number === undefined) skipped++;
    }
    if (task.due) await task.pause(shown, table.shownCount);
  }
  const foundAt = (group: number) => found[group] as (typeof found)[number];
  return {
    ...held(points, measures, skipped),
    times: reader === undefined ? undefined : points.times.subarray(0, points.count),
    timeText: (point) => reader?.text(points.rows[point] as number) ?? '',
    grouping: {
      count: found.length,
      name(group) {
        const { group: rowGroup, value } = foundAt(group);
        const name = shownName(shownText(value, ''));
        return asked.groups.length === 0 ? name : `${rowGroups.name(rowGroup)}, ${name}`;
      },
      key: (group) => [...rowGroups.key(foundAt(group).group), keyOf(foundAt(group).value)],
      // A value within a list can't be used in a filter, so it has no origin.
      origin: () => undefined,
    },
  };
}

function keyOf(value: Cell): [type: string, text: string | null] {
  return [typeof value, value === null ? null : String(value)];
}

function entryOf(cell: Cell): { readonly key?: Cell; readonly count?: unknown } {
  if (cell === null || typeof cell !== 'object' || Array.isArray(cell)) return {};
  return cell as { key?: Cell; count?: unknown };
}

function held(points: PointList, measures: readonly Measure[], skipped: number) {
  return {
    count: points.count,
    groups: points.groups.subarray(0, points.count),
    measures,
    values: points.values.map((values) => values.subarray(0, points.count)),
    skipped,
    exact: (point: number, measure: number) => points.exact(point, measure),
    text: (point: number, measure: number) => String(points.exact(point, measure)),
  };
}
