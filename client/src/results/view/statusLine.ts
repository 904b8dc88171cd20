/** The line above the grid: choices, the summary of the result or the progress of the run, and notices. */
import { counted } from '../../../../formats/src/counts.ts';
import { button, element, setLines, setText } from '../../webview/page/dom.ts';
import type { ResultContent, Running, ViewCancelled, ViewNotice } from '../pageContent.ts';
import { type RunCommand, secondsUntil } from './emptyStates.ts';

interface LineParts {
  readonly summary: readonly string[];
  readonly notices: readonly ViewNotice[];
  readonly choices: readonly (HTMLElement | undefined)[];
  readonly actions: readonly HTMLElement[];
  /** The later run that was cancelled, if any. */
  readonly cancelled: ViewCancelled | undefined;
  readonly run: RunCommand;
}

export function statusLine(parts: LineParts): HTMLElement {
  const { summary, notices, choices, actions, cancelled, run } = parts;
  const texts = [...(cancelled ? [cancelled.message] : []), ...summary];
  return element('header', { class: 'status flow' }, [
    ...choices,
    element(
      'span',
      { class: 'summary flow dim digits', role: 'status' },
      texts.map((text) => element('span', { class: 'part', title: text, text })),
    ),
    ...(cancelled ? cancelledActions(cancelled, run) : []),
    ...notices.map(noticeBadge),
    element('span', { class: 'line-actions beside' }, actions),
  ]);
}

/** Returns the line for content that remains visible after a cancelled run. */
export function cancelledLine(cancelled: ViewCancelled, run: RunCommand): HTMLElement {
  return element('header', { class: 'status flow' }, [
    element('span', { class: 'summary flow dim digits', text: cancelled.message, role: 'status' }),
    ...cancelledActions(cancelled, run),
  ]);
}

function cancelledActions({ actions }: ViewCancelled, run: RunCommand): HTMLElement[] {
  return actions.map(({ label, command }) =>
    button({ class: 'quiet run-again', text: label, onClick: () => run(command) }),
  );
}

/**
 * The line for a run in progress, with a Cancel button. It is updated in place, because a new line would restart the
 * progress bar and have screen readers announce the focused button again.
 */
export class RunningLine {
  readonly element: HTMLElement;
  readonly #state = element('span', { class: 'part', role: 'status' });
  readonly #arrived = element('span', { class: 'part' });
  readonly #clock = element('span', { class: 'clock' });
  readonly #timer = setInterval(() => this.#tick(), 500);
  #running: Running;

  constructor(running: Running, onCancel: () => void) {
    const parts = [running.deployment, running.rangeLabel].filter((part) => part !== '');
    this.element = element('div', { class: 'status running flow' }, [
      element('div', { class: 'progress', attributes: { 'aria-hidden': 'true' } }),
      element('span', { class: 'summary flow dim digits' }, [
        this.#state,
        this.#arrived,
        element('span', { class: 'part' }, [this.#clock]),
        ...parts.map((text) => element('span', { class: 'part', text })),
      ]),
      button({
        class: 'cancel quiet',
        text: 'Cancel',
        title: 'Cancel (Escape)',
        onClick: onCancel,
      }),
    ]);
    this.#running = running;
    this.update(running);
  }

  /** Whether the line belongs to a run, whose state may have changed. */
  isOf({ startedAt }: Running): boolean {
    return startedAt === this.#running.startedAt;
  }

  update(running: Running): void {
    this.#running = running;
    const { wait, arrivedRows } = running;
    const state = wait ? `${wait.reason} Waiting` : arrivedRows ? 'Receiving rows' : 'Running';
    // The count isn't part of the status, because announcing every count would be too frequent.
    if (this.#state.textContent !== state) setLines(this.#state, state);
    this.#arrived.hidden = !arrivedRows;
    setText(this.#arrived, arrivedRows ? `${counted(arrivedRows, 'row')} so far` : '');
    this.#tick();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const { startedAt, wait } = this.#running;
    const seconds = Math.max(0, Date.now() - startedAt) / 1_000;
    const text = wait ? `again in ${secondsUntil(wait.until)} s` : `${seconds.toFixed(1)} s`;
    setText(this.#clock, text);
  }
}

export function modeChoice(
  shown: 'table' | 'chart',
  onShow: (shown: 'table' | 'chart') => void,
): HTMLElement {
  const names = { table: 'Table', chart: 'Chart' } as const;
  return choices(
    'Show as',
    'tables modes beside',
    (['table', 'chart'] as const).map((mode) =>
      choice(names[mode], mode === shown, () => onShow(mode), { 'data-mode': mode }),
    ),
  );
}

export function backButton(undoes: 'range' | 'filter', onBack: () => void): HTMLElement {
  const what =
    undoes === 'filter' ? 'Remove the filter and run again' : 'Back to the earlier time range';
  return button({
    class: 'quiet back',
    text: '← Back',
    title: `${what} (Alt+Left)`,
    onClick: onBack,
  });
}

/** Returns the buttons that select a table; undefined if there is only one table. */
export function tableTabs(
  { tables }: ResultContent,
  open: number,
  onOpen: (table: number) => void,
): HTMLElement | undefined {
  if (tables.length < 2) return undefined;
  const tabs = tables.map(({ label }, at) => choice(label, at === open, () => onOpen(at)));
  return choices('Result tables', 'tables beside', tabs);
}

function choices(label: string, name: string, buttons: readonly HTMLElement[]): HTMLElement {
  const attributes = { role: 'group', 'aria-label': label };
  return element('span', { class: name, attributes }, buttons);
}

function choice(
  text: string,
  isPressed: boolean,
  onClick: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement {
  return button({
    class: 'table-choice',
    text,
    attributes: { 'aria-pressed': String(isPressed), ...attributes },
    onClick,
  });
}

function noticeBadge(notice: ViewNotice): HTMLElement {
  return element(
    'span',
    {
      class: `notice beside ${notice.severity}`,
      title: notice.message,
      role: 'note',
      label: notice.message,
      tabIndex: 0,
    },
    [element('span', { text: notice.label })],
  );
}
