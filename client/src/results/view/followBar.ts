/** A followed query's bar: its actions, state and event counts. */
import { visibleLines } from '../../../../table/src/visibleText.ts';
import { textButton } from '../../webview/page/controls.ts';
import { button, element, setLines } from '../../webview/page/dom.ts';
import type { FollowAction, ViewFollow } from '../pageContent.ts';

const labels = { pause: 'Pause', resume: 'Resume', stop: 'Stop' } as const;

const offered = {
  following: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: ['resume'],
} as const;

export class FollowBar {
  readonly element = element('div', {
    class: 'follow-bar flow rigid',
    role: 'group',
    label: 'Live tail',
  });
  readonly #run: (action: FollowAction) => void;
  readonly #state = element('span', { class: 'follow-state beside', role: 'status' });
  /** The event counts aren't announced, because they change with every answer. */
  readonly #counts = element('span', { class: 'summary flow dim digits' });
  readonly #notice = element('span', { class: 'follow-notice wraps dim', role: 'status' });
  readonly #buttons = element('span', { class: 'follow-actions beside' });
  #drawn = '';

  constructor(run: (action: FollowAction) => void) {
    this.#run = run;
    // Put the buttons first, so that text of changing length can't move them under the pointer.
    this.element.append(this.#buttons, this.#state, this.#counts, this.#notice);
  }

  draw(follow: ViewFollow): void {
    const { state, label, counts, notice, appends, newestFirst } = follow;
    this.element.dataset.state = state;
    changeText(this.#state, label);
    this.#counts.replaceChildren(...counts.map((text) => element('span', { class: 'part', text })));
    this.#notice.className = `follow-notice wraps dim ${notice?.severity ?? ''}`;
    changeText(this.#notice, notice?.message ?? '');
    const drawn = `${state} ${appends} ${newestFirst}`;
    // Keep the focused button unless the buttons have changed.
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(
      ...offered[state].map((action) =>
        button({
          class: 'quiet',
          text: labels[action],
          ...(action !== 'stop' && { title: `${labels[action]} (Alt+P)` }),
          onClick: () => this.#run(action),
        }),
      ),
      ...(appends ? [this.#order(newestFirst)] : []),
    );
    if (focused) this.#buttons.querySelector('button')?.focus();
  }

  #order(newestFirst: boolean): HTMLElement {
    const order = textButton('quiet follow-order', 'Newest at Top', () =>
      this.#run(newestFirst ? 'newestLast' : 'newestFirst'),
    );
    order.setAttribute('aria-pressed', String(newestFirst));
    return order;
  }
}

/** Changes the text only if it differs, because screen readers would announce repeated text again. */
function changeText(target: HTMLElement, text: string): void {
  if (target.textContent !== visibleLines(text)) setLines(target, text);
}
