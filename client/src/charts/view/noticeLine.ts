/** The notices next to the chart tools. Long text is cut off, and a popup shows the full text. */
import { textButton } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import type { EarlierAnswer } from '../host/chartEffects.ts';
import { popupButton } from './choices.ts';

export class Notices {
  readonly element = element('div', { class: 'chart-notices dim beside', role: 'note' });
  #shown = '';

  /** `progress` describes a running task that can be cancelled. */
  draw(notices: readonly string[], progress: string | undefined, onCancel: () => void): void {
    const shown = JSON.stringify([notices, progress]);
    this.element.hidden = notices.length === 0 && progress === undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.replaceChildren(
      ...(progress === undefined
        ? []
        : [element('span', { text: progress }), textButton('quiet', 'Cancel', onCancel)]),
      ...(notices.length > 0 ? [noticesButton(notices)] : []),
    );
  }
}

/** Explains why a requested comparison is missing. `problem` is the reason why its data couldn't be read. */
export function earlierNotices(
  earlier: EarlierAnswer | undefined,
  problem: string | undefined,
): string[] {
  if (earlier === undefined) return [];
  const { label, state } = earlier;
  const reason = state.kind === 'failed' ? state.message : problem;
  return reason === undefined ? [] : [`${label}: ${reason}`];
}

function noticesButton(notices: readonly string[]): HTMLElement {
  return popupButton(
    { class: 'quiet notice-text cut', title: notices.join('\n'), text: notices.join(' ') },
    'About this chart',
    () => notices.map((lines) => element('p', { lines })),
  );
}
