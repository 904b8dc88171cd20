/** The legend as a table with a figure per column: a click isolates a series, typing narrows the list. */
import { button, debounced, element } from '../../webview/page/dom.ts';
import type { MarkOrigin } from '../chart.ts';
import type { Legend, LegendRow } from './kinds/drawn.ts';
import { swatchElement } from './swatch.ts';

/** With this many series or more, they can be searched. */
const searchFrom = 8;

export interface LegendEvents {
  /** The keys of the series that are drawn; undefined for all. */
  onVisible(visible: ReadonlySet<string> | undefined): void;
  onFilter(origin: MarkOrigin, exclude: boolean): void;
}

export class LegendTable {
  readonly element = element('section', {
    class: 'legend',
    // A page may have many charts: their legends are not landmarks.
    attributes: { role: 'group', 'aria-label': 'Legend' },
  });
  readonly #search = element('input', {
    class: 'field',
    attributes: { type: 'text', placeholder: 'Filter series', 'aria-label': 'Filter series' },
  });
  readonly #head = element('tr');
  readonly #rows = element('tbody');
  readonly #empty = element('p', { class: 'dim', text: 'No series match.' });
  readonly #events: LegendEvents;
  #legend: Legend = { columns: [], rows: [] };
  #visible: ReadonlySet<string> | undefined;
  #editable = false;

  constructor(events: LegendEvents) {
    this.#events = events;
    this.element.append(
      element('table', {}, [element('thead', {}, [this.#head]), this.#rows]),
      this.#empty,
    );
    const filter = debounced(120, () => this.#drawRows());
    this.#search.addEventListener('input', filter);
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#search.value === '') return;
      event.stopPropagation();
      this.#search.value = '';
      this.#drawRows();
    });
  }

  get visible(): ReadonlySet<string> | undefined {
    return this.#visible;
  }

  draw(legend: Legend | undefined, editable: boolean): void {
    this.element.hidden = legend === undefined || legend.rows.length === 0;
    this.#legend = withoutEmptyColumns(legend ?? { columns: [], rows: [] });
    this.#editable = editable;
    const keys = new Set(this.#legend.rows.map(({ key }) => key));
    if (this.#visible && ![...this.#visible].some((key) => keys.has(key)))
      this.#visible = undefined;
    this.#drawHead();
    this.#drawRows();
  }

  /** Shows a series alone, or all where it is alone already. */
  isolate(key: string): void {
    const alone = this.#visible?.size === 1 && this.#visible.has(key);
    this.#setVisible(alone ? undefined : new Set([key]));
  }

  #toggle(key: string): void {
    const all = this.#legend.rows.map((row) => row.key);
    const next = new Set(this.#visible ?? all);
    if (!next.delete(key)) next.add(key);
    this.#setVisible(next.size === 0 || next.size === all.length ? undefined : next);
  }

  #setVisible(visible: ReadonlySet<string> | undefined): void {
    this.#visible = visible;
    this.#events.onVisible(visible);
    // The rows are drawn again; the one that had the focus keeps it.
    const focused = document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key;
    this.#drawRows();
    if (focused === undefined) return;
    for (const row of this.#rows.querySelectorAll<HTMLElement>('[data-key]'))
      if (row.dataset.key === focused) row.querySelector<HTMLElement>('button')?.focus();
  }

  /** The field that narrows the list is in the head, where it takes no room from the rows. */
  #drawHead(): void {
    const { columns, rows } = this.#legend;
    const searchable = rows.length >= searchFrom;
    if (!searchable) this.#search.value = '';
    const isSame =
      this.#head.children.length === columns.length + 1 &&
      this.#head.contains(this.#search) === searchable &&
      columns.every((text, at) => this.#head.children[at + 1]?.textContent === text);
    // The field keeps the keyboard while the chart is drawn again.
    if (isSame) return;
    this.#head.replaceChildren(
      element(
        'th',
        { attributes: { scope: 'col', ...(searchable && { 'aria-label': 'Series' }) } },
        [searchable ? this.#search : document.createTextNode('Series')],
      ),
      ...columns.map((text) => element('th', { text, attributes: { scope: 'col' } })),
    );
  }

  #drawRows(): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const rows = this.#legend.rows.filter(
      ({ name }) => wanted === '' || name.toLowerCase().includes(wanted),
    );
    this.#rows.replaceChildren(...rows.map((row) => this.#row(row)));
    this.#empty.hidden = rows.length > 0;
  }

  #row(row: LegendRow): HTMLElement {
    const { key, name, origin } = row;
    const shown = this.#visible?.has(key) !== false;
    const swatch = swatchElement(row);
    const isolate = button(
      {
        class: 'series',
        title: `${name}\nClick to show it alone, Ctrl+click to hide or show it`,
        attributes: { 'aria-pressed': String(shown) },
        onClick: ({ ctrlKey, metaKey }) =>
          ctrlKey || metaKey ? this.#toggle(key) : this.isolate(key),
      },
      [swatch, element('span', { class: 'series-name', text: name })],
    );
    const filters =
      this.#editable && origin !== undefined
        ? [
            button({
              class: 'quiet',
              text: '+',
              label: `Add ${name} as filter`,
              onClick: () => this.#events.onFilter(origin, false),
            }),
            button({
              class: 'quiet',
              text: '−',
              label: `Exclude ${name}`,
              onClick: () => this.#events.onFilter(origin, true),
            }),
          ]
        : [];
    const made = element(
      'tr',
      { class: shown ? '' : 'hidden-series', attributes: { 'data-key': key } },
      [
        element('th', { attributes: { scope: 'row' } }, [
          element('span', { class: 'series-cell' }, [
            isolate,
            element('span', { class: 'series-filters' }, filters),
          ]),
        ]),
        ...row.cells.map(({ text, exact }) => element('td', { text, title: exact ?? text })),
      ],
    );
    return made;
  }
}

/** Without the columns that have nothing in any row, such as the total of averages. */
function withoutEmptyColumns({ columns, rows }: Legend): Legend {
  const kept = columns.flatMap((_, at) => (rows.some(({ cells }) => cells[at]?.text) ? [at] : []));
  const pick = <T>(list: readonly T[]) => kept.map((at) => list[at] as T);
  return { columns: pick(columns), rows: rows.map((row) => ({ ...row, cells: pick(row.cells) })) };
}
