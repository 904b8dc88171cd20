/** Creates DOM elements. Strings become text nodes, never HTML, so data can't inject markup. */

export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export type Child = Node | string | undefined;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: name, text, attributes = {} }: ElementOptions = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (name !== undefined) made.className = name;
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function button(
  text: string,
  onClick: () => void,
  options: Omit<ElementOptions, 'text'> = {},
): HTMLButtonElement {
  const attributes = { type: 'button', ...options.attributes };
  const made = element('button', { ...options, text, attributes });
  made.addEventListener('click', onClick);
  return made;
}

export function section(id: string, title: string, children: readonly Child[]): HTMLElement {
  const heading = element('h2', { text: title, attributes: { id: `${id}-title` } });
  const attributes = { id, 'aria-labelledby': `${id}-title` };
  return element('section', { attributes }, [heading, ...children]);
}

/** Returns a table with a header row, in a region that can be scrolled with the keyboard. */
export function scrollTable(
  label: string,
  head: readonly Child[],
  rows: readonly Child[],
): HTMLElement {
  const table = element('table', { attributes: { 'aria-label': label } }, [
    element('thead', {}, [element('tr', {}, head)]),
    element('tbody', {}, rows),
  ]);
  const attributes = { tabindex: '0', role: 'region', 'aria-label': `${label}, scrollable` };
  return element('div', { class: 'scroll', attributes }, [table]);
}

export function copyButton(text: () => string, label: string): HTMLButtonElement {
  let timer = 0;
  const made = button(
    'Copy',
    () => {
      const said = (words: string) => {
        made.textContent = words;
        heard.textContent = words;
        clearTimeout(timer);
        timer = setTimeout(() => {
          made.textContent = 'Copy';
          heard.textContent = '';
        }, SAID_MS);
      };
      navigator.clipboard.writeText(text()).then(
        () => said('Copied'),
        () => said('Not copied'),
      );
    },
    { class: 'quiet', attributes: { 'aria-label': label } },
  );
  return made;
}

/** A live region from which screen readers announce visible changes. */
export const heard = element('p', { class: 'heard', attributes: { role: 'status' } });

const SAID_MS = 2_000;
