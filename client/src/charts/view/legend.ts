/** The legend, a table of the series' values. Clicks isolate a series, typing filters, arrow keys move the focus. */

import type { MarkOrigin } from '../../../../table/src/chart/chart.ts';
import { visibleText } from '../../../../table/src/visibleText.ts';
import { textField } from '../../webview/page/controls.ts';
import { button, debounced, element, textNode } from '../../webview/page/dom.ts';
import { FocusMark } from '../../webview/page/keepFocus.ts';
import type { Legend, LegendRow } from './kinds/drawn.ts';
import { swatchElement } from './swatch.ts';

/** The minimum number of series for which the legend shows a search field. */
const searchFrom = 8;

interface LegendEvents {
  /** Called when `visible` has changed. Redraws the chart and the legend. */
  onVisible(): void;
  onFilter(origin: MarkOrigin, exclude: boolean): void;
}

export class LegendTable {
  readonly element = element('section', {
    class: 'legend',
    // Use no landmark role, because a page may have many charts and would get too many landmarks.
    role: 'group',
    label: 'Legend',
  });
  readonly #search = textField('Filter series');
  readonly #head = element('tr', { class: 'sticky' });
  readonly #rows = element('tbody');
  readonly #empty = element('p', { class: 'dim', text: 'No series match.' });
  readonly #events: LegendEvents;
  #legend: Legend = { columns: [], rows: [] };
  #visible: ReadonlySet<string> | undefined;
  #editable = false;
  /** The key of the row that is the tab stop; undefined for the first row. */
  #current: string | undefined;

  constructor(events: LegendEvents) {
    this.#events = events;
    this.element.append(
      element('table', { class: 'digits' }, [element('thead', {}, [this.#head]), this.#rows]),
      this.#empty,
    );
    this.#rows.addEventListener('keydown', (event) => this.#move(event));
    this.#rows.addEventListener('focusin', ({ target }) => {
      this.#current = rowOf(target)?.dataset.key;
      this.#setStop();
    });
    new ResizeObserver(() => this.#fitColumns()).observe(this.element);
    const filter = debounced(120, () => this.#drawRows());
    this.#search.addEventListener('input', filter);
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#search.value === '') return;
      event.stopPropagation();
      this.#search.value = '';
      this.#drawRows();
    });
  }

  /** The keys of the visible series; undefined if all are visible. */
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

  /** Shows only this series, or all series if it is the only visible one. */
  #isolate(key: string): void {
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
    this.#events.onVisible();
  }

  /** Draws the table's header. It contains the search field, which saves height. */
  #drawHead(): void {
    const { columns, rows } = this.#legend;
    const searchable = rows.length >= searchFrom;
    if (!searchable) this.#search.value = '';
    const isSame =
      this.#head.children.length === columns.length + 1 &&
      this.#head.contains(this.#search) === searchable &&
      columns.every((text, at) => this.#head.children[at + 1]?.textContent === text);
    // Keep the header, so that the search field keeps the focus.
    if (isSame) return;
    this.#head.replaceChildren(
      element(
        'th',
        { attributes: { scope: 'col', ...(searchable && { 'aria-label': 'Series' }) } },
        [searchable ? this.#search : textNode('Series')],
      ),
      ...columns.map((text) => element('th', { text, attributes: { scope: 'col' } })),
    );
  }

  #drawRows(): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const rows = this.#legend.rows.filter(({ name }) => name.toLowerCase().includes(wanted));
    const focused = FocusMark.now();
    this.#rows.replaceChildren(...rows.map((row) => this.#row(row)));
    this.#empty.hidden = rows.length > 0;
    this.#setStop();
    this.#fitColumns();
    focused?.restore();
  }

  #rowElements(): HTMLElement[] {
    return [...this.#rows.children] as HTMLElement[];
  }

  /** Makes exactly one of the legend's buttons the tab stop. */
  #setStop(): void {
    const rows = this.#rowElements();
    const stop = rows.find(({ dataset }) => dataset.key === this.#current) ?? rows[0];
    for (const row of rows)
      for (const [at, one] of buttonsOf(row).entries())
        one.tabIndex = row === stop && at === 0 ? 0 : -1;
  }

  /** Moves the focus: up and down between rows, left and right between a row's buttons. */
  #move(event: KeyboardEvent): void {
    const rows = this.#rowElements();
    const row = rowOf(event.target);
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = buttonsOf(row);
    const [at, button] = [rows.indexOf(row), buttons.indexOf(event.target as HTMLElement)];
    const toRow = (index: number) => buttonsOf(rows[index] ?? row)[button] ?? buttons[0];
    const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
      ArrowDown: () => toRow(at + 1),
      ArrowUp: () => toRow(at - 1),
      Home: () => toRow(0),
      End: () => toRow(rows.length - 1),
      ArrowRight: () => buttons[button + 1],
      ArrowLeft: () => buttons[button - 1],
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    target()?.focus();
  }

  /** Hides the last columns if they don't fit. A row's tooltip still has all values. */
  #fitColumns(): void {
    const { columns } = this.#legend;
    const cells = [this.#head, ...this.#rowElements()];
    for (const row of cells) for (const cell of row.children) (cell as HTMLElement).hidden = false;
    for (let at = columns.length; at > 1; at--) {
      if (this.element.scrollWidth <= this.element.clientWidth) return;
      for (const row of cells)
        (row.children[at] as HTMLElement | undefined)?.toggleAttribute('hidden', true);
    }
  }

  #row(row: LegendRow): HTMLElement {
    const { key, name, origin } = row;
    const shown = this.#visible?.has(key) !== false;
    const figures = this.#legend.columns.flatMap((column, at) => {
      const figure = row.cells[at];
      return figure?.text ? `${column}: ${figure.exact ?? figure.text}` : [];
    });
    const hint = 'Click to show it alone, Ctrl+click to hide or show it';
    const isolate = button(
      {
        class: 'series beside',
        title: [visibleText(name), ...figures, hint].join('\n'),
        attributes: { 'aria-pressed': String(shown) },
        onClick: ({ ctrlKey, metaKey }) =>
          ctrlKey || metaKey ? this.#toggle(key) : this.#isolate(key),
      },
      [swatchElement(row), element('span', { class: 'series-name cut', text: name })],
    );
    const filter = (text: string, label: string, exclude: boolean) => {
      if (origin === undefined || !this.#editable) return undefined;
      const onClick = () => this.#events.onFilter(origin, exclude);
      return button({ class: 'quiet', text, label, onClick });
    };
    return element('tr', { class: shown ? '' : 'hidden-series', attributes: { 'data-key': key } }, [
      element('th', { attributes: { scope: 'row' } }, [
        element('span', { class: 'series-cell beside' }, [
          isolate,
          element('span', { class: 'series-filters beside' }, [
            filter('+', `Add ${name} as filter`, false),
            filter('−', `Exclude ${name}`, true),
          ]),
        ]),
      ]),
      ...row.cells.map(({ text, exact }) => element('td', { text, title: exact ?? text })),
    ]);
  }
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return (target as Element | null)?.closest<HTMLElement>('[data-key]') ?? undefined;
}

function buttonsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('button')];
}

/** Removes columns that are empty in all rows, such as a total column if all series are averages. */
function withoutEmptyColumns({ columns, rows }: Legend): Legend {
  const kept = columns.flatMap((_, at) => (rows.some(({ cells }) => cells[at]?.text) ? [at] : []));
  const pick = <T>(list: readonly T[]) => kept.map((at) => list[at] as T);
  return { columns: pick(columns), rows: rows.map((row) => ({ ...row, cells: pick(row.cells) })) };
}
