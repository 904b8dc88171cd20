/** The page for a dashboard or monitor that is loading or could not be read. */
import { loadingBar } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import type { MissingView } from '../boardContent.ts';
import { actionButtons } from './controls.ts';

export function missingPage({ title, message, actions }: MissingView): HTMLElement {
  if (title === '') return loadingBar();
  return element('div', { class: 'card-message missing stack', role: 'alert' }, [
    element('h2', { text: `${title} could not be opened` }),
    element('p', { lines: message }),
    element('div', { class: 'card-buttons flow' }, actionButtons(null, actions, 'action')),
  ]);
}
