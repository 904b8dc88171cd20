/** A chart's tools, such as the lists of kinds and styles, the comparison and the pictures. */

import {
  type ChartChoice,
  type ChartKind,
  type ChartRequest,
  type MissingValues,
  missingValues,
  type SeriesStyle,
  seriesStyles,
} from '../../../../table/src/chart/chart.ts';
import { textButton } from '../../webview/page/controls.ts';
import { button, element } from '../../webview/page/dom.ts';
import { FocusMark } from '../../webview/page/keepFocus.ts';
import { choiceList, popupButton, toolCheckbox } from './choices.ts';
import { comparison } from './comparison.ts';
import type { ChartContent, ChartEvents } from './module.ts';
import type { PictureAction } from './pictures.ts';

const kindNames: Readonly<Record<ChartKind, string>> = {
  timeSeries: 'Time series',
  topList: 'Top list',
  pie: 'Pie',
  heatmap: 'Heatmap',
  scatter: 'Scatter',
  statistic: 'Statistic',
  logStream: 'Log stream',
};
const styleNames: Readonly<Record<SeriesStyle, string>> = {
  line: 'Line',
  area: 'Area',
  bars: 'Bars',
};
const missingNames: Readonly<Record<MissingValues, string>> = {
  gap: 'Gaps: leave',
  zero: 'Gaps: zero',
  carry: 'Gaps: last value',
  linear: 'Gaps: connect',
};

interface ToolbarEvents extends Pick<ChartEvents, 'choose' | 'compare' | 'selectRange'> {
  picture(action: PictureAction): void;
}

/** Whether options affect the data: a single series can't be stacked, and there may be no gaps to fill. */
export interface ChoicesWithEffect {
  readonly stacked: boolean;
  readonly missing: boolean;
}

export class Toolbar {
  readonly element = element('div', { class: 'chart-tools flow', role: 'toolbar', label: 'Chart' });
  readonly #events: ToolbarEvents;
  #shown = '';
  /** The button that toggles the other tools, which are collapsed on a narrow page. */
  readonly #more = button({
    class: 'quiet more-tools',
    text: 'Options ▾',
    attributes: { 'aria-expanded': 'false', 'data-tool': 'Options' },
    onClick: () => {
      const isOpen = this.element.classList.toggle('open');
      this.#more.setAttribute('aria-expanded', String(isOpen));
    },
  });

  constructor(events: ToolbarEvents) {
    this.#events = events;
  }

  /** Redraws the tools. The focused tool keeps the focus. */
  draw(content: ChartContent, request: ChartRequest, effects: ChoicesWithEffect): void {
    const shown = JSON.stringify([content, request, effects]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = FocusMark.now();
    const made = tools(content, request, effects, this.#events);
    this.element.replaceChildren(...(made.length > 1 ? [...made, this.#more] : made));
    focused?.restore();
  }
}

function tools(
  content: ChartContent,
  request: ChartRequest,
  effects: ChoicesWithEffect,
  events: ToolbarEvents,
): HTMLElement[] {
  const { shape, choice, earlier, canSelectRange, range } = content;
  const isSeries = request.kind === 'timeSeries';
  const change = (changed: ChartChoice) => events.choose({ ...choice, ...changed });
  const style = choice.style ?? shape.style;
  return [
    shape.kinds.length > 1 &&
      chooser('Chart', request.kind, shape.kinds, kindNames, (kind) => change({ kind })),
    isSeries &&
      chooser('Style', style, seriesStyles, styleNames, (next) => change({ style: next })),
    isSeries &&
      style !== 'line' &&
      effects.stacked &&
      toolCheckbox('Stacked', request.stacked, (stacked) => change({ stacked })),
    isSeries &&
      effects.missing &&
      chooser('Gaps', request.missing, missingValues, missingNames, (missing) =>
        change({ missing }),
      ),
    shape.values.length > 1 &&
      request.kind !== 'logStream' &&
      request.kind !== 'heatmap' &&
      valuesButton(content, request, (values) => change({ values })),
    isSeries && canSelectRange && comparison(earlier?.offset, events.compare),
    canSelectRange && range !== undefined && zoomOutButton(range, events),
    request.kind !== 'logStream' && pictureButton(events),
  ].filter((tool) => tool !== false);
}

function chooser<T extends string>(
  name: string,
  value: T,
  values: readonly T[],
  names: Readonly<Record<T, string>>,
  onChange: (value: T) => void,
): HTMLElement {
  const options = values.map((one) => [one, names[one]] as const);
  const listNames = { tool: name, label: name, title: name };
  return choiceList(listNames, value, options, (chosen) => onChange(chosen as T));
}

function valuesButton(
  { shape, columns }: ChartContent,
  { values }: ChartRequest,
  onChange: (values: readonly number[]) => void,
): HTMLElement {
  const text = `Values ${values.length} of ${shape.values.length} ▾`;
  const title = 'Choose the columns to draw';
  const attributes = { 'data-tool': 'Values' };
  return popupButton({ text, title, attributes }, 'Columns to draw', (close) => {
    const chosen = new Set(values);
    const accept = () => {
      close();
      if (chosen.size > 0) onChange(shape.values.filter((column) => chosen.has(column)));
    };
    return [
      ...shape.values.map((column) =>
        toolCheckbox(columns[column]?.name ?? '', chosen.has(column), (checked) => {
          if (checked) chosen.add(column);
          else chosen.delete(column);
        }),
      ),
      textButton('action', 'Draw', accept),
    ];
  });
}

/** Doubles the range around its center, or shifts it back if it would otherwise extend into the future. */
function zoomOutButton(
  { from, to }: NonNullable<ChartContent['range']>,
  events: ToolbarEvents,
): HTMLElement {
  const half = (to - from) / 2;
  return button({
    class: 'quiet',
    text: 'Zoom Out',
    title: 'Double the time range and run the query again',
    attributes: { 'data-tool': 'Zoom Out' },
    onClick: () => {
      const end = Math.max(to, Math.min(to + half, Date.now()));
      events.selectRange(end - 4 * half, end);
    },
  });
}

const pictureNames: readonly (readonly [PictureAction, string])[] = [
  ['copy', 'Copy Picture'],
  ['png', 'Save as PNG…'],
  ['svg', 'Save as SVG…'],
  ['whitePng', 'Save as PNG on White…'],
  ['whiteSvg', 'Save as SVG on White…'],
];

function pictureButton(events: ToolbarEvents): HTMLElement {
  const text = 'Picture ▾';
  const title = 'Copy or save the chart as a picture';
  const attributes = { 'data-tool': 'Picture' };
  return popupButton({ text, title, attributes }, 'Picture of the chart', (close) =>
    pictureNames.map(([action, name]) =>
      textButton('quiet choice', name, () => {
        close();
        events.picture(action);
      }),
    ),
  );
}
