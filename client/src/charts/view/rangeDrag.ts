/** Selects a span of the horizontal axis by dragging. Escape cancels. */
import { element } from '../../webview/page/dom.ts';

/** The minimum drag length in pixels. A shorter drag is a click. */
const minPixels = 5;

interface RangeDragParts {
  readonly surface: HTMLElement;
  /** Whether the chart has a time axis. */
  readonly canDrag: () => boolean;
  /** `from` and `to` are pixels from the surface's left edge, in ascending order. */
  readonly onChoose: (from: number, to: number, shift: boolean) => void;
  readonly onDrag: () => void;
}

export class RangeDrag {
  readonly element = element('div', { class: 'range-drag' });
  readonly #parts: RangeDragParts;
  readonly #controller = new AbortController();
  #from: number | undefined;
  #moved = false;

  constructor(parts: RangeDragParts) {
    this.#parts = parts;
    this.element.hidden = true;
    const { signal } = this.#controller;
    const { surface } = parts;
    surface.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    surface.addEventListener('pointermove', (event) => this.#move(event), { signal });
    surface.addEventListener('pointerup', (event) => this.#up(event), { signal });
    surface.addEventListener('pointercancel', () => this.#end(), { signal });
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || this.#from === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.#end();
      },
      { signal, capture: true },
    );
  }

  get isDragging(): boolean {
    return this.#moved;
  }

  dispose(): void {
    this.#controller.abort();
  }

  #x({ clientX }: PointerEvent): number {
    const { left, width } = this.#parts.surface.getBoundingClientRect();
    return Math.max(0, Math.min(width, clientX - left));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || !this.#parts.canDrag()) return;
    this.#from = this.#x(event);
    this.#moved = false;
  }

  #move(event: PointerEvent): void {
    if (this.#from === undefined) return;
    // Cancel, because the button was released outside before the pointer was captured.
    if ((event.buttons & 1) === 0) return this.#end();
    const x = this.#x(event);
    if (!this.#moved && Math.abs(x - this.#from) < minPixels) return;
    if (!this.#moved) {
      this.#moved = true;
      this.#parts.surface.setPointerCapture(event.pointerId);
      this.#parts.onDrag();
    }
    this.element.hidden = false;
    this.element.style.left = `${Math.min(x, this.#from)}px`;
    this.element.style.width = `${Math.abs(x - this.#from)}px`;
    this.element.classList.toggle('annotating', event.shiftKey);
  }

  #up(event: PointerEvent): void {
    const from = this.#from;
    const moved = this.#moved;
    this.#end();
    if (from === undefined || !moved) return;
    const to = this.#x(event);
    this.#parts.onChoose(Math.min(from, to), Math.max(from, to), event.shiftKey);
  }

  #end(): void {
    this.#from = undefined;
    this.#moved = false;
    this.element.hidden = true;
  }
}
