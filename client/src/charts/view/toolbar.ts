/** The choices of a chart: its kind, how it is drawn, what it is compared with, and its pictures. */

import {
  type ChartChoice,
  type ChartKind,
  type ChartRequest,
  type MissingValues,
  missingValues,
  type SeriesStyle,
  seriesStyles,
} from '../../../../table/src/chart/chart.ts';
import { button, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { EarlierOffset } from '../marks.ts';
import { comparison } from './comparison.ts';
import type { ChartContent } from './module.ts';
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

interface ToolbarEvents {
  choose(choice: ChartChoice): void;
  compare(offset: EarlierOffset | null): void;
  selectRange(from: number, to: number): void;
  picture(action: PictureAction): void;
}

/** Choices that change nothing for some data: one series alone is not stacked, and there may be no gaps. */
export interface ChoicesWithEffect {
  readonly stacked: boolean;
  readonly missing: boolean;
}

export class Toolbar {
  readonly element = element('div', {
    class: 'chart-tools',
    attributes: { role: 'toolbar', 'aria-label': 'Chart' },
  });
  readonly #events: ToolbarEvents;
  #shown = '';
  /** Shows the tools after the first where they are collapsed, as they are in a narrow page. */
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

  /** The tool that has the focus keeps it. */
  draw(content: ChartContent, request: ChartRequest, effects: ChoicesWithEffect): void {
    const shown = JSON.stringify([content, request, effects]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = document.activeElement?.closest<HTMLElement>('[data-tool]')?.dataset.tool;
    const made = tools(content, request, effects, this.#events);
    this.element.replaceChildren(...(made.length > 1 ? [...made, this.#more] : made));
    if (focused !== undefined)
      this.element.querySelector<HTMLElement>(`[data-tool="${focused}"]`)?.focus();
  }
}

function tools(
  content: ChartContent,
  request: ChartRequest,
  effects: ChoicesWithEffect,
  events: ToolbarEvents,
): HTMLElement[] {
  const { shape, choice, earlier, canSelectRange } = content;
  const isSeries = request.kind === 'timeSeries';
  const change = (changed: ChartChoice) => events.choose({ ...choice, ...changed });
  const style = choice.style ?? shape.style;
  return [
    shape.kinds.length > 1
      ? chooser('Chart', request.kind, shape.kinds, kindNames, (kind) => change({ kind }))
      : undefined,
    isSeries
      ? chooser('Style', style, seriesStyles, styleNames, (next) => change({ style: next }))
      : undefined,
    isSeries && style !== 'line' && effects.stacked
      ? checkbox('Stacked', request.stacked, (stacked) => change({ stacked }))
      : undefined,
    isSeries && effects.missing
      ? chooser('Gaps', request.missing, missingValues, missingNames, (missing) =>
          change({ missing }),
        )
      : undefined,
    shape.values.length > 1 && request.kind !== 'logStream' && request.kind !== 'heatmap'
      ? valuesButton(content, request, (values) => change({ values }))
      : undefined,
    isSeries && canSelectRange ? comparison(earlier?.offset, events.compare) : undefined,
    canSelectRange && content.range ? zoomOutButton(content.range, events) : undefined,
    request.kind === 'logStream' ? undefined : pictureButton(events),
  ].filter((tool) => tool !== undefined);
}

function chooser<T extends string>(
  label: string,
  value: T,
  values: readonly T[],
  names: Readonly<Record<T, string>>,
  onChange: (value: T) => void,
): HTMLElement {
  const select = element(
    'select',
    { class: 'field', title: label, attributes: { 'aria-label': label } },
    values.map((one) => element('option', { text: names[one], attributes: { value: one } })),
  );
  select.value = value;
  select.dataset.tool = label;
  select.addEventListener('change', () => onChange(select.value as T));
  return select;
}

function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
): HTMLElement {
  const input = element('input', { attributes: { type: 'checkbox' } });
  input.checked = checked;
  input.dataset.tool = label;
  input.addEventListener('change', () => onChange(input.checked));
  return element('label', { class: 'check' }, [input, element('span', { text: label })]);
}

function valuesButton(
  { shape, columns }: ChartContent,
  request: ChartRequest,
  onChange: (values: readonly number[]) => void,
): HTMLElement {
  const made = button({
    class: 'quiet',
    text: `Values ${request.values.length} of ${shape.values.length} ▾`,
    title: 'Choose the columns to draw',
    attributes: { 'aria-haspopup': 'dialog', 'data-tool': 'Values' },
    onClick: () => {
      const boxes = shape.values.map((column) => {
        const input = element('input', { attributes: { type: 'checkbox' } });
        input.checked = request.values.includes(column);
        return { column, input };
      });
      const popup = new Popup(
        [
          element('div', { class: 'choices' }, [
            ...boxes.map(({ column, input }) =>
              element('label', { class: 'check' }, [
                input,
                element('span', { text: columns[column]?.name ?? '' }),
              ]),
            ),
            button({
              class: 'action',
              text: 'Draw',
              onClick: () => {
                const chosen = boxes.filter(({ input }) => input.checked);
                popup.close();
                if (chosen.length > 0) onChange(chosen.map(({ column }) => column));
              },
            }),
          ]),
        ],
        { label: 'Columns to draw' },
      ).show(made, boxes[0]?.input);
    },
  });
  return made;
}

/** Doubles the range around its middle, which ends now at the latest. */
function zoomOutButton({ from, to }: TimeSpan, events: ToolbarEvents): HTMLElement {
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

type TimeSpan = NonNullable<ChartContent['range']>;

const pictureNames: readonly (readonly [PictureAction, string])[] = [
  ['copy', 'Copy Picture'],
  ['png', 'Save as PNG…'],
  ['svg', 'Save as SVG…'],
  ['whitePng', 'Save as PNG on White…'],
  ['whiteSvg', 'Save as SVG on White…'],
];

function pictureButton(events: ToolbarEvents): HTMLElement {
  const made = button({
    class: 'quiet',
    text: 'Picture ▾',
    title: 'Copy or save the chart as a picture',
    attributes: { 'aria-haspopup': 'dialog', 'data-tool': 'Picture' },
    onClick: () => {
      const choices = pictureNames.map(([action, text]) =>
        button({
          class: 'quiet choice',
          text,
          onClick: () => {
            popup.close();
            events.picture(action);
          },
        }),
      );
      const popup = new Popup([element('div', { class: 'choices' }, choices)], {
        label: 'Picture of the chart',
      }).show(made, choices[0]);
    },
  });
  return made;
}
