/** Creates elements from data. Text is never read as markup. */

export interface ElementOptions {
  readonly class?: string;
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  readonly role?: string | undefined;
  /** The name for assistive technology, if the text isn't sufficient. */
  readonly label?: string | undefined;
  readonly tabIndex?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  children: readonly (Node | undefined)[] = [],
): HTMLElementTagNameMap[Tag] {
  const { text, title, role, label, tabIndex, attributes = {}, onClick } = options;
  const made: HTMLElementTagNameMap[Tag] & HTMLElement = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (text !== undefined) made.textContent = text;
  if (title !== undefined) made.title = title;
  if (role !== undefined) made.role = role;
  if (label !== undefined) made.ariaLabel = label;
  if (tabIndex !== undefined) made.tabIndex = tabIndex;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (onClick !== undefined) made.addEventListener('click', onClick);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Creates an SVG element, so that icons need no image files. */
export function drawing<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  children: readonly Node[] = [],
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Creates a button that never submits a form. `label` is also its tooltip, unless a title is given. */
export function button(
  options: ElementOptions,
  children: readonly (Node | undefined)[] = [],
): HTMLButtonElement {
  const { label, title = label } = options;
  const made = element('button', { ...options, title }, children);
  made.type = 'button';
  return made;
}

/** Returns a function that delays `run`, and runs only the last of several calls in quick succession. */
export function debounced(milliseconds: number, run: () => void): { (): void; flush(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      run();
    }, milliseconds);
  };
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    run();
  };
  return Object.assign(call, { flush });
}
