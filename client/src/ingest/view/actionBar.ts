/** What can be done with the page as a whole, and what would be sent. */
import { button, element } from '../../webview/page/dom.ts';
import type { Screen } from '../host/messages.ts';
import { channel } from './channel.ts';

export class ActionBar {
  readonly element: HTMLElement;
  readonly #ingest: HTMLButtonElement;
  readonly #check: HTMLButtonElement;
  readonly #amount = element('span', { class: 'about', attributes: { role: 'status' } });

  constructor() {
    this.#ingest = button({
      class: 'action',
      text: 'Ingest',
      title: 'Send the events (Ctrl+Enter)',
      onClick: () => this.start(),
    });
    this.#check = button({
      class: 'action secondary',
      text: 'Check Only',
      title: 'Read everything and send nothing',
      onClick: () => channel.send('start', { mode: 'check' }),
    });
    const cancel = button({
      class: 'action secondary',
      text: 'Cancel',
      onClick: () => channel.send('close', null),
    });
    this.element = element('footer', { class: 'actions' }, [
      this.#ingest,
      this.#check,
      cancel,
      this.#amount,
    ]);
  }

  start(): void {
    if (!this.#ingest.disabled) channel.send('start', { mode: 'ingest' });
  }

  update({ phase, blocked, amount, target, deployment }: Screen): void {
    this.element.hidden = phase !== 'preview';
    this.#ingest.disabled = blocked !== undefined;
    this.#check.disabled = blocked !== undefined;
    // What is wrong with the name is said next to it.
    const reason = blocked !== undefined && blocked === target.problem ? '' : blocked;
    const text = reason ?? `${amount} into '${target.dataset.trim()}' on ${deployment}`;
    if (this.#amount.textContent !== text) this.#amount.textContent = text;
    this.#amount.classList.toggle('problem', blocked !== undefined);
  }
}
