/** The keyboard in the headers of columns: moving, sorting, the column's panel, its place and its width. */

interface HeaderActions {
  /** Columns are given by their place in the grid, where 0 has the row numbers. */
  readonly toCell: (place: number) => void;
  readonly sort: (place: number, add: boolean) => void;
  readonly panel: (place: number, anchor: HTMLElement) => void;
  readonly move: (place: number, by: number) => void;
  readonly resize: (place: number, by: number) => void;
  readonly scrollTo: (place: number) => void;
}

export class HeaderKeys {
  readonly #container: HTMLElement;
  readonly #actions: HeaderActions;

  constructor(container: HTMLElement, actions: HeaderActions) {
    this.#container = container;
    this.#actions = actions;
    for (const row of container.querySelectorAll('.slick-header'))
      row.addEventListener('keydown', (event) => this.#key(event as KeyboardEvent));
  }

  #key(event: KeyboardEvent): void {
    const header =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('.slick-header-column')
        : null;
    if (header === null || event.target !== header) return;
    if (!this.#obeys(event, header, Number(header.ariaColIndex) - 1)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #obeys(
    { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent,
    header: HTMLElement,
    place: number,
  ) {
    const { toCell, sort, panel, move, resize } = this.#actions;
    const command = ctrlKey || metaKey;
    const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
    if (by !== 0 && altKey) this.#keeping(place + by, () => move(place, by));
    else if (by !== 0 && command) this.#keeping(place, () => resize(place, by));
    else if (by !== 0) this.#focus(place + by);
    else if (key === 'ArrowDown') toCell(Math.max(1, place));
    else if (key === 'Enter') sort(place, shiftKey);
    else if (key === ' ') panel(place, header);
    else return false;
    return true;
  }

  #focus(place: number): void {
    this.#actions.scrollTo(place);
    this.#header(place)?.focus();
  }

  /** Does what redraws the headers, and gives the focus to the one at a place. */
  #keeping(place: number, change: () => void): void {
    change();
    this.#header(place)?.focus();
  }

  #header(place: number): HTMLElement | null {
    return this.#container.querySelector(`.slick-header-column[aria-colindex="${place + 1}"]`);
  }
}
