/** Controls shared by dashboard and monitor pages. */
import type { ViewAction } from '../../results/pageContent.ts';
import { button, element } from '../../webview/page/dom.ts';
import { type IconName, icon } from '../../webview/page/icons.ts';
import { board } from './channel.ts';

/** Formats a time of day in the time zone of results. */
export function clock(time: number, zone: 'utc' | 'local'): string {
  const date = new Date(time);
  if (zone === 'utc') return `${date.toISOString().slice(11, 19)} UTC`;
  return date.toLocaleTimeString('en-GB');
}

export function iconButton(label: string, name: IconName, onClick: () => void): HTMLButtonElement {
  return button({ class: 'quiet', label, onClick }, [icon(name)]);
}

/** Creates buttons for a failure's actions. `card` is null if the failure concerns the page. */
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

export function numberSelect(label: string, onChange?: (value: number) => void): HTMLSelectElement {
  const select = element('select', { class: 'field', attributes: { 'aria-label': label } });
  select.addEventListener('change', () => onChange?.(Number(select.value)));
  return select;
}

export function numberOption(value: number, text: string): HTMLOptionElement {
  return element('option', { text, attributes: { value: String(value) } });
}
