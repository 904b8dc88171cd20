/** The box and the line at the mark under the pointer, and what is announced of it. */
import { element } from '../../webview/page/dom.ts';
import type { Hit, HitRow } from './kinds/drawn.ts';

/** Pixels between the pointer and the box. */
const gap = 14;

export class HitBox {
  readonly elements: readonly HTMLElement[];
  readonly #line = element('div', { class: 'hit-line' });
  readonly #box = element('div', { class: 'hit-box', attributes: { 'aria-hidden': 'true' } });
  readonly #announced = element('p', { class: 'heard', attributes: { role: 'status' } });
  #values: readonly HTMLElement[] = [];

  constructor() {
    this.elements = [this.#line, this.#box, this.#announced];
    this.hide();
  }

  show(hit: Hit, width: number, height: number, hint: string | undefined): void {
    const [x, y] = hit.at;
    this.#line.hidden = !hit.line;
    if (hit.line) this.#line.style.transform = `translateX(${Math.round(x)}px)`;
    this.#values = hit.rows.map(({ value }) =>
      element('span', { class: 'hit-value', text: value }),
    );
    const compares = hit.earlierLabel !== undefined;
    this.#box.replaceChildren(
      element('div', { class: 'hit-title', text: hit.title }),
      element('div', { class: compares ? 'hit-rows compared' : 'hit-rows' }, [
        ...(compares
          ? [
              element('span', { class: 'hit-column', text: 'Current' }),
              element('span', { class: 'hit-column', text: hit.earlierLabel }),
            ]
          : []),
        ...hit.rows.map((row, index) => this.#row(row, index, hit)),
      ]),
      ...[hit.note, hint]
        .filter((text) => text !== undefined)
        .map((text) => element('div', { class: 'hit-note', text })),
    );
    this.#box.hidden = false;
    const box = this.#box.getBoundingClientRect();
    const left = x + gap + box.width > width ? x - gap - box.width : x + gap;
    const top = Math.min(y + gap, height - box.height - 2);
    this.#box.style.transform = `translate(${Math.max(2, Math.round(left))}px, ${Math.max(2, Math.round(top))}px)`;
  }

  /** Replaces the values that were drawn by exact ones; undefined leaves a value as it is. */
  setValues(values: readonly (string | undefined)[]): void {
    values.forEach((value, index) => {
      const shown = this.#values[index];
      if (shown && value !== undefined) shown.textContent = value;
    });
  }

  say({ title, rows, note, earlierLabel }: Hit): void {
    const values = rows.map(({ name, value, earlier }) =>
      earlier === undefined ? `${name} ${value}` : `${name} ${value}, ${earlierLabel} ${earlier}`,
    );
    const separator = earlierLabel === undefined ? ', ' : '; ';
    this.#announced.textContent = [title, values.join(separator), note].filter(Boolean).join('. ');
  }

  hide(): void {
    this.#line.hidden = true;
    this.#box.hidden = true;
  }

  #row({ key, name, color, earlier }: HitRow, index: number, hit: Hit): HTMLElement {
    const swatch = element('span', { class: 'swatch' });
    swatch.style.background = color;
    return element('div', { class: key === hit.hot?.key ? 'hit-row hot' : 'hit-row' }, [
      swatch,
      element('span', { class: 'hit-name', text: name }),
      this.#values[index],
      hit.earlierLabel === undefined
        ? undefined
        : element('span', { class: 'hit-earlier', text: earlier ?? 'no value' }),
    ]);
  }
}
