/** The bar above a dashboard's charts: name, time range, comparison, refresh interval and annotations. */

import { counted } from '../../../../formats/src/counts.ts';
import { earlierLabel } from '../../charts/marks.ts';
import { iconButton } from '../../webview/page/controls.ts';
import { button, element, setDescription, setText, setTitle } from '../../webview/page/dom.ts';
import { lengthInWords } from '../../words/timeText.ts';
import type { BoardView, StatusView } from '../boardContent.ts';
import { board } from './channel.ts';
import { clock, numberOption, numberSelect } from './controls.ts';
import { ResourceBar } from './resourceBar.ts';

const intervals = [0, 15, 30, 60, 300, 900] as const;
const offsets = [0, 60, 1_440, 10_080] as const;

export class BoardBar {
  readonly #reset = button({
    class: 'quiet',
    text: 'Reset',
    title: 'Reset to the time range of the dashboard',
    onClick: () => board.send('resetWindow', null),
  });
  readonly #against = numberSelect('Compare with', (minutes) =>
    board.send('setAgainst', { minutes }),
  );
  readonly #every = numberSelect('Refresh interval', (seconds) =>
    board.send('setRefresh', { seconds }),
  );
  readonly #annotations = iconButton('Annotations', 'bookmark', () => {
    const shown = this.#annotations.ariaPressed !== 'true';
    board.send('setAnnotations', { shown });
  });
  readonly #status = element('span', { class: 'board-status dim digits', role: 'status' });
  readonly #bar = new ResourceBar('Dashboard', [
    this.#reset,
    this.#against,
    this.#every,
    this.#annotations,
    this.#status,
  ]);
  readonly element = this.#bar.element;

  update(view: BoardView): void {
    this.#bar.update(view, [view.description, view.deployment], 'Time range');
    const { shown, problem } = view.annotations;
    this.#annotations.ariaPressed = String(shown);
    setTitle(this.#annotations, shown ? (problem ?? 'Hide Annotations') : 'Show Annotations');
    setDescription(this.#annotations, shown ? (problem ?? null) : null);
    this.#annotations.classList.toggle('warns', shown && problem !== undefined);
    this.#reset.hidden = !view.isOtherWindow;
    options(this.#against, [...offsets, view.ownAgainstMinutes], view.againstMinutes, (minutes) =>
      minutes === 0 ? 'No comparison' : earlierLabel({ minutes }),
    );
    options(this.#every, [...intervals, view.ownRefreshSeconds], view.refreshSeconds, (seconds) =>
      seconds === 0 ? 'No refresh' : `Every ${lengthInWords(seconds)}`,
    );
  }

  setStatus({ running, waiting, failed, updatedAt, timeZone }: StatusView): void {
    const left = running + waiting;
    // Announce one status for all charts, because screen readers don't announce the status of each chart.
    const settled = [
      failed > 0 ? `${counted(failed, 'chart')} failed` : '',
      updatedAt === undefined ? '' : `As of ${clock(updatedAt, timeZone)}`,
    ];
    setText(
      this.#status,
      left > 0 ? `${counted(left, 'query', 'queries')} left` : settled.filter(Boolean).join(' · '),
    );
    this.#bar.refresh.classList.toggle('busy', left > 0);
  }

  focus(): void {
    this.#bar.window.focus();
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
    select.replaceChildren(...all.map((value) => numberOption(value, label(value))));
  }
  select.value = String(chosen);
}
