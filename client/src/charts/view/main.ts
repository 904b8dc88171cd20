/** The bundle that draws charts. A page loads it when it shows its first chart. */
import { ChartView } from './chartView.ts';
import type { ChartModule } from './module.ts';

declare global {
  var aplombCharts: ChartModule | undefined;
}

globalThis.aplombCharts = {
  create: (parts, content) => new ChartView(parts, content),
};
