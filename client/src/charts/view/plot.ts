/** The surface that a chart is drawn on: the library's canvas, and conversions between pixels and values. */
import { element } from '../../webview/page/dom.ts';
import { type ECharts, init } from './echarts.ts';
import type { Scale } from './kinds/drawn.ts';
import type { Option } from './options/drawing.ts';

export class Plot implements Scale {
  readonly element = element('div', { class: 'plot' });
  readonly #canvas = element('div', {
    class: 'plot-canvas',
    attributes: { 'aria-hidden': 'true' },
  });
  readonly #observer: ResizeObserver;
  readonly #onResize: () => void;
  #chart: ECharts | undefined;
  #hasAxes = false;
  #size: readonly [number, number] = [0, 0];
  /** The size of the element when the chart was drawn last; a tall chart is higher than that. */
  #place: readonly [number, number] = [0, 0];

  constructor(onResize: () => void) {
    this.#onResize = onResize;
    this.element.append(this.#canvas);
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.element);
  }

  get width(): number {
    return this.#size[0];
  }

  get height(): number {
    return this.#size[1];
  }

  /** Replaces the former drawing. The element scrolls where `height` exceeds its own. */
  draw(option: Option, height: number | undefined): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#place = [clientWidth, clientHeight];
    const tall = Math.max(clientHeight, height ?? 0);
    this.#canvas.style.height = tall > clientHeight ? `${tall}px` : '100%';
    const size = [this.#canvas.clientWidth, tall] as const;
    if (this.#chart === undefined) {
      this.#chart = init(this.#canvas, null, { width: size[0], height: size[1] });
    } else if (size[0] !== this.#size[0] || size[1] !== this.#size[1]) {
      this.#chart.resize({ width: size[0], height: size[1] });
    }
    this.#size = size;
    this.#chart.setOption(option, { notMerge: true, silent: true });
    this.#hasAxes = 'xAxis' in option && 'grid' in option && !Array.isArray(option.grid);
  }

  valueAt(x: number, y: number): readonly [number, number] | undefined {
    if (this.#chart === undefined || !this.#hasAxes) return undefined;
    if (!this.#chart.containPixel({ gridIndex: 0 }, [x, y])) return undefined;
    const value = this.#chart.convertFromPixel({ gridIndex: 0 }, [x, y]);
    return Array.isArray(value) ? [value[0] as number, value[1] as number] : undefined;
  }

  /** The value of the horizontal axis at a pixel. */
  timeAt(x: number): number | undefined {
    if (this.#chart === undefined || !this.#hasAxes) return undefined;
    const value = this.#chart.convertFromPixel({ xAxisIndex: 0 }, x);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  pixelOf(value: readonly [number, number], yAxis = 0): readonly [number, number] | undefined {
    if (this.#chart === undefined || !this.#hasAxes) return undefined;
    const pixel = this.#chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: yAxis }, [...value]);
    if (!Array.isArray(pixel)) return undefined;
    const [x, y] = pixel as [number, number];
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#chart?.dispose();
    this.#chart = undefined;
  }

  #resized(): void {
    const { clientWidth, clientHeight } = this.element;
    const [width, height] = this.#place;
    if (clientWidth === 0 || clientHeight === 0) return;
    if (clientWidth === width && clientHeight === height) return;
    this.#onResize();
  }
}
