/** A run: how much of it is done, how fast it is, and what can be done about it. */
import { button, element } from '../../webview/page/dom.ts';
import type { Mode, ProgressView } from '../host/messages.ts';
import { channel } from './channel.ts';

export class ProgressPanel {
  readonly element: HTMLElement;
  readonly #heading = element('h2', { attributes: { tabindex: '-1', 'aria-live': 'polite' } });
  readonly #bar = element('div', {
    class: 'bar',
    attributes: {
      role: 'progressbar',
      'aria-label': 'Bytes read',
      'aria-valuemin': '0',
      'aria-valuemax': '100',
    },
  });
  readonly #fill = element('div', { class: 'fill' });
  readonly #figures = element('div', { class: 'figures' });
  readonly #waiting = element('div', { class: 'message warning' });
  readonly #pause: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #paused = false;

  constructor() {
    this.#pause = button({
      class: 'action secondary',
      text: 'Pause',
      onClick: () => channel.send(this.#paused ? 'resume' : 'pause', null),
    });
    this.#cancel = button({
      class: 'action secondary',
      text: 'Cancel',
      title: 'Stop reading. Events that were sent stay stored, and the rest can be sent later',
      onClick: () => channel.send('cancel', null),
    });
    this.#bar.append(this.#fill);
    this.element = element('section', { class: 'run', attributes: { 'aria-label': 'Progress' } }, [
      this.#heading,
      this.#bar,
      this.#figures,
      this.#waiting,
      element('div', { class: 'buttons' }, [this.#pause, this.#cancel]),
    ]);
  }

  update(mode: Mode, dataset: string, progress: ProgressView): void {
    const { file, place, state, fraction, bytes, events, rate, left, waiting } = progress;
    const doing = {
      running: mode === 'check' ? `Checking ${file}` : `Ingesting ${file} into '${dataset}'`,
      waiting: `Waiting to send more of ${file}`,
      paused: `Paused: ${file}`,
      cancelling:
        mode === 'check'
          ? 'Cancelling'
          : 'Cancelling. Waiting for responses to requests that were sent',
    }[state];
    if (this.#heading.textContent !== doing) this.#heading.textContent = doing;
    const percent = Math.floor(100 * fraction);
    this.#bar.setAttribute('aria-valuenow', String(percent));
    this.#fill.style.width = `${100 * fraction}%`;
    const figures = [`${percent}%`, place, bytes, events, rate, left].filter(Boolean);
    this.#figures.textContent = figures.join(' · ');
    this.#waiting.hidden = waiting === undefined;
    this.#waiting.textContent = waiting ?? '';
    this.#paused = state === 'paused';
    const label = this.#paused ? 'Resume' : 'Pause';
    if (this.#pause.textContent !== label) this.#pause.textContent = label;
    // A check holds nobody up: it is ended instead.
    this.#pause.hidden = mode === 'check';
    this.#pause.disabled = state === 'cancelling';
    this.#cancel.disabled = state === 'cancelling';
  }

  focus(): void {
    this.#heading.focus();
  }
}
