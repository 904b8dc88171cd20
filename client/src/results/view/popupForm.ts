/** Forms in popups of the results page, which stay open until they are submitted or cancelled. */
import { element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import { formButtons } from './controls.ts';

interface PopupFormParts {
  readonly class: string;
  readonly label: string;
  readonly title: string;
  readonly fields: readonly HTMLElement[];
  /** The label of the button that Enter presses, even from a list of choices. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly onClose?: () => void;
}

export function popupForm({ title, fields, action, onSubmit, ...options }: PopupFormParts): Popup {
  const form = element('form', { class: 'panel-form popup-form stack' }, [
    element('h2', { class: 'panel-title beside' }, [
      element('span', { class: 'panel-name cut', text: title, title }),
    ]),
    element('div', { class: 'form-fields' }, fields),
    formButtons(action, 'Cancel', () => popup.close()),
  ]);
  // Submit the form, because Enter would otherwise open the list of choices.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  const popup = new Popup([form], { ...options, isForm: true });
  return popup;
}

/** Returns a line with a label to the left of its control, and details below them. */
export function formLine(
  label: string,
  control: HTMLElement,
  ...details: readonly (HTMLElement | undefined)[]
): HTMLElement {
  const text = element('span', { class: 'form-label wraps', text: label });
  return element('div', {}, [
    element('label', { class: 'form-line' }, [text, control]),
    ...details,
  ]);
}
