/** Loads the bundle that draws charts when a page shows its first chart. */
import type { ChartModule } from '../../charts/view/module.ts';

let loading: Promise<ChartModule> | undefined;

/** Loads the bundle from the folder of the page's script, whose URL is `page`. Rejects if it cannot be loaded. */
export function loadCharts(page: string): Promise<ChartModule> {
  loading ??= new Promise<ChartModule>((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      loading = undefined;
      reject(new Error('The charts could not be loaded. Reload the window.'));
    };
    script.nonce = document.body.dataset.nonce ?? '';
    script.src = new URL('charts.js', page).toString();
    script.addEventListener('load', () => {
      const { aplombCharts } = globalThis as { aplombCharts?: ChartModule };
      if (aplombCharts) resolve(aplombCharts);
      else fail();
    });
    script.addEventListener('error', fail);
    document.head.append(script);
  });
  return loading;
}
