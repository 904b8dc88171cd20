/** The box and the line at the mark under the pointer, and what is announced of it. */
import { element } from '../../webview/page/dom.ts';
import type { Hit } from './kinds/drawn.ts';

const gap = 14;

export class HitBox {
  readonly elements: readonly HTMLElement[];
  readonly #line = element('div', { class: 'hit-line' });
  readonly #box = element('div', { class: 'hit-box', attributes: { 'aria-hidden': 'true' } });
  readonly #said = element('p', { class: 'heard', attributes: { role: 'status' } });
  #values: readonly HTMLElement[] = [];

  constructor() {
    this.elements = [this.#line, this.#box, this.#said];
    this.hide();
  }

  show(hit: Hit, width: number, height: number, hint: string | undefined): void {
    const [x, y] = hit.at;
    this.#line.hidden = !hit.line;
    if (hit.line) this.#line.style.transform = `translateX(${Math.round(x)}px)`;
    this.#values = hit.rows.map(({ value }) =>
      element('span', { class: 'hit-value', text: value }),
    );
    this.#box.replaceChildren(
      element('div', { class: 'hit-title', text: hit.title }),
      ...hit.rows.map((row, index) => {
        const swatch = element('span', { class: 'swatch' });
        swatch.style.background = row.color;
        return element('div', { class: row.key === hit.hot?.key ? 'hit-row hot' : 'hit-row' }, [
          swatch,
          element('span', { class: 'hit-name', text: row.name }),
          this.#values[index],
          row.earlier === undefined
            ? undefined
            : element('span', { class: 'hit-earlier', text: row.earlier }),
        ]);
      }),
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

  /** Puts exact values in place of those that were drawn. */
  setValues(values: readonly (string | undefined)[]): void {
    values.forEach((value, index) => {
      const shown = this.#values[index];
      if (shown && value !== undefined) shown.textContent = value;
    });
  }

  say({ title, rows, note }: Hit): void {
    const values = rows.map(({ name, value }) => `${name} ${value}`).join(', ');
    this.#said.textContent = [title, values, note].filter(Boolean).join('. ');
  }

  hide(): void {
    this.#line.hidden = true;
    this.#box.hidden = true;
  }
}
