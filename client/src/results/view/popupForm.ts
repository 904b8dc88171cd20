/** The parts that the forms in popups of the results page have in common. */
import { element } from '../../webview/page/dom.ts';
import { formButtons } from './controls.ts';

interface PopupFormParts {
  readonly class?: string;
  readonly title: string;
  readonly fields: readonly HTMLElement[];
  /** The text of the button that Enter presses, from a list of choices too. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

export function popupForm(parts: PopupFormParts): HTMLFormElement {
  const { title, fields, action, onSubmit, onCancel } = parts;
  const classes = ['panel-form popup-form', parts.class].filter(Boolean).join(' ');
  const form = element('form', { class: classes }, [
    element('h2', { class: 'panel-title' }, [
      element('span', { class: 'panel-name', text: title, title }),
    ]),
    element('div', { class: 'form-fields' }, fields),
    formButtons(action, 'Cancel', onCancel),
  ]);
  // In a list of choices, Enter would open the list.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  return form;
}
