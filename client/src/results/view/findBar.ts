/** Find in the results: count, next, previous; the host marks the cells that match. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { FindOptions, TableViewState } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { button, debounced, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { Found, FoundPlace } from '../store/protocol.ts';

const SEARCH_MS = 150;

interface FindActions {
  readonly search: (text: string, options: FindOptions, signal: AbortSignal) => Promise<Found>;
  /** Remembers the active cell, from which a search starts while its text is typed. */
  readonly begin: () => void;
  /** The match at or after the remembered cell. */
  readonly first: (signal: AbortSignal) => Promise<FoundPlace | null>;
  /** From the active cell. */
  readonly next: (backwards: boolean, signal: AbortSignal) => Promise<FoundPlace | null>;
  /** Called when the search text has changed or was cleared. */
  readonly onChange: (find: TableViewState['find']) => void;
  readonly onClose: () => void;
}

export class FindBar {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #case: HTMLButtonElement;
  readonly #regex: HTMLButtonElement;
  readonly #whole: HTMLButtonElement;
  readonly #count: HTMLElement;
  readonly #actions: FindActions;
  readonly #later = debounced(SEARCH_MS, () => void this.#search(true));
  #controller = new AbortController();

  constructor(actions: FindActions) {
    this.#actions = actions;
    this.#field = element('input', {
      class: 'field find-text',
      attributes: { type: 'text', placeholder: 'Find', 'aria-label': 'Find in results' },
    });
    const toggle = (text: string, label: string) => {
      const made: HTMLButtonElement = button({
        class: 'quiet toggle',
        label,
        // Drawn by the style sheet: the name says more than the sign.
        attributes: { 'aria-pressed': 'false', 'data-sign': text },
        onClick: () => {
          made.ariaPressed = String(made.ariaPressed !== 'true');
          void this.#search(true);
        },
      });
      return made;
    };
    this.#case = toggle('Aa', 'Match case');
    this.#whole = toggle('ab', 'Match entire cell');
    this.#regex = toggle('.*', 'Use regular expression');
    this.#whole.classList.add('whole');
    this.#count = element('span', { class: 'find-count', attributes: { role: 'status' } });
    this.element = element('div', { class: 'find', attributes: { role: 'search' } }, [
      this.#field,
      this.#case,
      this.#whole,
      this.#regex,
      this.#count,
      button(
        { class: 'quiet', label: 'Previous match (Shift+Enter)', onClick: () => this.go(true) },
        [icon('up')],
      ),
      button({ class: 'quiet', label: 'Next match (Enter)', onClick: () => this.go(false) }, [
        icon('down'),
      ]),
      button({ class: 'quiet', label: 'Close (Escape)', onClick: () => this.close() }, [
        icon('close'),
      ]),
    ]);
    this.element.hidden = true;
    this.#field.addEventListener('input', () => this.#later());
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.#actions.begin();
    this.element.hidden = false;
    this.#field.focus();
    this.#field.select();
  }

  /** Takes the keyboard; text that is being typed stays as it is. */
  show(): void {
    if (this.isOpen) this.#field.focus();
    else this.open();
  }

  /** Shows a search that was made before the page was rebuilt. */
  restore({ text, options }: TableViewState['find']): void {
    if (text === '') return;
    this.#field.value = text;
    this.#case.ariaPressed = String(options.caseSensitive);
    this.#regex.ariaPressed = String(options.match === 'regex');
    this.#whole.ariaPressed = String(options.match === 'equals');
    this.element.hidden = false;
    void this.#search(false);
  }

  close(): void {
    this.element.hidden = true;
    this.#controller.abort();
    this.#actions.onChange({ text: '', options: this.#options });
    this.#actions.onClose();
  }

  /** Counts again, since the rows have changed. */
  again(): void {
    // A search that has not come to its first match yet still goes there.
    if (this.isOpen && this.#field.value !== '') void this.#search(this.#isJumping);
  }

  /** Goes to the next match, one step after the other: each begins where the one before it has ended. */
  go(backwards: boolean): Promise<void> {
    if (!this.isOpen) {
      this.open();
      return Promise.resolve();
    }
    this.#later.flush();
    this.#going = this.#going.then(() => this.#go(backwards));
    return this.#going;
  }

  async #go(backwards: boolean): Promise<void> {
    await this.#searching;
    try {
      const place = await this.#actions.next(backwards, this.#controller.signal);
      this.#actions.begin();
      this.#say(place);
    } catch (error) {
      this.#fail(error);
    }
  }

  #searching: Promise<void> = Promise.resolve();
  #going: Promise<void> = Promise.resolve();
  /** Whether a search is under way that goes to its first match. */
  #isJumping = false;

  get #options(): FindOptions {
    const pressed = (toggle: HTMLButtonElement) => toggle.ariaPressed === 'true';
    return {
      match: pressed(this.#regex) ? 'regex' : pressed(this.#whole) ? 'equals' : 'contains',
      caseSensitive: pressed(this.#case),
    };
  }

  #search(jump: boolean): Promise<void> {
    this.#searching = this.#run(jump);
    return this.#searching;
  }

  async #run(jump: boolean): Promise<void> {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const text = this.#field.value;
    const options = this.#options;
    this.#field.ariaInvalid = 'false';
    this.#isJumping = jump && text !== '';
    if (text === '') {
      this.#count.textContent = '';
      return this.#actions.onChange({ text, options });
    }
    try {
      const { total } = await this.#actions.search(text, options, signal);
      this.#actions.onChange({ text, options });
      if (total === 0 || !jump) this.#sayTotal(total);
      else this.#say(await this.#actions.first(signal));
      this.#isJumping = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  #say(place: FoundPlace | null): void {
    if (place === null) return this.#sayTotal(0);
    const [ordinal, total] = [place.ordinal, place.total].map(grouped);
    this.#count.textContent = `${ordinal} of ${total}`;
  }

  #sayTotal(total: number): void {
    this.#count.textContent = total === 0 ? 'No results' : `${grouped(total)} found`;
  }

  #fail(error: unknown): void {
    if (isCancelled(error)) return;
    this.#field.ariaInvalid = 'true';
    this.#count.textContent = error instanceof Error ? error.message : String(error);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.#field) void this.go(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
