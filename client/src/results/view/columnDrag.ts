/** Moves a column by dragging its header. A line marks the drop position. */
import { element } from '../../webview/page/dom.ts';

/** The minimum drag length in pixels. A shorter drag is a click. */
const threshold = 6;
/** The time after a drag during which a click is ignored, so that it doesn't sort the column. */
const CLICK_MS = 50;

export class ColumnDrag {
  readonly #container: HTMLElement;
  readonly #onMove: (from: number, to: number) => void;
  readonly #controller = new AbortController();
  #endedAt = Number.NEGATIVE_INFINITY;

  /** `onMove` receives the column's old and new positions among the drawn columns, from 0. */
  constructor(container: HTMLElement, onMove: (from: number, to: number) => void) {
    this.#container = container;
    this.#onMove = onMove;
    const { signal } = this.#controller;
    for (const row of container.querySelectorAll('.slick-header'))
      row.addEventListener('mousedown', (event) => this.#press(event as MouseEvent), { signal });
  }

  get justDragged(): boolean {
    return performance.now() - this.#endedAt < CLICK_MS;
  }

  dispose(): void {
    this.#controller.abort();
  }

  #press(event: MouseEvent): void {
    const target = event.target as Element;
    const header = target.closest<HTMLElement>('.slick-header-column:not(.row-number)');
    if (event.button !== 0 || header === null) return;
    if (target.closest('.slick-resizable-handle, button')) return;
    const drag = new AbortController();
    const signal = AbortSignal.any([drag.signal, this.#controller.signal]);
    const line = element('div', { class: 'drop-line' });
    let place: number | undefined;
    window.addEventListener(
      'mousemove',
      (move) => {
        if ((move.buttons & 1) === 0) return end();
        if (place === undefined && Math.abs(move.clientX - event.clientX) < threshold) return;
        if (!line.isConnected) {
          this.#container.append(line);
          header.classList.add('dragged');
        }
        place = this.#placeAt(move.clientX, line);
      },
      { signal },
    );
    const end = () => {
      drag.abort();
      line.remove();
      header.classList.remove('dragged');
    };
    window.addEventListener(
      'mouseup',
      () => {
        end();
        if (place === undefined) return;
        this.#endedAt = performance.now();
        const from = Number(header.ariaColIndex) - 2;
        // Removing the column shifts the columns after it, so their gaps are one position lower.
        const to = place > from ? place - 1 : place;
        if (to !== from) this.#onMove(from, to);
      },
      { signal },
    );
    window.addEventListener('keydown', (key) => key.key === 'Escape' && end(), { signal });
  }

  /** Moves the line to the gap nearest to the pointer, and returns the gap's position. */
  #placeAt(x: number, line: HTMLElement): number {
    const box = this.#container.getBoundingClientRect();
    let place = 0;
    let at = box.left;
    for (const header of this.#container.querySelectorAll<HTMLElement>('.slick-header-column')) {
      const { left, right, width } = header.getBoundingClientRect();
      const index = Number(header.ariaColIndex) - 2;
      if (index < 0) {
        at = right;
        continue;
      }
      if (x < left + width / 2 || right < box.left) continue;
      place = index + 1;
      at = right;
    }
    line.style.left = `${Math.min(Math.max(at, box.left), box.right - 2) - box.left}px`;
    return place;
  }
}
