/** Handles the mark at the pointer or keyboard cursor: its tooltip, and the filter or range that a click sets. */

import type { ChartData, ChartPoint } from '../../../../table/src/chart/chart.ts';
import { shortened } from '../../../../table/src/visibleText.ts';
import { debounced } from '../../webview/page/dom.ts';
import { exactNumber } from './format.ts';
import { HitBox } from './hitBox.ts';
import type { Drawn, Hit } from './kinds/drawn.ts';
import type { ChartContent, ChartEvents } from './module.ts';
import type { Plot } from './plot.ts';

/** The delay in milliseconds before exact values are requested for a mark. */
const exactAfter = 40;
interface PointingParts {
  readonly plot: Plot;
  readonly view: HTMLElement;
  readonly drawn: () => Drawn | undefined;
  readonly data: () => ChartData | undefined;
  readonly content: () => ChartContent;
  readonly events: ChartEvents;
  readonly exact: (time: number, signal: AbortSignal) => Promise<ChartPoint>;
}

export class Pointing {
  readonly #parts: PointingParts;
  readonly #box: HitBox;
  readonly #refine = debounced(exactAfter, () => void this.#showExact());
  #exact = new AbortController();
  #mark: number | undefined;
  #hit: Hit | undefined;

  constructor(parts: PointingParts) {
    this.#parts = parts;
    const surface = parts.plot.element;
    this.#box = new HitBox(surface, parts.view);
    surface.addEventListener('pointerleave', () => this.leave());
    surface.addEventListener('pointerdown', ({ altKey }) => altKey && keepMenuClosed(surface));
    surface.addEventListener('click', ({ altKey }) => this.#click(altKey));
    surface.addEventListener('keydown', (event) => this.#key(event));
    surface.addEventListener('blur', () => this.leave());
  }

  point({ clientX, clientY }: PointerEvent): void {
    const { plot, drawn } = this.#parts;
    const box = plot.element.getBoundingClientRect();
    const at = [clientX - box.left, clientY - box.top + plot.element.scrollTop] as const;
    const mark = drawn()?.markAt(at[0], at[1], plot);
    if (mark === undefined) this.leave();
    else this.#show(mark, at);
  }

  leave(): void {
    this.#mark = undefined;
    this.#hit = undefined;
    this.#box.hide();
    this.#parts.plot.element.classList.remove('clickable');
  }

  dispose(): void {
    this.leave();
    this.#exact.abort();
  }

  #show(mark: number, pointer?: readonly [number, number]): void {
    const { plot, drawn, content } = this.#parts;
    const hit = drawn()?.hit(mark, plot, pointer);
    if (hit === undefined) return this.leave();
    this.#mark = mark;
    this.#hit = hit;
    const { canSelectRange, editable } = content();
    const filtered = editable && hit.hot?.origin ? hit.hot.name : undefined;
    const hint = clickHint(canSelectRange && hit.span !== undefined, filtered);
    plot.element.classList.toggle('clickable', hint !== undefined);
    this.#box.show(hit, hint);
    if (pointer === undefined) this.#box.say(hit);
    this.#refine();
  }

  async #showExact(): Promise<void> {
    const hit = this.#hit;
    const data = this.#parts.data();
    if (hit?.time === undefined || data?.kind !== 'timeSeries') return;
    this.#exact.abort();
    this.#exact = new AbortController();
    const { signal } = this.#exact;
    try {
      const { values } = await this.#parts.exact(hit.time, signal);
      if (signal.aborted || this.#hit !== hit) return;
      const units = new Map(data.series.map(({ key, unit }) => [key, unit]));
      this.#box.setValues(
        hit.rows.map(({ key }) => {
          const text = values[key] ?? undefined;
          return text && exactNumber(text, units.get(key));
        }),
      );
    } catch {
      // Keep the drawn values if the request fails.
    }
  }

  #click(exclude: boolean): void {
    const { span, hot } = this.#hit ?? {};
    const { content, events } = this.#parts;
    const { canSelectRange, editable } = content();
    if (span && canSelectRange && !exclude) events.selectRange(span.from, span.to);
    else if (hot?.origin && editable) events.filter(hot.origin, exclude);
  }

  #key(event: KeyboardEvent): void {
    const { drawn, content, events } = this.#parts;
    const marks = drawn()?.marks ?? 0;
    const { key, altKey } = event;
    const current = this.#mark;
    if (altKey && key === 'ArrowLeft') {
      if (!content().canGoBack) return;
      events.back();
    } else if (marks === 0) return;
    else if (key === 'ArrowRight' || key === 'ArrowDown')
      this.#show(Math.min(marks - 1, (current ?? -1) + 1));
    else if (key === 'ArrowLeft' || key === 'ArrowUp')
      this.#show(Math.max(0, (current ?? marks) - 1));
    else if (key === 'Home') this.#show(0);
    else if (key === 'End') this.#show(marks - 1);
    else if (key === 'Enter' && this.#hit) this.#click(altKey);
    else if (key === 'Escape' && current !== undefined) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Describes the effect of a click on the current mark; undefined if it has none. */
function clickHint(selects: boolean, filtered: string | undefined): string | undefined {
  if (!selects) return filtered && 'Click adds a filter, Alt+click excludes';
  return `Click to set this time range${filtered ? `, Alt+click excludes ${shortened(filtered, 40)}` : ''}`;
}

/**
 * Keeps VS Code's menu bar from getting the focus after Alt+click. VS Code focuses it if Alt is released without
 * another key in between, and doesn't see clicks in a page.
 */
function keepMenuClosed(surface: HTMLElement): void {
  const other = { key: 'Unidentified', altKey: true, bubbles: true };
  // Send two events: if the page has just received the focus, VS Code takes the first for Alt itself.
  for (let count = 0; count < 2; count++)
    surface.dispatchEvent(new KeyboardEvent('keydown', other));
}
