/** The line of notices next to the tools: cut where it is too long, and read in full in a popup. */
import { button, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { EarlierAnswer } from './module.ts';

/** Something that is going on, which can be cancelled. */
export interface Progress {
  readonly text: string;
  readonly onCancel: () => void;
}

export class Notices {
  readonly element = element('div', { class: 'chart-notices', attributes: { role: 'note' } });
  #shown = '';

  draw(sentences: readonly string[], progress: Progress | undefined): void {
    const shown = JSON.stringify([sentences, progress?.text]);
    this.element.hidden = sentences.length === 0 && progress === undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.replaceChildren(
      ...(progress
        ? [
            element('span', { text: progress.text }),
            button({ class: 'quiet', text: 'Cancel', onClick: progress.onCancel }),
          ]
        : []),
      ...(sentences.length > 0 ? [noticesButton(sentences)] : []),
    );
  }
}

/** Explains why a chosen comparison is missing. */
export function earlierNotices(earlier: EarlierAnswer | undefined, isGone: boolean): string[] {
  if (earlier === undefined) return [];
  const { label, state } = earlier;
  return [
    ...(typeof state === 'object' ? [`${label}: ${state.failed}`] : []),
    ...(isGone
      ? [`${label}: its rows are no longer in memory. Choose the time range again to compare.`]
      : []),
  ];
}

function noticesButton(sentences: readonly string[]): HTMLElement {
  const text = sentences.join(' ');
  const shown = button({
    class: 'quiet notice-text',
    title: sentences.join('\n'),
    text,
    attributes: { 'aria-haspopup': 'dialog' },
    onClick: () => {
      const lines = sentences.map((sentence) => element('p', { text: sentence }));
      new Popup([element('div', { class: 'choices notice-lines' }, lines)], {
        label: 'About this chart',
      }).show(shown);
    },
  });
  return shown;
}
