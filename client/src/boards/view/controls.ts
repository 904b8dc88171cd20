/** Controls shared by dashboard and monitor pages. */
import type { ViewAction } from '../../results/pageContent.ts';
import { textButton } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import { board } from './channel.ts';

/** Formats a time of day in the time zone of results. */
export function clock(time: number, zone: 'utc' | 'local'): string {
  const date = new Date(time);
  if (zone === 'utc') return `${date.toISOString().slice(11, 19)} UTC`;
  return date.toLocaleTimeString('en-GB');
}

/** Creates buttons for a failure's actions. `card` is null if the failure concerns the page. */
export function actionButtons(
  card: string | null,
  actions: readonly ViewAction[],
  look: 'action' | 'action secondary' | 'link',
): HTMLButtonElement[] {
  return actions.map(({ label, command }) =>
    textButton(look, label, () => board.send('action', { card, command })),
  );
}

export function numberSelect(label: string, onChange?: (value: number) => void): HTMLSelectElement {
  const select = element('select', { class: 'field', label });
  select.addEventListener('change', () => onChange?.(Number(select.value)));
  return select;
}

export function numberOption(value: number, text: string): HTMLOptionElement {
  return element('option', { text, attributes: { value: String(value) } });
}
