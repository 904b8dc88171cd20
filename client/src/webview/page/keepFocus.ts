/**
 * Keeps the focus off the page's body. If the focused element is removed, hidden or drawn again, the focus goes to
 * its replacement, and otherwise to where the page begins. What closes gives the focus back by a `FocusMark`.
 */

const stops = 'button, input, select, textarea, a[href], summary, [tabindex]';

/** Remembers an element by its name and its ancestors, so that its replacement is found after a redraw. */
export class FocusMark {
  readonly #element: HTMLElement;
  readonly #name: string;
  readonly #ancestors: readonly Element[];

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#name = nameOf(element);
    this.#ancestors = ancestorsOf(element);
  }

  /** Marks the focused element; undefined where nothing has the focus. */
  static now(): FocusMark | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || activeElement === document.body)
      return undefined;
    return new FocusMark(activeElement);
  }

  get canFocus(): boolean {
    return canFocus(this.#element);
  }

  /** Focuses the element, or the nearest one of the same name that replaced it. Returns false if there is none. */
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

/** Keeps the focus in the page; `home` focuses where the page begins, if it can. */
export function keepFocus(home: () => void): void {
  let last: FocusMark | undefined;
  const isLost = () => document.hasFocus() && document.activeElement === document.body;
  const take = () => {
    if (!isLost() || last?.restore()) return;
    home();
    if (isLost()) firstStop()?.focus();
  };
  // After a click on an empty place the last element could still have the focus.
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

/** The name of a control. Cells and lines have the names of their values, which others may have too. */
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
