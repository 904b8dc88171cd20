/** The page of something that could not be read: why, and what to do. */
import { button, element } from '../../webview/page/dom.ts';
import type { MissingView } from '../messages.ts';
import { board } from './channel.ts';

export function missingPage({ title, message, actions }: MissingView): HTMLElement {
  if (title === '')
    return element('div', {
      class: 'progress',
      attributes: { role: 'progressbar', 'aria-label': 'Loading' },
    });
  return element('div', { class: 'card-message missing', attributes: { role: 'alert' } }, [
    element('h2', { text: `${title} could not be opened` }),
    element('p', { text: message }),
    element(
      'div',
      { class: 'card-buttons' },
      actions.map(({ label, command }) =>
        button({
          class: 'action',
          text: label,
          onClick: () => board.send('action', { card: null, command }),
        }),
      ),
    ),
  ]);
}
