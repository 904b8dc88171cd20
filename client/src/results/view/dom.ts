/** Makes elements from data; text is always text, never markup. */

export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: () => void;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title !== undefined) made.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    made.setAttribute(name, value);
  if (options.onClick !== undefined) made.addEventListener('click', options.onClick);
  made.append(...children);
  return made;
}
