/** The strip below the grid: the figures of the selection, and what changes how rows are shown. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { CellBlock } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { button, debounced, element } from '../../webview/page/dom.ts';
import type { LoadProgress, ViewColumn } from '../messages.ts';
import type { SelectionFigures } from '../store/protocol.ts';
import { figureTexts, showColumnFigures } from './figures.ts';
import { cellsOf } from './selection.ts';

const FIGURES_MS = 120;
const NOTE_MS = 4_000;

interface StripActions {
  readonly figures: (
    blocks: readonly CellBlock[],
    signal: AbortSignal,
  ) => Promise<SelectionFigures>;
  readonly onTimeZone: () => void;
  readonly onMore: () => void;
  readonly onAll: () => void;
  readonly onCancel: () => void;
}

interface StripParts {
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
  readonly columns: readonly ViewColumn[];
  readonly more: boolean;
}

export class StatusStrip {
  readonly element: HTMLElement;
  readonly #figures = element('span', { class: 'figures', attributes: { role: 'status' } });
  /** The last action's message, which the table announces. */
  readonly #note = element('span', { class: 'note' });
  readonly #loaded = element('span', { class: 'loaded', attributes: { role: 'status' } });
  readonly #more: HTMLButtonElement;
  readonly #all: HTMLButtonElement;
  /** The load of all rows: its progress and a button that ends it. */
  readonly #loading: HTMLElement;
  /** Announced once; the count changes too often to be announced. */
  readonly #loadStatus = element('span', { class: 'heard', attributes: { role: 'status' } });
  readonly #progress = element('span', { class: 'load-count' });
  readonly #cancel: HTMLButtonElement;
  readonly #actions: StripActions;
  readonly #later: { (): void; flush(): void };
  readonly #columns: readonly ViewColumn[];
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #controller = new AbortController();
  #blocks: readonly CellBlock[] = [];
  #isMore: boolean;

  constructor(actions: StripActions, parts: StripParts) {
    this.#actions = actions;
    this.#columns = parts.columns;
    this.#later = debounced(FIGURES_MS, () => void this.#ask());
    this.#more = button({
      class: 'quiet more-rows',
      text: 'Load More Rows',
      onClick: () => this.#more.ariaDisabled === null && actions.onMore(),
    });
    this.#all = button({
      class: 'quiet all-rows',
      text: 'Load All',
      title: 'Load all rows, page by page',
      onClick: () => this.#all.ariaDisabled === null && actions.onAll(),
    });
    this.#cancel = button({
      class: 'quiet cancel-load',
      text: 'Cancel',
      title: 'Stop loading rows and keep those that are loaded',
      onClick: actions.onCancel,
    });
    this.#loading = element('span', { class: 'load-all' }, [
      this.#loadStatus,
      this.#progress,
      this.#cancel,
    ]);
    this.#loading.hidden = true;
    this.#isMore = parts.more;
    this.#offer();
    const hasTimes = parts.columns.some(({ kind }) => kind === 'time');
    this.element = element('footer', { class: 'strip' }, [
      this.#note,
      this.#figures,
      this.#loaded,
      this.#more,
      this.#all,
      this.#loading,
      hasTimes ? zoneOf(parts, actions.onTimeZone) : undefined,
    ]);
  }

  /** The selection has changed; figures follow when it has come to rest. */
  selected(blocks: readonly CellBlock[]): void {
    this.#blocks = blocks;
    this.#controller.abort();
    this.#clearNote();
    if (cellsOf(blocks) < 2) this.#figures.replaceChildren();
    else this.#later();
  }

  offerMore(more: boolean): void {
    this.#isMore = more;
    this.#offer();
  }

  /** Says that rows which are not loaded are neither sorted nor filtered; nothing for an empty text. */
  ofLoadedRows(what: string): void {
    this.#loaded.textContent = what === '' ? '' : `${what} of the loaded rows only`;
  }

  loading(isLoading: boolean): void {
    // A button that is disabled would lose the keyboard.
    for (const one of [this.#more, this.#all]) one.ariaDisabled = isLoading ? 'true' : null;
    this.#more.textContent = isLoading ? 'Loading…' : 'Load More Rows';
  }

  /** Shows how many rows are loaded while all of them are, with a button that cancels it. */
  loadingAll(progress: Omit<LoadProgress, 'done'> | 'begins' | 'ended'): void {
    if (typeof progress === 'object') {
      const [rows, total] = [progress.rows, progress.total].map(grouped);
      this.#progress.textContent = `Loading ${rows} of ${total} rows…`;
      return;
    }
    const begins = progress === 'begins';
    const focused = this.element.contains(document.activeElement);
    this.#loading.hidden = !begins;
    this.#progress.textContent = '';
    this.#loadStatus.textContent = begins ? 'Loading all rows' : '';
    this.#offer();
    if (!begins) return;
    this.#controller.abort();
    this.#figures.replaceChildren();
    if (focused) this.#cancel.focus();
  }

  #offer(): void {
    const offered = this.#isMore && this.#loading.hidden;
    this.#more.hidden = !offered;
    this.#all.hidden = !offered;
  }

  /** Says why something came to nothing, until the selection changes. */
  problem(message: string): void {
    this.#controller.abort();
    this.#figures.replaceChildren(element('span', { class: 'strip-problem', text: message }));
  }

  /** Says what was done, until the selection changes or for a few seconds. */
  note(message: string): void {
    this.#clearNote();
    this.#note.textContent = message;
    this.#noteTimer = setTimeout(() => this.#clearNote(), NOTE_MS);
  }

  dispose(): void {
    this.#clearNote();
    this.#controller.abort();
  }

  async #ask(): Promise<void> {
    if (cellsOf(this.#blocks) < 2) return;
    this.#controller.abort();
    this.#controller = new AbortController();
    try {
      const figures = await this.#actions.figures(this.#blocks, this.#controller.signal);
      this.#figures.replaceChildren(
        ...figureTexts(figures, this.#columns).map(({ name, text, exact }) =>
          element('span', { class: 'figure', title: `${name}: ${exact}` }, [
            element('span', { class: 'figure-name', text: name }),
            element('span', { text }),
          ]),
        ),
        ...(figures.measured.length > 1 ? [this.#perColumn(figures.measured)] : []),
      );
    } catch (error) {
      if (!isCancelled(error))
        this.#figures.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** A sum over columns that mean different things means nothing, so each column has its figures. */
  #perColumn(measured: readonly number[]): HTMLElement {
    const blocks = this.#blocks;
    return button({
      class: 'quiet per-column',
      text: 'Per Column',
      title: 'Show the sum, average, minimum and maximum of each column',
      attributes: { 'aria-haspopup': 'dialog' },
      onClick: ({ currentTarget }) =>
        showColumnFigures(currentTarget as HTMLElement, {
          blocks,
          measured,
          columns: this.#columns,
          figures: this.#actions.figures,
        }),
    });
  }

  #clearNote(): void {
    clearTimeout(this.#noteTimer);
    this.#note.textContent = '';
  }
}

/** The time zone in effect; a toggle unless this machine's own zone is UTC as well. */
function zoneOf({ timeZone, localZone }: StripParts, onClick: () => void): HTMLElement {
  if (/^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/.test(localZone))
    return element('span', { class: 'zone plain', text: 'UTC' });
  const [zone, other] = timeZone === 'utc' ? ['UTC', localZone] : [localZone, 'UTC'];
  return button({
    class: 'quiet zone',
    text: zone,
    title: `Times are shown in ${zone}. Click to show them in ${other}.`,
    onClick,
  });
}
