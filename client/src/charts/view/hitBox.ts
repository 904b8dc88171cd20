/** The tooltip and the line at the mark under the pointer, and their announcement to screen readers. */
import { element, setText } from '../../webview/page/dom.ts';
import type { Hit, HitRow } from './kinds/drawn.ts';
import { sentences } from './kinds/leftOut.ts';
import { swatchElement } from './swatch.ts';

/** The distances in pixels from the pointer to the box, and from the box to the view's edges. */
const [gap, edge] = [14, 2];

export class HitBox {
  readonly #plot: HTMLElement;
  readonly #line = element('div', { class: 'hit-line' });
  readonly #box = element('div', { class: 'hit-box', attributes: { 'aria-hidden': 'true' } });
  readonly #announced = element('p', { class: 'heard', role: 'status' });
  #values: readonly HTMLElement[] = [];

  /** Adds the box to the view instead of the plot, because a low plot has no room for it. */
  constructor(plot: HTMLElement, view: HTMLElement) {
    this.#plot = plot;
    plot.append(this.#line, this.#announced);
    view.append(this.#box);
    this.hide();
  }

  show(hit: Hit, hint: string | undefined): void {
    const [x] = hit.at;
    this.#line.hidden = hit.time === undefined;
    this.#line.style.transform = `translateX(${Math.round(x)}px)`;
    this.#values = hit.rows.map(({ value }) =>
      element('span', { class: 'hit-value digits', text: value }),
    );
    const { earlierLabel } = hit;
    const columns = earlierLabel === undefined ? [] : ['Current', earlierLabel];
    this.#box.replaceChildren(
      element('div', { class: 'hit-title cut', text: hit.title }),
      element('div', { class: columns.length > 0 ? 'hit-rows compared' : 'hit-rows' }, [
        ...columns.map((text) => element('span', { class: 'hit-column digits dim', text })),
        ...hit.rows.map((row, index) => this.#row(row, index, hit)),
      ]),
      ...sentences(hit.note, hint).map((text) => element('div', { class: 'hit-note dim', text })),
    );
    this.#box.hidden = false;
    this.#place(hit);
  }

  /** Replaces drawn values with exact values. Undefined keeps the drawn value. */
  setValues(values: readonly (string | undefined)[]): void {
    values.forEach((value, index) => {
      const shown = this.#values[index];
      if (shown && value !== undefined) setText(shown, value);
    });
  }

  say({ title, rows, note, earlierLabel }: Hit): void {
    const values = rows.map(({ name, value, earlier }) =>
      earlier === undefined ? `${name} ${value}` : `${name} ${value}, ${earlierLabel} ${earlier}`,
    );
    const separator = earlierLabel === undefined ? ', ' : '; ';
    setText(this.#announced, [title, values.join(separator), note].filter(Boolean).join('. '));
  }

  hide(): void {
    this.#line.hidden = true;
    this.#box.hidden = true;
  }

  /** Places the box next to the mark, within the view. A box higher than the view extends above it. */
  #place({ at: [x, y] }: Hit): void {
    const plot = this.#plot.getBoundingClientRect();
    const box = this.#box.getBoundingClientRect();
    const view = (this.#box.parentElement as HTMLElement).getBoundingClientRect();
    const right = plot.left - view.left + x + gap;
    const left = right + box.width > view.width - edge ? right - 2 * gap - box.width : right;
    const below = plot.top - view.top + y - this.#plot.scrollTop + gap;
    const top = Math.min(below, view.height - box.height - edge);
    const highest = box.height + 2 * edge > view.height ? edge - view.top : edge;
    this.#box.style.transform = `translate(${Math.max(edge, Math.round(left))}px, ${Math.max(highest, Math.round(top))}px)`;
  }

  #row({ key, name, earlier, ...ink }: HitRow, index: number, hit: Hit): HTMLElement {
    return element('div', { class: key === hit.hot?.key ? 'hit-row hot' : 'hit-row' }, [
      swatchElement(ink),
      element('span', { class: 'hit-name cut', text: name }),
      this.#values[index],
      hit.earlierLabel === undefined
        ? undefined
        : element('span', { class: 'hit-earlier digits dim', text: earlier ?? 'no value' }),
    ]);
  }
}
