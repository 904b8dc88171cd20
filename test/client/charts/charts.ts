/** Charts of answers, for tests: decoded, shaped and computed as the client and its worker do. */
import assert from 'node:assert/strict';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import type { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import type {
  CategoriesData,
  ChartChoice,
  ChartData,
  ChartRequest,
  TimeSeriesData,
} from '../../../table/src/chart/chart.ts';
import { chartRequest, chartShape } from '../../../table/src/chart/shape.ts';
import { arrive } from '../store/stores.ts';
import { type BodyColumn, type BodyOptions, bodyWith } from './bodies.ts';

export const bounds = { maxSeries: 20, maxPoints: 2_000, timeZone: 'utc' } as const;

export interface Charted {
  readonly answer: HeldAnswer;
  readonly request: ChartRequest;
  readonly data: ChartData;
}

/** Computes the chart of the first table in a body, for a choice. */
export async function charted(
  store: ResultsStore,
  body: string,
  choice: ChartChoice = {},
  changed: Partial<ChartRequest> = {},
): Promise<Charted> {
  const answer = await arrive(store, body);
  const request = { ...requestFor(answer, choice), ...changed };
  const data = await store.rows('chart', { answer: answer.id, table: 0, ...request });
  return { answer, request, data };
}

/** Charts columns as time series, with the rows in a store. */
export function seriesIn(store: ResultsStore) {
  return async (
    columns: readonly BodyColumn[],
    options: BodyOptions = {},
    choice: ChartChoice = {},
    changed: Partial<ChartRequest> = {},
  ): Promise<TimeSeriesData> => {
    const { data } = await charted(store, bodyWith(columns, options), choice, changed);
    return ofKind(data, 'timeSeries');
  };
}

export function requestFor(answer: HeldAnswer, choice: ChartChoice = {}): ChartRequest {
  const shape = shapeOf(answer);
  const request = chartRequest(shape, choice, bounds);
  assert.ok(shape.kinds.length > 0, `nothing can be drawn: ${JSON.stringify(shape)}`);
  return request;
}

export function shapeOf({ head }: HeldAnswer) {
  const [table] = head.tables;
  assert.ok(table);
  return chartShape(table, head.aggregated);
}

/** Returns the data of a chart of one kind. */
export function ofKind<Kind extends ChartData['kind']>(data: ChartData, kind: Kind): OfKind<Kind> {
  assert.equal(data.kind, kind);
  return data as OfKind<Kind>;
}

type OfKind<Kind> = Kind extends 'topList' | 'pie'
  ? CategoriesData
  : Extract<ChartData, { kind: Kind }>;
