/** The controls of the form: each has its label, and is set from outside without an event. */
import { element } from '../../webview/page/dom.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
}

let ids = 0;

export function newId(): string {
  ids += 1;
  return `c${ids}`;
}

/** A row of the form: what it is about, and its controls. `control` is what the label names. */
export function formRow(
  label: string,
  controls: readonly Node[],
  control?: HTMLElement,
): HTMLElement {
  if (control === undefined) {
    const id = newId();
    return element('div', { class: 'row', attributes: { role: 'group', 'aria-labelledby': id } }, [
      element('span', { class: 'row-label', text: label, attributes: { id } }),
      element('div', { class: 'row-controls' }, controls),
    ]);
  }
  control.id ||= newId();
  return element('div', { class: 'row' }, [
    element('label', { class: 'row-label', text: label, attributes: { for: control.id } }),
    element('div', { class: 'row-controls' }, controls),
  ]);
}

/** A control with a short label to the left of it. */
export function labeled(label: string, control: HTMLElement): HTMLElement {
  control.id ||= newId();
  return element('span', { class: 'labeled' }, [
    element('label', { text: label, attributes: { for: control.id } }),
    control,
  ]);
}

export function select(
  options: readonly Option[],
  onChange: (value: string) => void,
  name?: string,
): HTMLSelectElement {
  const made = element(
    'select',
    { class: 'field', ...(name !== undefined && { attributes: { 'aria-label': name } }) },
    options.map(optionElement),
  );
  made.addEventListener('change', () => onChange(made.value));
  return made;
}

export function optionElement({ value, label }: Option): HTMLOptionElement {
  return element('option', { text: label, attributes: { value } });
}

/** Selects a value. One that is not among the options, or none, gets an option of its own while it lasts. */
export function setSelected(
  control: HTMLSelectElement,
  value: string | undefined,
  label = 'Automatic',
): void {
  for (const option of control.querySelectorAll('option[data-extra]')) option.remove();
  const wanted = value ?? '';
  if (![...control.options].some((option) => option.value === wanted)) {
    const extra = optionElement({ value: wanted, label: value ?? label });
    extra.dataset.extra = '';
    control.append(extra);
  }
  control.value = wanted;
}

export function checkbox(
  label: string,
  onChange: (checked: boolean) => void,
): { readonly element: HTMLElement; readonly input: HTMLInputElement } {
  const input = element('input', { attributes: { type: 'checkbox' } });
  input.addEventListener('change', () => onChange(input.checked));
  return {
    element: element('label', { class: 'check' }, [input, element('span', { text: label })]),
    input,
  };
}

/** Sets the text of a field unless somebody is typing in it. What is selected whole stays so: the next key replaces it. */
export function setText(control: HTMLInputElement, text: string): void {
  const { value, selectionStart, selectionEnd } = control;
  const isFocused = document.activeElement === control;
  const isWhole = value !== '' && selectionStart === 0 && selectionEnd === value.length;
  if (value === text || (isFocused && !isWhole)) return;
  control.value = text;
  if (isFocused) control.select();
}
