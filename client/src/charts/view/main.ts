/** The bundle that draws charts, loaded by a page with its first chart. */
import { ChartView } from './chartView.ts';
import type { ChartModule } from './module.ts';

declare global {
  var aplombCharts: ChartModule | undefined;
}

globalThis.aplombCharts = {
  create: (parts, content) => new ChartView(parts, content),
};
