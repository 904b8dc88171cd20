/** The element in which a chart is drawn: ECharts' canvas, and conversions between pixels and values. */
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
  #size = { width: 0, height: 0 };
  /** The element's size at the last drawing. The canvas of a tall chart is higher. */
  #place: readonly [number, number] = [0, 0];

  constructor(onResize: () => void) {
    this.#onResize = onResize;
    this.element.append(this.#canvas);
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.element);
  }

  /** The ECharts instance; undefined if its axes can't convert pixels. */
  get #axes(): ECharts | undefined {
    return this.#hasAxes ? this.#chart : undefined;
  }

  get width(): number {
    return this.#size.width;
  }

  get height(): number {
    return this.#size.height;
  }

  /** Replaces the drawing. The element scrolls if `height` exceeds its own height. */
  draw(option: Option, height: number | undefined): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#place = [clientWidth, clientHeight];
    const tall = Math.max(clientHeight, height ?? 0);
    this.#canvas.style.height = tall > clientHeight ? `${tall}px` : '100%';
    const size = { width: this.#canvas.clientWidth, height: tall };
    if (this.#chart === undefined) this.#chart = init(this.#canvas, null, size);
    else if (size.width !== this.width || size.height !== this.height) this.#chart.resize(size);
    this.#size = size;
    this.#chart.setOption(option, { notMerge: true, silent: true });
    this.#hasAxes = 'xAxis' in option && 'grid' in option && !Array.isArray(option.grid);
  }

  valueAt(x: number, y: number): readonly [number, number] | undefined {
    const axes = this.#axes;
    if (!axes?.containPixel({ gridIndex: 0 }, [x, y])) return undefined;
    const value = axes.convertFromPixel({ gridIndex: 0 }, [x, y]);
    return Array.isArray(value) ? [value[0] as number, value[1] as number] : undefined;
  }

  timeAt(x: number): number | undefined {
    const value = this.#axes?.convertFromPixel({ xAxisIndex: 0 }, x);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  pixelOf(value: readonly [number, number], yAxis = 0): readonly [number, number] | undefined {
    const pixel = this.#axes?.convertToPixel({ xAxisIndex: 0, yAxisIndex: yAxis }, [...value]);
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
