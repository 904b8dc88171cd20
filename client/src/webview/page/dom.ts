/** Creates elements from data. Text is never read as markup. */

export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, title, attributes, onClick }: ElementOptions = {},
  children: readonly (Node | undefined)[] = [],
): HTMLElementTagNameMap[Tag] {
  const made: HTMLElementTagNameMap[Tag] & HTMLElement = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (title !== undefined) made.title = title;
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value);
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

interface ButtonOptions extends ElementOptions {
  /** The name for assistive technology, if the text isn't sufficient. */
  readonly label?: string;
}

/** Creates a button that never submits a form. `label` is also its tooltip, unless a title is given. */
export function button(
  { label, ...options }: ButtonOptions,
  children: readonly (Node | undefined)[] = [],
): HTMLButtonElement {
  const named = label === undefined ? {} : { 'aria-label': label };
  const title = options.title ?? label;
  return element(
    'button',
    {
      ...options,
      ...(title !== undefined && { title }),
      attributes: { type: 'button', ...named, ...options.attributes },
    },
    children,
  );
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
