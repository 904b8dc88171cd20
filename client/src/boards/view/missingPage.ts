/** The page for a dashboard or monitor that is loading or could not be read. */
import { element } from '../../webview/page/dom.ts';
import type { MissingView } from '../boardContent.ts';
import { actionButtons } from './controls.ts';

export function missingPage({ title, message, actions }: MissingView): HTMLElement {
  if (title === '')
    return element('div', {
      class: 'progress',
      attributes: { role: 'progressbar', 'aria-label': 'Loading' },
    });
  return element('div', { class: 'card-message missing stack', attributes: { role: 'alert' } }, [
    element('h2', { text: `${title} could not be opened` }),
    element('p', { lines: message }),
    element('div', { class: 'card-buttons flow' }, actionButtons(null, actions, 'action')),
  ]);
}
