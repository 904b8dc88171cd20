/**
 * A table's find bar: match count, next and previous match. The host finds the matching cells. A search starts at the
 * active cell and moves it to the match.
 */

import { grouped } from '../../../../formats/src/counts.ts';
import type { FindOptions, TableViewState } from '../../../../table/src/viewState.ts';
import type { FoundPlace } from '../../answers/protocol.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { iconButton, textField } from '../../webview/page/controls.ts';
import { button, debounced, element, setLines, setText } from '../../webview/page/dom.ts';
import { errorMessage } from '../../words/errors.ts';
import { channel } from './channel.ts';
import { type CellPlace, type OpenTable, waitingForRows } from './table/openTable.ts';

const SEARCH_MS = 150;

export class FindBar {
  readonly element: HTMLElement;
  readonly #open: OpenTable;
  readonly #field = textField('Find in results', '', { placeholder: 'Find' });
  readonly #case = this.#toggle('Aa', 'Match case');
  readonly #whole = this.#toggle('ab', 'Match entire cell');
  readonly #regex = this.#toggle('.*', 'Use regular expression');
  readonly #count = element('span', { class: 'find-count cut digits', role: 'status' });
  readonly #later = debounced(SEARCH_MS, () => void this.#search(true));
  #controller = new AbortController();
  /** The cell at which the search starts while the user types. */
  #from: CellPlace = { row: 0, column: 0 };
  #searching: Promise<void> = Promise.resolve();
  #going: Promise<void> = Promise.resolve();
  /** Whether the pending search moves to its first match. */
  #isJumping = false;

  constructor(open: OpenTable) {
    this.#open = open;
    this.#field.classList.add('find-text');
    this.#whole.classList.add('whole');
    this.element = element('div', { class: 'find flow rigid', role: 'search' }, [
      this.#field,
      this.#case,
      this.#whole,
      this.#regex,
      this.#count,
      iconButton('Previous match (Shift+Enter)', 'up', () => this.go(true)),
      iconButton('Next match (Enter)', 'down', () => this.go(false)),
      iconButton('Close (Escape)', 'close', () => this.close()),
    ]);
    this.element.hidden = true;
    this.#field.addEventListener('input', () => this.#later());
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.#from = this.#open.activeCell;
    this.element.hidden = false;
    this.#field.focus();
    this.#field.select();
  }

  /** Opens or focuses the bar. Keeps text that is being typed. */
  show(): void {
    if (this.isOpen) this.#field.focus();
    else this.open();
  }

  /** Opens the bar and repeats the search from a table's view state, if there is one. */
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
    this.#changed('', this.#options);
    this.#open.grid.focus();
  }

  /** Repeats the search after the rows changed, and doesn't move to a match. */
  again(): void {
    // If the pending search has not reached its first match, the repeated search still moves there.
    if (this.isOpen && this.#field.value !== '') void this.#search(this.#isJumping);
  }

  /** Goes to the next or previous match. Each step waits for the previous step and starts where it ended. */
  go(backwards: boolean): void {
    if (!this.isOpen) return this.open();
    this.#later.flush();
    this.#going = this.#going.then(() => this.#go(backwards));
  }

  async #go(backwards: boolean): Promise<void> {
    await this.#searching;
    try {
      const { activeCell } = this.#open;
      this.#goTo(await this.#match(activeCell, backwards, this.#controller.signal));
      this.#from = this.#open.activeCell;
    } catch (error) {
      this.#fail(error);
    }
  }

  #toggle(sign: string, label: string): HTMLButtonElement {
    const made: HTMLButtonElement = button({
      class: 'quiet toggle',
      label,
      // The style sheet draws the symbol, so that screen readers announce only the label.
      attributes: { 'aria-pressed': 'false', 'data-sign': sign },
      onClick: () => {
        made.ariaPressed = String(made.ariaPressed !== 'true');
        void this.#search(true);
      },
    });
    return made;
  }

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
      setText(this.#count, '');
      return this.#changed(text, options);
    }
    if (this.#open.isArriving) setText(this.#count, waitingForRows);
    try {
      const { place, columns } = this.#open;
      const search = { ...place, text, options, columns };
      const { total } = await channel.request('find', search, signal);
      this.#changed(text, options);
      if (total === 0 || !jump) this.#sayTotal(total);
      else this.#goTo(await this.#first(signal));
      this.#isJumping = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns the match at or after the cell from which the search starts. */
  async #first(signal: AbortSignal): Promise<FoundPlace | null> {
    const from = this.#from;
    const after = await this.#match(from, false, signal);
    // The search skips its start cell, so check whether that cell precedes the match.
    const before = after && (await this.#match(after, true, signal));
    return before?.row === from.row && before.column === from.column ? before : after;
  }

  #match({ row, column }: CellPlace, backwards: boolean, signal: AbortSignal) {
    return channel.request('findNext', { ...this.#open.place, row, column, backwards }, signal);
  }

  #goTo(found: FoundPlace | null): void {
    if (found === null) return this.#sayTotal(0);
    this.#open.grid.go(found.row, found.column);
    const [ordinal, total] = [found.ordinal, found.total].map(grouped);
    setText(this.#count, `${ordinal} of ${total}`);
  }

  /** Applies a changed or cleared search to the grid. */
  #changed(text: string, options: FindOptions): void {
    this.#open.change({ find: { text, options } });
    this.#open.grid.refresh();
    this.#open.record.report();
  }

  #sayTotal(total: number): void {
    setText(this.#count, total === 0 ? 'No results' : `${grouped(total)} found`);
  }

  #fail(error: unknown): void {
    if (isCancelled(error)) return;
    this.#field.ariaInvalid = 'true';
    setLines(this.#count, errorMessage(error));
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.#field) void this.go(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
