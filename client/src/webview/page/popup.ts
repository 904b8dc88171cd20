/** A box that is shown over the page next to an element. Escape and a click elsewhere close it. */
import { element } from './dom.ts';
import { FocusMark } from './keepFocus.ts';

interface PopupOptions {
  /** The name for assistive technology. */
  readonly label: string;
  readonly class?: string;
  /** Whether the popup stays open when the page's content or size changes, so that no typed text is lost. */
  readonly isForm?: boolean;
  /** Called exactly once, for every way of closing. */
  readonly onClose?: () => void;
}

const margin = 4;

/** Selects the container of popups. A page that shares its document with other pages has its own container. */
const popupRoot = '[data-popups], main';

let open: Popup | undefined;

export class Popup {
  readonly box: HTMLElement;
  readonly #controller = new AbortController();
  /** The element that had the focus before the popup opened. It gets the focus back. */
  readonly #before = FocusMark.now();
  readonly #options: PopupOptions;

  constructor(content: readonly Node[], options: PopupOptions) {
    open?.close();
    open = this;
    this.#options = options;
    const { label, class: name = '' } = options;
    const box = { class: `popup ${name}`, role: 'dialog', label, tabIndex: -1 };
    this.box = element('div', box, content);
  }

  /** Closes the open popup because the page's content has changed, unless it is a form. */
  static closeOpen(): void {
    if (open && !open.#options.isForm) open.close();
  }

  static get isOpen(): boolean {
    return open !== undefined;
  }

  /** Shows the box below the anchor, or where it fits, and moves the focus into it. */
  show(anchor: Element, focus?: HTMLElement): this {
    const { signal } = this.#controller;
    (document.querySelector(popupRoot) ?? document.body).append(this.box);
    this.place(anchor);
    // Place the box again when content that arrives later enlarges it.
    const resized = new ResizeObserver(() => anchor.isConnected && this.place(anchor));
    resized.observe(this.box);
    signal.addEventListener('abort', () => resized.disconnect());
    this.box.addEventListener('keydown', (event) => this.#key(event), { signal });
    const onResize = () => (this.#options.isForm ? this.place(anchor) : this.close());
    window.addEventListener('resize', onResize, { signal });
    document.addEventListener(
      'mousedown',
      (event) => {
        if (event.target instanceof Node && !this.box.contains(event.target)) this.close(false);
      },
      { signal, capture: true },
    );
    (focus ?? this.box).focus();
    return this;
  }

  place(anchor: Element): void {
    const at = anchor.getBoundingClientRect();
    const { width, height } = this.box.getBoundingClientRect();
    const left = Math.max(margin, Math.min(at.left, innerWidth - width - margin));
    const below = at.bottom + 2;
    const top = Math.max(margin, Math.min(below, innerHeight - height - margin));
    this.box.style.left = `${left}px`;
    this.box.style.top = `${top}px`;
  }

  close(restoreFocus = true): void {
    if (open === this) open = undefined;
    if (this.#controller.signal.aborted) return;
    const focused = this.box.contains(document.activeElement);
    this.#controller.abort();
    this.box.remove();
    if (restoreFocus && focused) this.#before?.restore();
    this.#options.onClose?.();
  }

  /** Keeps the focus inside on Tab, and closes the box on Escape. */
  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return this.close();
    }
    if (event.key !== 'Tab') return;
    const stops = [
      ...this.box.querySelectorAll<HTMLElement>(
        'button, input, select, [tabindex]:not([tabindex="-1"])',
      ),
    ].filter((stop) => !stop.hasAttribute('disabled') && stop.offsetParent !== null);
    const first = stops[0];
    const last = stops.at(-1);
    const now = document.activeElement;
    if (event.shiftKey ? now === first || now === this.box : now === last) {
      event.preventDefault();
      (event.shiftKey ? last : first)?.focus();
    }
  }
}
