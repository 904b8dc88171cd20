/** Parts shared by several forms of the results page. */
import { textButton } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';

/** Returns the initially empty line for a form's error messages. */
export function problemLine(attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  return element('p', { class: 'problem optional wraps', role: 'alert', attributes });
}

export function formButtons(submit: string, other: string, onOther: () => void): HTMLElement {
  return element('div', { class: 'panel-buttons beside' }, [
    element('button', { class: 'action', text: submit, attributes: { type: 'submit' } }),
    textButton('action secondary', other, onOther),
  ]);
}
