/** Controls that several pages use. */
import { button, element } from './dom.ts';
import { type IconName, icon } from './icons.ts';

type Attributes = Readonly<Record<string, string>>;

export function iconButton(
  label: string,
  drawn: IconName,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  return button({ class: 'quiet', label, onClick }, [icon(drawn)]);
}

/** `look` is one or more of the kit's classes, such as `action secondary`. */
export function textButton(
  look: string,
  text: string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  return button({ class: look, text, onClick });
}

export function textField(
  label: string,
  value = '',
  { placeholder = label, ...attributes }: Attributes = {},
): HTMLInputElement {
  const field = element('input', {
    class: 'field',
    label,
    attributes: { type: 'text', placeholder, ...attributes },
  });
  field.value = value;
  return field;
}

export function choice(
  attributes: Attributes,
  options: readonly (readonly [value: string, text: string])[],
): HTMLSelectElement {
  return element(
    'select',
    { class: 'field', attributes },
    options.map(([value, text]) => element('option', { text, attributes: { value } })),
  );
}

export function checkbox(checked: boolean, attributes: Attributes = {}): HTMLInputElement {
  const box = element('input', { class: 'rigid', attributes: { type: 'checkbox', ...attributes } });
  box.checked = checked;
  return box;
}

export function labeledCheckbox(box: HTMLInputElement, text: string): HTMLLabelElement {
  return element('label', { class: 'check rigid' }, [box, element('span', { text })]);
}

/** Creates the bar that moves along the top of an area while it loads. */
export function loadingBar(): HTMLElement {
  return element('div', { class: 'progress', role: 'progressbar', label: 'Loading' });
}
