/**
 * Creates elements from data, and is the only place that writes text to a page. Text is never read as markup, and its
 * invisible characters are shown, so that a value can neither hide characters nor reorder the text around it. Values
 * of form controls stay unchanged.
 */
import { visibleLines, visibleText } from '../../../../table/src/visibleText.ts';

export interface ElementOptions {
  readonly class?: string;
  readonly text?: string | undefined;
  /** Text that keeps its line breaks. */
  readonly lines?: string | undefined;
  /** The tooltip, which keeps its line breaks. */
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
  const { text, lines, title, role, label, tabIndex, attributes = {}, onClick } = options;
  const made: HTMLElementTagNameMap[Tag] & HTMLElement = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (text !== undefined) setText(made, text);
  if (lines !== undefined) setLines(made, lines);
  if (title !== undefined) setTitle(made, title);
  if (role !== undefined) made.role = role;
  if (label !== undefined) setLabel(made, label);
  if (tabIndex !== undefined) made.tabIndex = tabIndex;
  setAttributes(made, attributes);
  if (onClick !== undefined) made.addEventListener('click', onClick);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Attributes that browsers draw or that assistive technology reads out. */
export const drawnAttributes: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
]);

function setAttributes(shown: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes))
    shown.setAttribute(name, drawnAttributes.has(name) ? visibleLines(value) : value);
}

/** Replaces an element's content with text on one line. */
export function setText(shown: Element, text: string): void {
  shown.textContent = visibleText(text);
}

/** Replaces an element's content with text that keeps its line breaks. */
export function setLines(shown: Element, text: string): void {
  shown.textContent = visibleLines(text);
}

export function setTitle(shown: HTMLElement, title: string): void {
  shown.title = visibleLines(title);
}

/** Sets the name for assistive technology. */
export function setLabel(shown: Element, label: string): void {
  shown.ariaLabel = visibleLines(label);
}

export function setDescription(shown: Element, description: string | null): void {
  shown.ariaDescription = description === null ? null : visibleLines(description);
}

/** Creates text for use among elements. It keeps its line breaks. */
export function textNode(text: string): Text {
  return document.createTextNode(visibleLines(text));
}

/** Draws text on a canvas on one line, at most `maxWidth` pixels wide. */
export function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [number, number],
  maxWidth: number,
): void {
  context.fillText(visibleText(text), x, y, maxWidth);
}

/** Creates an SVG element, so that icons need no image files. */
export function drawing<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  children: readonly Node[] = [],
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(made, attributes);
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
