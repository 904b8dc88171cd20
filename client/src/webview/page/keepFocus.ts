/** Keeps the focus in the page. If the focused element disappears, its replacement or the page's start is focused. */

const stops = 'button, input, select, textarea, a[href], summary, [tabindex]';

/** Remembers an element by its name and ancestors, so that its replacement is found after a redraw. */
export class FocusMark {
  readonly #element: HTMLElement;
  readonly #name: string;
  readonly #ancestors: readonly Element[];

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#name = nameOf(element);
    this.#ancestors = ancestorsOf(element);
  }

  /** Marks the focused element; undefined if nothing has the focus. */
  static now(): FocusMark | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || activeElement === document.body)
      return undefined;
    return new FocusMark(activeElement);
  }

  get canFocus(): boolean {
    return canFocus(this.#element);
  }

  /** Focuses the element, or its nearest replacement with the same name. Returns false if there is none. */
  restore(): boolean {
    if (focus(this.#element)) return true;
    if (this.#name === '') return false;
    for (const ancestor of this.#ancestors) {
      if (!ancestor.isConnected) continue;
      const same = [...ancestor.querySelectorAll<HTMLElement>(stops)].find(
        (stop) => nameOf(stop) === this.#name && canFocus(stop),
      );
      if (same) return focus(same);
    }
    return false;
  }
}

/** Keeps the focus in the page. `home` focuses the start of the page, if it can. */
export function keepFocus(home: () => void): void {
  let last: FocusMark | undefined;
  const isLost = () => document.hasFocus() && document.activeElement === document.body;
  const take = () => {
    if (!isLost() || last?.restore()) return;
    home();
    if (isLost()) firstStop()?.focus();
  };
  // Ignore a click on empty space, after which the last element can still be focused.
  const check = () => {
    if (isLost() && last?.canFocus !== true) take();
  };
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = new FocusMark(target);
  });
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget === null) requestAnimationFrame(check);
  });
  new MutationObserver(check).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['hidden', 'disabled', 'class'],
  });
  window.addEventListener('focus', take);
}

function firstStop(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(stops)].find(
    (stop) => stop.tabIndex >= 0 && canFocus(stop),
  );
}

function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

function focus(element: HTMLElement): boolean {
  if (canFocus(element)) element.focus();
  return document.activeElement === element;
}

/** Returns a control's name; empty in grids and trees, where elements are named by values that others may share. */
function nameOf(element: HTMLElement): string {
  if (element.closest('[role="grid"], [role="tree"]')) return '';
  const { tool, mode, column } = element.dataset;
  const text = element.ariaLabel ?? element.textContent?.trim().slice(0, 200) ?? '';
  const name = tool ?? mode ?? column ?? text;
  return name === '' ? '' : `${element.tagName} ${element.role ?? ''} ${name}`;
}

function ancestorsOf(element: Element): readonly Element[] {
  const ancestors: Element[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) ancestors.push(at);
  return ancestors;
}
