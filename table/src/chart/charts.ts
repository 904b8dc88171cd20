/** Computes charts, and caches the series of each table's last chart to look up values under the pointer. */

import type { HeldTable } from '../columns/heldTable.ts';
import { Invalid } from '../invalid.ts';
import { categories } from './categories.ts';
import type { ChartData, ChartKind, ChartPoint } from './chart.ts';
import { type ChartContext, checkRequest } from './context.ts';
import { heatmap } from './heatmap.ts';
import { logStream } from './logStream.ts';
import { scatter } from './scatter.ts';
import { statistic } from './statistic.ts';
import { pointNear, type TimePlot, timePlot } from './timePlot.ts';
import { timeSeries } from './timeSeries.ts';

const charts: Readonly<
  Record<
    Exclude<ChartKind, 'timeSeries'>,
    (context: ChartContext) => ChartData | Promise<ChartData>
  >
> = {
  topList: (context) => categories(context, 'topList'),
  pie: (context) => categories(context, 'pie'),
  heatmap,
  scatter,
  statistic,
  logStream,
};

export class Charts {
  /** The last plot by table, with the request key and the row order that it was computed from. */
  readonly #plots = new WeakMap<
    HeldTable,
    { readonly key: string; readonly arranged: Uint32Array | undefined; readonly plot: TimePlot }
  >();

  async chart(context: ChartContext): Promise<ChartData> {
    checkRequest(context);
    const { kind } = context.request;
    if (kind === 'timeSeries') return await timeSeries(context, await this.#plot(context));
    if (!Object.hasOwn(charts, kind)) throw new Invalid(`Unknown kind of chart: ${kind}.`);
    return await charts[kind](context);
  }

  async point(context: ChartContext, time: number): Promise<ChartPoint> {
    checkRequest(context);
    return pointNear(await this.#plot(context), time);
  }

  async #plot(context: ChartContext): Promise<TimePlot> {
    const { table, request } = context;
    if (request.time === undefined) throw new Invalid('A time series needs a column of times.');
    const { arranged, rowCount, removed } = table;
    const key = JSON.stringify([request, rowCount, removed]);
    const kept = this.#plots.get(table);
    if (kept?.key === key && kept.arranged === arranged) return kept.plot;
    const plot = await timePlot(context);
    this.#plots.set(table, { key, arranged, plot });
    return plot;
  }
}
