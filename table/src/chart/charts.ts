/** Computes the charts of tables, and keeps the series of a table's last chart for the points under the pointer. */

import type { HeldTable } from '../columns/heldTable.ts';
import { Invalid } from '../invalid.ts';
import { categories } from './categories.ts';
import type { ChartData, ChartPoint } from './chart.ts';
import { type ChartContext, checkRequest } from './context.ts';
import { heatmap } from './heatmap.ts';
import { logStream } from './logStream.ts';
import { scatter } from './scatter.ts';
import { statistic } from './statistic.ts';
import { pointNear, type TimePlot, timePlot } from './timePlot.ts';
import { timeSeries } from './timeSeries.ts';

interface KeptPlot {
  /** The request, and the state of the rows at that time. */
  readonly request: string;
  readonly arranged: Uint32Array | undefined;
  readonly rowCount: number;
  readonly removed: number;
  readonly plot: TimePlot;
}

export class Charts {
  readonly #plots = new WeakMap<HeldTable, KeptPlot>();

  async chart(context: ChartContext): Promise<ChartData> {
    checkRequest(context);
    const { kind } = context.request;
    switch (kind) {
      case 'timeSeries':
        return await timeSeries(context, await this.#plot(context));
      case 'topList':
      case 'pie':
        return await categories(context, kind);
      case 'heatmap':
        return await heatmap(context);
      case 'scatter':
        return await scatter(context);
      case 'statistic':
        return await statistic(context);
      case 'logStream':
        return logStream(context);
      default:
        throw new Invalid(`Unknown kind of chart: ${String(kind satisfies never)}.`);
    }
  }

  async point(context: ChartContext, time: number): Promise<ChartPoint> {
    checkRequest(context);
    return pointNear(await this.#plot(context), time);
  }

  async #plot(context: ChartContext): Promise<TimePlot> {
    const { table, request } = context;
    if (request.time === undefined) throw new Invalid('A time series needs a column of times.');
    const now = {
      request: JSON.stringify(request),
      arranged: table.arranged,
      rowCount: table.rowCount,
      removed: table.removed,
    };
    const kept = this.#plots.get(table);
    if (
      kept !== undefined &&
      kept.request === now.request &&
      kept.arranged === now.arranged &&
      kept.rowCount === now.rowCount &&
      kept.removed === now.removed
    )
      return kept.plot;
    const plot = await timePlot(context);
    this.#plots.set(table, { ...now, plot });
    return plot;
  }
}
