/** The strip below the grid: the selection's statistics, buttons that load more rows, and the time zone. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { CellBlock } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { button, debounced, element, setLines, setText } from '../../webview/page/dom.ts';
import { errorMessage } from '../../words/errors.ts';
import { channel } from './channel.ts';
import { cellsOf } from './selection.ts';
import { figureTexts, showColumnFigures } from './selectionFigures.ts';
import { type OpenTable, waitingForRows } from './table/openTable.ts';

const FIGURES_MS = 120;
const NOTE_MS = 4_000;

export class StatusStrip {
  readonly element: HTMLElement;
  readonly #open: OpenTable;
  readonly #figures = element('span', { class: 'figures flow fill digits', role: 'status' });
  /** The last action's message, which `OpenTable` announces. */
  readonly #note = element('span', { class: 'note rigid optional' });
  readonly #loaded = element('span', { class: 'loaded dim', role: 'status' });
  readonly #more = button({
    class: 'quiet more-rows',
    text: 'Load More Rows',
    onClick: () => this.#more.ariaDisabled === null && void this.loadMore(),
  });
  readonly #all = button({
    class: 'quiet all-rows',
    text: 'Load All',
    title: 'Load all rows, page by page',
    onClick: () => this.#all.ariaDisabled === null && void this.loadAll(true),
  });
  /** Announces a load once, because announcing every count would be too frequent. */
  readonly #loadStatus = element('span', { class: 'heard', role: 'status' });
  readonly #progress = element('span', { class: 'load-count' });
  readonly #cancel = button({
    class: 'quiet cancel-load',
    text: 'Cancel',
    title: 'Stop loading rows and keep those that are loaded',
    onClick: () => channel.send('cancelLoad', { answer: this.#open.place.answer }),
  });
  /** The progress of loading all rows, with a Cancel button. Hidden if no load is in progress. */
  readonly #loading = element('span', { class: 'load-all rigid dim digits' }, [
    this.#loadStatus,
    this.#progress,
    this.#cancel,
  ]);
  readonly #later = debounced(FIGURES_MS, () => void this.#ask());
  readonly #disposed = new AbortController();
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #controller = new AbortController();
  #blocks: readonly CellBlock[] = [];

  constructor(open: OpenTable) {
    this.#open = open;
    this.#loading.hidden = true;
    this.#offer();
    const hasTimes = open.table.columns.some(({ kind }) => kind === 'time');
    this.element = element('footer', { class: 'strip beside rigid' }, [
      this.#note,
      this.#figures,
      this.#loaded,
      this.#more,
      this.#all,
      this.#loading,
      hasTimes ? zoneOf(open) : undefined,
    ]);
  }

  /** Updates the strip after the selection changed. The statistics follow once the selection is stable. */
  selected(blocks: readonly CellBlock[]): void {
    this.#blocks = blocks;
    this.#controller.abort();
    this.#clearNote();
    if (cellsOf(blocks) < 2) this.#figures.replaceChildren();
    else this.#later();
  }

  /** Offers more rows if there are any, and states whether the order and filters wait or apply only to loaded rows. */
  drawLoaded(): void {
    this.#offer();
    const { more, view, isArriving } = this.#open;
    const [sorted, filtered] = [view.order.length > 0, view.filters.length > 0];
    const what = !filtered ? 'Order' : sorted ? 'Order and filters' : 'Filters';
    const limits = isArriving ? waitingForRows : more ? `${what} of the loaded rows only` : '';
    setText(this.#loaded, sorted || filtered ? limits : '');
  }

  async loadMore(): Promise<void> {
    // Report the arrangement first, because the next screen uses the host's version.
    this.#open.record.send();
    this.#setBusy(true);
    try {
      await channel.request('loadMore', this.#open.place);
    } catch (error) {
      this.#open.failed(error);
    } finally {
      this.#setBusy(false);
    }
  }

  /** Follows a load of all rows until it ends and the host sends another screen. `start` starts the load. */
  async loadAll(start: boolean): Promise<void> {
    const { place, more, record, failed } = this.#open;
    if (!this.#loading.hidden || !more) return;
    record.send();
    const focused = this.element.contains(document.activeElement);
    this.#showLoading(true);
    this.#controller.abort();
    this.#figures.replaceChildren();
    if (focused) this.#cancel.focus();
    try {
      let params = { ...place, rows: 0, start };
      for (;;) {
        const progress = await channel.request('loadAll', params, this.#disposed.signal);
        if (progress.done) break;
        const [rows, total] = [progress.rows, progress.total].map(grouped);
        setText(this.#progress, `Loading ${rows} of ${total} rows…`);
        params = { ...params, rows: progress.rows, start: false };
      }
    } catch (error) {
      failed(error);
    } finally {
      this.#showLoading(false);
    }
  }

  problem(message: string): void {
    this.#controller.abort();
    this.#figures.replaceChildren(element('span', { class: 'strip-problem', lines: message }));
  }

  /** Shows the result of an action until the selection changes or a few seconds have passed. */
  note(message: string): void {
    this.#clearNote();
    setText(this.#note, message);
    this.#noteTimer = setTimeout(() => this.#clearNote(), NOTE_MS);
  }

  dispose(): void {
    this.#clearNote();
    this.#controller.abort();
    this.#disposed.abort();
  }

  #setBusy(isLoading: boolean): void {
    // Use `aria-disabled`, because a disabled button would lose the focus.
    for (const one of [this.#more, this.#all]) one.ariaDisabled = isLoading ? 'true' : null;
    setText(this.#more, isLoading ? 'Loading…' : 'Load More Rows');
  }

  #showLoading(isLoading: boolean): void {
    this.#loading.hidden = !isLoading;
    setText(this.#progress, '');
    setText(this.#loadStatus, isLoading ? 'Loading all rows' : '');
    this.#offer();
  }

  #offer(): void {
    for (const one of [this.#more, this.#all])
      one.hidden = !this.#open.more || !this.#loading.hidden;
  }

  async #ask(): Promise<void> {
    const blocks = this.#blocks;
    if (cellsOf(blocks) < 2) return;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { place, table, isArriving } = this.#open;
    if (isArriving) setText(this.#figures, waitingForRows);
    try {
      const { signal } = this.#controller;
      const figures = await channel.request('figures', { ...place, blocks }, signal);
      this.#figures.replaceChildren(
        ...figureTexts(figures, table.columns).map(({ name, text, exact }) =>
          element('span', { class: 'figure beside', title: `${name}: ${exact}` }, [
            element('span', { class: 'figure-name dim', text: name }),
            element('span', { text }),
          ]),
        ),
        ...(figures.measured.length > 1 ? [this.#perColumn(figures.measured)] : []),
      );
    } catch (error) {
      if (!isCancelled(error)) setLines(this.#figures, errorMessage(error));
    }
  }

  /** Offers separate statistics per column, because a sum over different columns is meaningless. */
  #perColumn(measured: readonly number[]): HTMLElement {
    const blocks = this.#blocks;
    return button({
      class: 'quiet per-column',
      text: 'Per Column',
      title: 'Show the sum, average, minimum and maximum of each column',
      attributes: { 'aria-haspopup': 'dialog' },
      onClick: ({ currentTarget }) =>
        showColumnFigures(currentTarget as HTMLElement, this.#open, blocks, measured),
    });
  }

  #clearNote(): void {
    clearTimeout(this.#noteTimer);
    setText(this.#note, '');
  }
}

/** Returns the current time zone. It is a toggle button, unless the local zone is UTC. */
function zoneOf({ parts, record }: OpenTable): HTMLElement {
  const { timeZone, localZone } = parts.screen;
  if (/^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/.test(localZone))
    return element('span', { class: 'zone plain dim', text: 'UTC' });
  const [zone, other] = timeZone === 'utc' ? ['UTC', localZone] : [localZone, 'UTC'];
  return button({
    class: 'quiet zone',
    text: zone,
    title: `Times are shown in ${zone}. Click to show them in ${other}.`,
    onClick: () => {
      record.send();
      channel.send('setTimeZone', { timeZone: timeZone === 'utc' ? 'local' : 'utc' });
    },
  });
}
