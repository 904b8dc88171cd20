/** The library alone, as its own examples use it: a chart of lines in a page with nothing else. */
import { LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([LineChart, GridComponent, CanvasRenderer]);

export interface Lines {
  readonly times: readonly number[];
  /** By series. */
  readonly values: readonly (readonly number[])[];
}

interface Theirs {
  /** Gives the milliseconds until the chart was painted. */
  draw(lines: Lines): Promise<number>;
}

declare global {
  var theirs: Theirs;
}

globalThis.theirs = {
  draw({ times, values }) {
    const place = document.querySelector('#chart') as HTMLElement;
    // The points are ready in the form that the library's examples have them in.
    const series = values.map((one) => ({
      type: 'line' as const,
      showSymbol: false,
      data: one.map((value, at) => [times[at], value]),
    }));
    const start = performance.now();
    const chart = init(place);
    chart.setOption({
      animation: false,
      xAxis: { type: 'time' },
      yAxis: { type: 'value' },
      series,
    });
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const took = performance.now() - start;
          chart.dispose();
          resolve(took);
        };
        port2.postMessage(null);
      });
    });
  },
};
