/** The bar above the charts of a dashboard: its name, time range, comparison and refresh interval. */

import { counted } from '../../../../formats/src/counts.ts';
import { button, element } from '../../webview/page/dom.ts';
import type { BoardView, StatusView } from '../messages.ts';
import { board } from './channel.ts';
import { iconButton, showWindow, showWithTitle, windowButton } from './controls.ts';
import { clock } from './times.ts';

const intervals = [0, 15, 30, 60, 300, 900] as const;
const offsets = [0, 60, 1_440, 10_080] as const;

export class BoardBar {
  readonly element = element('header', { class: 'board-bar' });
  readonly #name = element('span', { class: 'board-name', attributes: { 'aria-hidden': 'true' } });
  readonly #about = element('span', { class: 'board-about dim' });
  readonly #window = windowButton();
  readonly #reset = button({
    class: 'quiet',
    text: 'Reset',
    title: 'Reset to the time range of the dashboard',
    onClick: () => board.send('resetWindow', null),
  });
  readonly #against = element('select', {
    class: 'field',
    attributes: { 'aria-label': 'Compare with' },
  });
  readonly #every = element('select', {
    class: 'field',
    attributes: { 'aria-label': 'Refresh interval' },
  });
  readonly #annotations = iconButton('Annotations', 'bookmark', () => {
    const shown = this.#annotations.ariaPressed !== 'true';
    board.send('setAnnotations', { shown });
  });
  readonly #refresh = iconButton('Refresh', 'refresh', () => board.send('refresh', null));
  readonly #document = iconButton('Open Dashboard as JSON', 'code', () =>
    board.send('openDocument', null),
  );
  readonly #status = element('span', { class: 'board-status dim', attributes: { role: 'status' } });

  constructor() {
    this.#against.addEventListener('change', () =>
      board.send('setAgainst', { minutes: Number(this.#against.value) }),
    );
    this.#every.addEventListener('change', () =>
      board.send('setRefresh', { seconds: Number(this.#every.value) }),
    );
    this.element.append(
      element('div', { class: 'board-title' }, [this.#name, this.#about]),
      element('div', { class: 'board-tools' }, [
        this.#window,
        this.#reset,
        this.#against,
        this.#every,
        this.#annotations,
        this.#status,
        this.#refresh,
        this.#document,
      ]),
    );
  }

  update(view: BoardView): void {
    showWithTitle(this.#name, view.name);
    showWithTitle(this.#about, [view.description, view.deployment].filter(Boolean).join(' · '));
    showWindow(this.#window, view.window, 'Time range');
    const { shown, problem } = view.annotations;
    this.#annotations.ariaPressed = String(shown);
    this.#annotations.title = shown ? (problem ?? 'Hide Annotations') : 'Show Annotations';
    this.#annotations.ariaDescription = shown ? (problem ?? null) : null;
    this.#annotations.classList.toggle('warns', shown && problem !== undefined);
    this.#reset.hidden = !view.isOtherWindow;
    options(this.#against, [...offsets, view.ownAgainstMinutes], view.againstMinutes, (minutes) =>
      minutes === 0 ? 'No comparison' : `${lengthText(minutes * 60)} earlier`,
    );
    options(this.#every, [...intervals, view.ownRefreshSeconds], view.refreshSeconds, (seconds) =>
      seconds === 0 ? 'No refresh' : `Every ${lengthText(seconds)}`,
    );
  }

  setStatus({ running, waiting, failed, updatedAt, timeZone }: StatusView): void {
    const left = running + waiting;
    // A status for all charts, because screen readers don't announce each chart.
    const settled = [
      failed > 0 ? `${counted(failed, 'chart')} failed` : '',
      updatedAt === undefined ? '' : `As of ${clock(updatedAt, timeZone)}`,
    ];
    this.#status.textContent =
      left > 0 ? `${counted(left, 'query', 'queries')} left` : settled.filter(Boolean).join(' · ');
    this.#refresh.classList.toggle('busy', left > 0);
  }

  focus(): void {
    this.#window.focus();
  }
}

function options(
  select: HTMLSelectElement,
  numbers: readonly number[],
  chosen: number,
  label: (number: number) => string,
): void {
  const all = [...new Set([...numbers, chosen])].sort((a, b) => a - b);
  const drawn = String(all);
  if (select.dataset.drawn !== drawn) {
    select.dataset.drawn = drawn;
    select.replaceChildren(
      ...all.map((value) =>
        element('option', { text: label(value), attributes: { value: String(value) } }),
      ),
    );
  }
  select.value = String(chosen);
}

const steps = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

function lengthText(seconds: number): string {
  const [size, name] = steps.find(([length]) => seconds % length === 0) ?? steps[4];
  return counted(seconds / size, name);
}
