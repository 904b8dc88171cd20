/** An answer's chart: requests its data, and draws the tools, the plot and the legend. */

import type {
  ChartData,
  ChartRequest,
  LogStreamData,
  TimeSeriesData,
} from '../../../../table/src/chart/chart.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { element, setLabel, setLines } from '../../webview/page/dom.ts';
import { errorMessage } from '../../words/errors.ts';
import { compareSeries } from '../compare.ts';
import { noMarks } from '../marks.ts';
import { coloredKeys, drawData, isEmpty, type PlottedData } from './drawData.ts';
import { spanText } from './format.ts';
import type { Drawn } from './kinds/drawn.ts';
import type { Comparison } from './kinds/timeSeries.ts';
import { LegendTable } from './legend.ts';
import { LogStream } from './logStream.ts';
import type { Chart, ChartContent, ChartParts } from './module.ts';
import { earlierNotices, Notices } from './noticeLine.ts';
import type { Drawing, DrawingPlace } from './options/drawing.ts';
import { unitsOf } from './options/timeAxis.ts';
import { type PictureAction, takePicture } from './pictures.ts';
import { Plot } from './plot.ts';
import { Pointing } from './pointing.ts';
import { RangeDrag } from './rangeDrag.ts';
import { requestOf } from './requestOf.ts';
import { slotsOf } from './seriesColors.ts';
import { onThemeChange, readTheme } from './theme.ts';
import { type ChoicesWithEffect, Toolbar } from './toolbar.ts';

export class ChartView implements Chart {
  readonly element = element('div', { class: 'chart-view stack fill' });
  readonly #parts: ChartParts;
  readonly #toolbar: Toolbar;
  readonly #notices = new Notices();
  readonly #body = element('div', { class: 'chart-body fill' });
  readonly #message = element('p', { class: 'chart-message dim', role: 'status' });
  readonly #plot: Plot;
  readonly #pointing: Pointing;
  readonly #drag: RangeDrag;
  readonly #legend: LegendTable;
  readonly #theme: { disconnect(): void };
  #content: ChartContent;
  #request: ChartRequest;
  #data: ChartData | undefined;
  #slots: ReadonlyMap<string, number> = new Map();
  #earlier: TimeSeriesData | undefined;
  /** The reason why the earlier answer's data is missing. */
  #earlierProblem: string | undefined;
  #marks = noMarks;
  #drawn: Drawn | undefined;
  #log: LogStream | undefined;
  #asked = '';
  #asking = new AbortController();
  #isDisposed = false;

  constructor(parts: ChartParts, content: ChartContent) {
    this.#parts = parts;
    this.#toolbar = new Toolbar({
      ...parts.events,
      picture: (action) => void this.#picture(action),
    });
    this.#content = content;
    this.#request = requestOf(content);
    this.#plot = new Plot(() => this.#draw());
    const surface = this.#plot.element;
    this.#drag = new RangeDrag({
      surface,
      canDrag: () => this.#drawn?.hasTimeAxis === true,
      onDrag: () => this.#pointing.leave(),
      onChoose: (from, to, shift) => this.#choose(from, to, shift),
    });
    this.#legend = new LegendTable({
      onVisible: () => this.#draw(),
      onFilter: parts.events.filter,
    });
    this.#pointing = new Pointing({
      plot: this.#plot,
      view: this.element,
      drawn: () => this.#drawn,
      data: () => this.#data,
      content: () => this.#content,
      events: parts.events,
      exact: (time, signal) => parts.source.point(this.#request, time, signal),
    });
    surface.tabIndex = 0;
    surface.setAttribute('role', 'img');
    surface.append(this.#drag.element, this.#message);
    surface.addEventListener('pointermove', (event) => {
      if (!this.#drag.isDragging) this.#pointing.point(event);
    });
    this.#body.append(surface, this.#legend.element);
    this.element.append(
      element('div', { class: 'chart-bar flow rigid' }, [
        this.#toolbar.element,
        this.#notices.element,
      ]),
      this.#body,
    );
    this.#legend.draw(undefined, false);
    this.#show(undefined);
    this.#drawNotices();
    this.#theme = onThemeChange(() => this.#draw());
  }

  update(content: ChartContent): void {
    const isSame = JSON.stringify(content) === JSON.stringify(this.#content);
    this.#content = content;
    this.#request = requestOf(content);
    this.#toolbar.draw(this.#content, this.#request, this.#choicesWithEffect());
    const asked = JSON.stringify([this.#request, this.#readyEarlier]);
    if (asked !== this.#asked) {
      this.#asked = asked;
      void this.#ask();
    } else if (!isSame) this.#draw();
  }

  marksChanged(): void {
    this.#readMarks(this.#asking.signal).catch(() => {
      // Keep the marks already drawn.
    });
  }

  focus(): void {
    (this.#log?.element ?? this.#plot.element).focus();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#asking.abort();
    this.#pointing.dispose();
    this.#theme.disconnect();
    this.#drag.dispose();
    this.#plot.dispose();
    this.#log?.dispose();
    this.element.remove();
  }

  get #readyEarlier() {
    const { earlier } = this.#content;
    return earlier?.state.kind === 'ready' ? earlier : undefined;
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { source, colors } = this.#parts;
    const request = this.#request;
    try {
      const compares = this.#readyEarlier && request.kind === 'timeSeries';
      let problem: string | undefined;
      const [data, before] = await Promise.all([
        source.data(request, signal),
        compares &&
          source.earlierData(request, signal).catch((error: unknown) => {
            problem = errorMessage(error);
          }),
      ]);
      if (signal.aborted) return;
      this.#data = data;
      this.#earlier = before && before.kind === 'timeSeries' ? before : undefined;
      this.#earlierProblem = problem;
      if (data.kind !== 'logStream')
        this.#slots = slotsOf(coloredKeys(data, this.#earlier), colors);
      this.#toolbar.draw(this.#content, this.#request, this.#choicesWithEffect());
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
    // Redraw only if the marks changed: most charts have none.
    if (signal.aborted || JSON.stringify(marks) === JSON.stringify(this.#marks)) return;
    this.#marks = marks;
    this.#draw();
  }

  #draw(): void {
    if (this.#isDisposed || this.#data === undefined) return;
    this.#pointing.leave();
    const data = this.#data;
    if (data.kind === 'logStream') return this.#drawLog(data);
    this.#log?.dispose();
    this.#log = undefined;
    if (!this.#plot.element.isConnected)
      this.#body.replaceChildren(this.#plot.element, this.#legend.element);
    this.#show(isEmpty(data) ? nothingToDraw(data) : undefined);
    const theme = readTheme();
    const before = this.#size();
    this.#drawn = this.#drawnFor(data, { ...before, theme });
    this.#legend.draw(this.#drawn.legend, this.#content.editable);
    this.#drawNotices();
    // Measure again, because the legend and the notices may have changed the plot's size.
    const after = this.#size();
    if (after.width !== before.width || after.height !== before.height)
      this.#drawn = this.#drawnFor(data, { ...after, theme });
    this.#plot.draw(this.#drawn.option, this.#drawn.height);
    setLabel(this.#plot.element, `${this.#content.title}. ${this.#drawn.description}`);
  }

  #size() {
    const { clientWidth: width, clientHeight: height } = this.#plot.element;
    return { width, height };
  }

  /** Returns the options that affect the drawing. They depend on the data, so they are offered after it arrives. */
  #choicesWithEffect(): ChoicesWithEffect {
    const data = this.#data;
    if (data?.kind !== 'timeSeries') return { stacked: false, missing: false };
    const { series, missing } = data;
    // Each unit has its own axis, and only series on the same axis are stacked.
    return { stacked: series.length > unitsOf(series).length, missing: missing > 0 };
  }

  #drawnFor(data: PlottedData, place: DrawingPlace): Drawn {
    const { choice, shape, timeZone } = this.#content;
    const { visible } = this.#legend;
    const look = { style: choice.style ?? shape.style, stacked: this.#request.stacked };
    const drawing: Drawing = {
      ...place,
      timeZone,
      slots: this.#slots,
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

  #drawLog(data: LogStreamData): void {
    this.#log?.dispose();
    this.#log = new LogStream(this.#parts, data, this.#content.columns);
    this.#drawn = undefined;
    this.#body.replaceChildren(this.#log.element);
    void this.#log.draw();
    this.#drawNotices();
  }

  #drawNotices(): void {
    const { earlier } = this.#content;
    this.#notices.draw(
      [
        ...(this.#drawn?.notices ?? []),
        ...(this.#log?.notices ?? []),
        ...this.#marks.notes,
        ...earlierNotices(earlier, this.#earlierProblem),
      ],
      earlier?.state.kind === 'running' ? `Comparing with ${earlier.label}…` : undefined,
      () => this.#parts.events.compare(null),
    );
  }

  #show(message: string | undefined): void {
    setLines(this.#message, message ?? '');
    this.#message.hidden = message === undefined;
  }

  #choose(from: number, to: number, shift: boolean): void {
    const [first, last] = [this.#plot.timeAt(from), this.#plot.timeAt(to)];
    if (first === undefined || last === undefined || !(last > first)) return;
    const { events } = this.#parts;
    if (shift) events.annotate(first, last);
    else if (this.#content.canSelectRange) events.selectRange(first, last);
  }

  async #picture(action: PictureAction): Promise<void> {
    const data = this.#data;
    if (data === undefined || data.kind === 'logStream') return;
    const { title, rangeLabel, range, timeZone, localZone } = this.#content;
    // Write the absolute range, because a picture is viewed later, when `last 1 hour` is meaningless.
    const span = range ? spanText(range.from, range.to, timeZone) : rangeLabel;
    const source = {
      title,
      subtitle: [span, timeZone === 'utc' ? 'UTC' : localZone].filter(Boolean).join(', '),
      ...this.#size(),
      draw: (place: DrawingPlace) => this.#drawnFor(data, place),
    };
    await takePicture(action, source, this.#parts.events);
  }
}

function nothingToDraw(data: PlottedData): string {
  if (data.kind === 'pie')
    return 'There is no positive value for a slice. Choose another kind of chart.';
  return 'There are no numbers to draw. Choose another kind of chart, or look at the table.';
}
