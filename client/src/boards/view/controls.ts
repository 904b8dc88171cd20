/** Controls that several parts of the pages have. */
import type { ViewAction } from '../../results/messages.ts';
import { button } from '../../webview/page/dom.ts';
import { type IconName, icon } from '../../webview/page/icons.ts';
import { board } from './channel.ts';

export function iconButton(label: string, name: IconName, onClick: () => void): HTMLButtonElement {
  return button({ class: 'quiet', label, onClick }, [icon(name)]);
}

/** Creates the buttons of a failure. `card` is null for a failure of the page. */
export function actionButtons(
  card: string | null,
  actions: readonly ViewAction[],
  look: 'action' | 'action secondary' | 'link',
): HTMLButtonElement[] {
  return actions.map(({ label, command }) =>
    button({
      class: look,
      text: label,
      onClick: () => board.send('action', { card, command }),
    }),
  );
}

export function windowButton(): HTMLButtonElement {
  return button({ class: 'field choice', onClick: () => board.send('chooseWindow', null) });
}

/** Shows a time range on its button. `label` names the range for assistive technology. */
export function showWindow(target: HTMLButtonElement, window: string, label: string): void {
  target.textContent = window.charAt(0).toUpperCase() + window.slice(1);
  target.ariaLabel = `${label}: ${window}`;
}

/** Shows text whose end may be cut off, with all of it as a tooltip. */
export function showWithTitle(target: HTMLElement, text: string): void {
  target.textContent = text;
  target.title = text;
}
