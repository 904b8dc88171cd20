/** Chart controls: selection lists, checkboxes, and buttons that open a popup. */
import { checkbox, choice, labeledCheckbox } from '../../webview/page/controls.ts';
import { button, type ElementOptions, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';

interface ListNames {
  /** Identifies the control, so that it can get the focus back after the tools are redrawn. */
  readonly tool: string;
  readonly label: string;
  readonly title: string;
}

export function choiceList(
  { tool, label, title }: ListNames,
  value: string,
  options: readonly (readonly [value: string, text: string])[],
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = choice({ title, 'aria-label': label, 'data-tool': tool }, options);
  select.value = value;
  select.addEventListener('change', () => onChange(select.value));
  return select;
}

export function toolCheckbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
): HTMLElement {
  const input = checkbox(checked, { 'data-tool': label });
  input.addEventListener('change', () => onChange(input.checked));
  return labeledCheckbox(input, label);
}

/** Creates a popup's content. Calling `close` closes the popup. */
type Content = (close: () => void) => readonly HTMLElement[];

/** Creates a button that opens a popup. `label` names the popup for assistive technology. */
export function popupButton(
  { attributes, ...options }: ElementOptions,
  label: string,
  content: Content,
): HTMLElement {
  const made = button({
    class: 'quiet',
    ...options,
    attributes: { 'aria-haspopup': 'dialog', ...attributes },
    onClick: () => showPopup(made, label, content),
  });
  return made;
}

export function showPopup(anchor: HTMLElement, label: string, content: Content): void {
  const children = content(() => popup.close());
  const popup = new Popup([element('div', { class: 'choices stack' }, children)], { label });
  popup.show(anchor, popup.box.querySelector<HTMLElement>('input, button') ?? undefined);
}
