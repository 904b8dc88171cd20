/** Controls shared by several parts of the results page. */
import { button, element } from '../../webview/page/dom.ts';
import { type IconName, icon } from '../../webview/page/icons.ts';

export function iconButton(
  label: string,
  drawn: IconName,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  return button({ class: 'quiet', label, onClick }, [icon(drawn)]);
}

export function textField(label: string, value = '', placeholder = label): HTMLInputElement {
  const field = element('input', {
    class: 'field',
    label,
    attributes: { type: 'text', placeholder },
  });
  field.value = value;
  return field;
}

export function choice(
  attributes: Readonly<Record<string, string>>,
  options: readonly (readonly [value: string, label: string])[],
): HTMLSelectElement {
  return element(
    'select',
    { class: 'field', attributes },
    options.map(([value, text]) => element('option', { text, attributes: { value } })),
  );
}

export function checkbox(checked: boolean): HTMLInputElement {
  const box = element('input', { class: 'rigid', attributes: { type: 'checkbox' } });
  box.checked = checked;
  return box;
}

export function labeledCheckbox(box: HTMLInputElement, text: string): HTMLLabelElement {
  return element('label', { class: 'check rigid' }, [box, element('span', { text })]);
}

/** Returns the initially empty line for a form's error messages. */
export function problemLine(attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  return element('p', { class: 'problem', role: 'alert', attributes });
}

export function formButtons(submit: string, other: string, onOther: () => void): HTMLElement {
  return element('div', { class: 'panel-buttons beside' }, [
    element('button', { class: 'action', text: submit, attributes: { type: 'submit' } }),
    button({ class: 'action secondary', text: other, onClick: onOther }),
  ]);
}
