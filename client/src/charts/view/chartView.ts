/** A chart of an answer: its choices, the plot, the legend, and what a pointer or the keyboard does in it. */
import { isCancelled } from '../../webview/page/channel.ts';
import { debounced, element } from '../../webview/page/dom.ts';
import type { ChartData, ChartKind, ChartRequest, TimeSeriesData } from '../chart.ts';
import { compareSeries } from '../compare.ts';
import type { ChartMarks } from '../marks.ts';
import { chartRequest } from '../shape.ts';
import { drawData, isEmpty, type PlottedData } from './drawData.ts';
import { exactNumber } from './format.ts';
import { HitBox } from './hitBox.ts';
import type { Drawn, Hit } from './kinds/drawn.ts';
import type { Comparison } from './kinds/timeSeries.ts';
import { LegendTable } from './legend.ts';
import { LogStream } from './logStream.ts';
import type { Chart, ChartContent, ChartParts } from './module.ts';
import type { Drawing } from './options/drawing.ts';
import { copyPicture, picturesOf } from './pictures.ts';
import { Plot } from './plot.ts';
import { RangeDrag } from './rangeDrag.ts';
import { onThemeChange, readTheme } from './theme.ts';
import { type PictureAction, toolbar } from './toolbar.ts';

interface Bounds {
  readonly maxSeries: number;
  readonly maxPoints: number;
}

/** How much of each kind a person can tell apart, and a screen has room for. */
const bounds: Readonly<Record<ChartKind, Bounds>> = {
  timeSeries: { maxSeries: 100, maxPoints: 2_000 },
  topList: { maxSeries: 50, maxPoints: 4 },
  pie: { maxSeries: 8, maxPoints: 4 },
  heatmap: { maxSeries: 50, maxPoints: 500 },
  scatter: { maxSeries: 24, maxPoints: 20_000 },
  statistic: { maxSeries: 12, maxPoints: 200 },
  logStream: { maxSeries: 1, maxPoints: 4 },
};

const noMarks: ChartMarks = { annotations: [], thresholds: [], notes: [] };
const exactAfterMs = 40;

export class ChartView implements Chart {
  readonly element = element('div', { class: 'chart-view' });
  readonly #parts: ChartParts;
  readonly #tools = element('div', { class: 'chart-bar' });
  readonly #notices = element('div', { class: 'chart-notices', attributes: { role: 'note' } });
  readonly #body = element('div', { class: 'chart-body' });
  readonly #message = element('p', { class: 'chart-message', attributes: { role: 'status' } });
  readonly #plot: Plot;
  readonly #hits = new HitBox();
  readonly #drag: RangeDrag;
  readonly #legend: LegendTable;
  readonly #theme: { disconnect(): void };
  readonly #refine = debounced(exactAfterMs, () => void this.#showExact());
  #content: ChartContent;
  #request: ChartRequest;
  #data: ChartData | undefined;
  #earlier: TimeSeriesData | undefined;
  /** The rows of the earlier answer are no longer in memory. */
  #earlierIsGone = false;
  #marks = noMarks;
  #drawn: Drawn | undefined;
  #log: LogStream | undefined;
  #asked = '';
  #asking = new AbortController();
  #exact = new AbortController();
  #mark: number | undefined;
  #hit: Hit | undefined;
  #isDisposed = false;

  constructor(parts: ChartParts, content: ChartContent) {
    this.#parts = parts;
    this.#content = content;
    this.#request = this.#requestOf(content);
    this.#plot = new Plot(() => this.#draw());
    const surface = this.#plot.element;
    this.#drag = new RangeDrag({
      surface,
      canDrag: () => this.#drawn?.hasTimeAxis === true && this.#request.kind !== 'heatmap',
      onDrag: () => this.#leave(),
      onChoose: (from, to, shift) => this.#choose(from, to, shift),
    });
    this.#legend = new LegendTable({
      onVisible: () => this.#draw(),
      onFilter: (origin, exclude) => parts.events.filter(origin, exclude),
    });
    surface.tabIndex = 0;
    surface.setAttribute('role', 'img');
    surface.append(this.#drag.element, ...this.#hits.elements, this.#message);
    surface.addEventListener('pointermove', (event) => this.#point(event));
    surface.addEventListener('pointerleave', () => this.#leave());
    surface.addEventListener('click', (event) => this.#click(event.altKey));
    surface.addEventListener('keydown', (event) => this.#key(event));
    surface.addEventListener('blur', () => this.#leave());
    this.#body.append(surface, this.#legend.element);
    this.element.append(this.#tools, this.#notices, this.#body);
    this.#legend.draw(undefined, false);
    this.#show(undefined);
    this.#drawNotices();
    this.#theme = onThemeChange(() => this.#draw());
  }

  update(content: ChartContent): void {
    const focused = document.activeElement?.closest<HTMLElement>('[data-tool]')?.dataset.tool;
    this.#content = content;
    this.#request = this.#requestOf(content);
    const { events } = this.#parts;
    this.#tools.replaceChildren(
      toolbar(content, this.#request, {
        ...events,
        picture: (action) => void this.#picture(action),
      }),
    );
    if (focused !== undefined)
      this.#tools.querySelector<HTMLElement>(`[data-tool="${focused}"]`)?.focus();
    const earlier = content.earlier?.state === 'ready' ? content.earlier : undefined;
    const asked = JSON.stringify([this.#request, earlier]);
    if (asked === this.#asked) this.#draw();
    else {
      this.#asked = asked;
      void this.#ask();
    }
  }

  marksChanged(): void {
    this.#readMarks(this.#asking.signal).catch(() => {
      // Those that are drawn stay.
    });
  }

  focus(): void {
    (this.#log?.element ?? this.#plot.element).focus();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#asking.abort();
    this.#exact.abort();
    this.#theme.disconnect();
    this.#drag.dispose();
    this.#plot.dispose();
    this.#log?.dispose();
    this.element.remove();
  }

  #requestOf({ shape, choice, timeZone }: ChartContent): ChartRequest {
    const kind =
      choice.kind !== undefined && shape.kinds.includes(choice.kind) ? choice.kind : shape.kinds[0];
    const request = chartRequest(shape, choice, { ...bounds[kind ?? 'timeSeries'], timeZone });
    if (request === undefined) throw new Error('There is nothing to draw in this result.');
    return request;
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { source } = this.#parts;
    const request = this.#request;
    const { earlier } = this.#content;
    try {
      const compares = earlier?.state === 'ready' && request.kind === 'timeSeries';
      const [data, before] = await Promise.all([
        source.data(request, signal),
        compares ? source.earlierData(request, signal).catch(() => null) : undefined,
      ]);
      if (signal.aborted) return;
      this.#data = data;
      this.#earlier = before?.kind === 'timeSeries' ? before : undefined;
      this.#earlierIsGone = before === null;
      this.#mark = undefined;
      this.#draw();
      this.marksChanged();
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return;
      this.#data = undefined;
      this.#legend.draw(undefined, false);
      this.#show(error instanceof Error ? error.message : 'The chart could not be drawn.');
    }
  }

  async #readMarks(signal: AbortSignal): Promise<void> {
    if (this.#request.kind !== 'timeSeries') return;
    const marks = await this.#parts.source.marks(signal);
    // Most charts have none, and are drawn already.
    if (signal.aborted || JSON.stringify(marks) === JSON.stringify(this.#marks)) return;
    this.#marks = marks;
    this.#draw();
  }

  #draw(): void {
    if (this.#isDisposed || this.#data === undefined) return;
    this.#leave();
    const data = this.#data;
    if (data.kind === 'logStream') {
      this.#drawLog(data);
      return;
    }
    this.#log?.dispose();
    this.#log = undefined;
    if (!this.#plot.element.isConnected)
      this.#body.replaceChildren(this.#plot.element, this.#legend.element);
    this.#show(isEmpty(data) ? nothingToDraw(data) : undefined);
    const theme = readTheme();
    const size = () => {
      const { clientWidth: width, clientHeight: height } = this.#plot.element;
      return { width, height };
    };
    const before = size();
    this.#drawn = this.#drawnFor(data, { ...before, theme });
    this.#legend.draw(this.#drawn.legend, this.#content.editable);
    // The legend has taken its place or given it up.
    const after = size();
    if (after.width !== before.width || after.height !== before.height)
      this.#drawn = this.#drawnFor(data, { ...after, theme });
    this.#plot.draw(this.#drawn.option, this.#drawn.height);
    this.#plot.element.setAttribute(
      'aria-label',
      `${this.#content.title}. ${this.#drawn.description}`,
    );
    this.#drawNotices();
  }

  #drawnFor(data: PlottedData, place: Pick<Drawing, 'width' | 'height' | 'theme'>): Drawn {
    const { choice, shape, timeZone } = this.#content;
    const { visible } = this.#legend;
    const look = { style: choice.style ?? shape.style, stacked: this.#request.stacked };
    const drawing: Drawing = {
      ...place,
      timeZone,
      ...(visible && { visible }),
      annotations: this.#marks.annotations,
      thresholds: this.#marks.thresholds,
    };
    return drawData(data, look, drawing, this.#comparison(data));
  }

  #comparison(data: PlottedData): Comparison | undefined {
    const { earlier } = this.#content;
    if (earlier === undefined || this.#earlier === undefined || data.kind !== 'timeSeries')
      return undefined;
    return {
      label: earlier.label,
      ...compareSeries(data, this.#earlier, earlier.offsetMilliseconds),
    };
  }

  #drawLog(data: Extract<ChartData, { kind: 'logStream' }>): void {
    const { columns } = this.#content;
    this.#log?.dispose();
    this.#log = new LogStream(this.#parts.source, data, columns, this.#parts.rowCount);
    this.#drawn = undefined;
    this.#body.replaceChildren(this.#log.element);
    this.#log.start();
    this.#drawNotices();
  }

  #drawNotices(): void {
    const { earlier } = this.#content;
    const { events } = this.#parts;
    const failed = typeof earlier?.state === 'object' ? earlier.state.failed : undefined;
    const lines = [
      ...(this.#drawn?.notices ?? []),
      ...(this.#log?.isCut
        ? ['The last rows cannot be reached by scrolling. They are in the table.']
        : []),
      ...this.#marks.notes,
      ...(failed === undefined ? [] : [`${earlier?.label}: ${failed}`]),
      ...(this.#earlierIsGone && earlier
        ? [`${earlier.label}: its rows are no longer in memory. Choose it again to compare.`]
        : []),
    ];
    const running =
      earlier?.state === 'running'
        ? [
            element('span', { text: `Comparing with ${earlier.label}…` }),
            element('button', {
              class: 'quiet',
              text: 'Cancel',
              onClick: () => events.cancelEarlier(),
            }),
          ]
        : [];
    this.#notices.replaceChildren(...running, ...lines.map((text) => element('span', { text })));
    this.#notices.hidden = lines.length === 0 && running.length === 0;
  }

  #show(message: string | undefined): void {
    this.#message.textContent = message ?? '';
    this.#message.hidden = message === undefined;
  }

  #point(event: PointerEvent): void {
    if (this.#drag.isDragging || this.#drawn === undefined) return;
    const box = this.#plot.element.getBoundingClientRect();
    const at = [
      event.clientX - box.left,
      event.clientY - box.top + this.#plot.element.scrollTop,
    ] as const;
    const mark = this.#drawn.markAt(at[0], at[1], this.#plot);
    if (mark === undefined) return this.#leave();
    this.#showHit(mark, at);
  }

  #showHit(mark: number, pointer?: readonly [number, number]): void {
    const hit = this.#drawn?.hit(mark, this.#plot, pointer);
    if (hit === undefined) return this.#leave();
    const isNew = mark !== this.#mark;
    this.#mark = mark;
    this.#hit = hit;
    const canFilter = this.#content.editable && hit.hot?.origin !== undefined;
    const canSelect = this.#content.canSelectRange && hit.span !== undefined;
    const hint = clickHint(canSelect, canFilter);
    this.#plot.element.classList.toggle('clickable', hint !== undefined);
    this.#hits.show(hit, this.#plot.width, this.#plot.height, hint);
    if (pointer === undefined) this.#hits.say(hit);
    if (isNew || pointer !== undefined) this.#refine();
  }

  /** Exact values of the mark that is shown, in place of what a double holds. */
  async #showExact(): Promise<void> {
    const hit = this.#hit;
    const data = this.#data;
    if (hit?.time === undefined || data?.kind !== 'timeSeries') return;
    this.#exact.abort();
    this.#exact = new AbortController();
    const { signal } = this.#exact;
    try {
      const { values } = await this.#parts.source.point(this.#request, hit.time, signal);
      if (signal.aborted || this.#hit !== hit) return;
      const units = new Map(data.series.map(({ key, unit }) => [key, unit]));
      this.#hits.setValues(
        hit.rows.map(({ key }) => {
          const text = values[key];
          return text === undefined || text === null
            ? undefined
            : exactNumber(text, units.get(key));
        }),
      );
    } catch {
      // What was drawn stays.
    }
  }

  #leave(): void {
    this.#mark = undefined;
    this.#hit = undefined;
    this.#hits.hide();
    this.#plot.element.classList.remove('clickable');
  }

  #click(exclude: boolean): void {
    const { span, hot } = this.#hit ?? {};
    const { editable, canSelectRange } = this.#content;
    const { events } = this.#parts;
    if (span && canSelectRange && !exclude) events.selectRange(span.from, span.to);
    else if (hot?.origin !== undefined && editable) events.filter(hot.origin, exclude);
  }

  #choose(from: number, to: number, shift: boolean): void {
    const [first, last] = [this.#plot.timeAt(from), this.#plot.timeAt(to)];
    if (first === undefined || last === undefined || !(last > first)) return;
    const { events } = this.#parts;
    if (shift) events.annotate(first, last);
    else if (this.#content.canSelectRange) events.selectRange(first, last);
  }

  #key(event: KeyboardEvent): void {
    const marks = this.#drawn?.marks ?? 0;
    const { key, altKey } = event;
    const current = this.#mark;
    if (altKey && key === 'ArrowLeft') {
      if (!this.#content.canGoBack) return;
      this.#parts.events.back();
    } else if (marks === 0) return;
    else if (key === 'ArrowRight' || key === 'ArrowDown')
      this.#showHit(Math.min(marks - 1, current === undefined ? 0 : current + 1));
    else if (key === 'ArrowLeft' || key === 'ArrowUp')
      this.#showHit(Math.max(0, current === undefined ? marks - 1 : current - 1));
    else if (key === 'Home') this.#showHit(0);
    else if (key === 'End') this.#showHit(marks - 1);
    else if (key === 'Enter' && this.#hit) this.#click(altKey);
    else if (key === 'Escape' && current !== undefined) this.#leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #picture(action: PictureAction): Promise<void> {
    const data = this.#data;
    if (data === undefined || data.kind === 'logStream') return;
    const { events } = this.#parts;
    const { title, rangeLabel, timeZone, localZone } = this.#content;
    const pictures = picturesOf({
      title,
      subtitle: [rangeLabel, timeZone === 'utc' ? 'UTC' : localZone].filter(Boolean).join(', '),
      size: [this.#plot.element.clientWidth, this.#plot.element.clientHeight],
      draw: (place) => this.#drawnFor(data, place),
    });
    if (action === 'copy') events.say(await copyPicture(pictures.png(false)));
    else if (action === 'png' || action === 'whitePng')
      events.savePicture('png', pictures.base64(action === 'whitePng'));
    else events.savePicture('svg', pictures.svg(action === 'whiteSvg'));
  }
}

/** What a click does at the mark under the pointer; undefined where it does nothing. */
function clickHint(canSelect: boolean, canFilter: boolean): string | undefined {
  if (!canSelect) return canFilter ? 'Click adds a filter, Alt+click excludes' : undefined;
  return `Click selects this time range${canFilter ? ', Alt+click excludes' : ''}`;
}

function nothingToDraw(data: PlottedData): string {
  if (data.kind === 'pie')
    return 'There is no positive value for a slice. Choose another kind of chart.';
  return 'There are no numbers to draw. Choose another kind of chart, or look at the table.';
}
