/** Shows a query's result: its rows as a table and its messages, or its error. */
import { counted, grouped } from '../../formats/src/counts.ts';
import { button, element, scrollTable } from './dom.ts';
import { type Answer, type Column, cellsOf, type Table } from './rowReader.ts';
import { type Place, ServiceError } from './service.ts';
import { duration, visible } from './visible.ts';

/** Limits that keep the page responsive. */
const CELLS_MAX = 20_000;
const ROWS_MAX = 500;
const TEXT_MAX = 1_000;
const COLUMNS_MAX = 500;

/** Maximum number of problems shown. Later problems are often caused by the first one. */
const PROBLEMS_MAX = 5;

const numeric = new Set(['integer', 'float', 'long', 'real']);

export interface ResultsOptions {
  readonly goTo: (place: Place) => void;
  readonly runOverAllTimes: () => void;
}

export class Results {
  readonly element: HTMLElement;
  /** A live region, whose changes screen readers announce. */
  readonly #state = element('p', { class: 'state', attributes: { role: 'status' } });
  readonly #elapsed = element('span', { class: 'elapsed', attributes: { 'aria-hidden': 'true' } });
  readonly #problem = element('div', { attributes: { role: 'alert' } });
  readonly #content = element('div');
  readonly #options: ResultsOptions;
  #timer = 0;

  constructor(options: ResultsOptions) {
    this.#options = options;
    const line = element('div', { class: 'line' }, [this.#state, this.#elapsed]);
    this.element = element('div', { class: 'results' }, [line, this.#problem, this.#content]);
    this.clear();
  }

  clear(): void {
    this.#begin('Run a query to see its rows here.');
    this.#content.replaceChildren();
  }

  /** Keeps the previous rows visible until the new rows arrive. */
  running(): void {
    this.#begin('Running…');
    this.#content.classList.add('old');
    const started = performance.now();
    const tick = () => {
      const seconds = Math.floor((performance.now() - started) / 1_000);
      this.#elapsed.textContent = seconds === 0 ? '' : `${seconds} s`;
    };
    this.#timer = setInterval(tick, TICK_MS);
  }

  cancelled(): void {
    this.#begin('Cancelled. The query was stopped at the deployment.');
  }

  failed(error: unknown): void {
    this.#begin('');
    this.#content.replaceChildren();
    const words = error instanceof Error ? error.message : String(error);
    const problems = error instanceof ServiceError ? error.problems : [];
    const shown = problems.slice(0, PROBLEMS_MAX).map((problem) => {
      const go = () => this.#options.goTo(problem);
      return element('p', {}, [
        `${visible(problem.message)} `,
        button(`Go to line ${problem.line}, column ${problem.column}`, go, { class: 'quiet' }),
      ]);
    });
    const children = shown.length > 0 ? shown : [element('p', { text: visible(words) })];
    this.#problem.replaceChildren(element('div', { class: 'problem' }, children));
  }

  shown({ status, tables }: Answer, range: string, isAllTimes: boolean): void {
    const [table, ...others] = tables;
    const rows = table?.rowCount ?? 0;
    const facts = [
      counted(rows, 'row'),
      `${counted(status.rowsExamined ?? 0, 'row')} examined`,
      duration(status.elapsedTime ?? 0),
      range,
    ];
    this.#begin(facts.join(' · '));
    const messages = (status.messages ?? []).map(({ msg, message }) => msg ?? message ?? '');
    if (status.isPartial) messages.unshift('The result is partial.');
    this.#content.replaceChildren(
      ...messages.map((text) => element('p', { class: 'message', text: visible(text) })),
      ...(table === undefined || rows === 0
        ? [this.#empty(range, isAllTimes)]
        : drawn(table, 'Result')),
      ...others
        .filter(({ rowCount }) => rowCount > 0)
        .flatMap((other) => [
          element('h3', { text: other.name === '_totals' ? 'Totals' : visible(other.name) }),
          ...drawn(other, 'Totals'),
        ]),
    );
  }

  #empty(range: string, isAllTimes: boolean): HTMLElement {
    if (isAllTimes) return element('p', { class: 'empty', text: 'No events match the query.' });
    const words = `No rows: no events match the query in this time range (${range}). `;
    return element('p', { class: 'empty', text: words }, [
      button('Run over all times', this.#options.runOverAllTimes),
    ]);
  }

  #begin(state: string): void {
    clearInterval(this.#timer);
    this.#elapsed.textContent = '';
    this.#state.textContent = state;
    this.#problem.replaceChildren();
    this.#content.classList.remove('old');
  }
}

const TICK_MS = 1_000;

function drawn({ columns, rows, rowCount }: Table, label: string): HTMLElement[] {
  const places = placesOf(columns).slice(0, COLUMNS_MAX);
  const shownColumns = places.map((place) => columns[place]!);
  const fitting = Math.max(1, Math.floor(CELLS_MAX / Math.max(1, shownColumns.length)));
  const shownRows = rows.slice(0, Math.min(ROWS_MAX, fitting));
  const notes: string[] = [];
  if (shownRows.length < rowCount) {
    notes.push(`The first ${grouped(shownRows.length)} of ${grouped(rowCount)} rows are shown.`);
  }
  if (shownColumns.length < columns.length) {
    notes.push(
      `The first ${grouped(COLUMNS_MAX)} of ${grouped(columns.length)} columns are shown.`,
    );
  }
  if (notes.length > 0) notes.push('The extension shows all of them.');
  const body = shownRows.map((row) => {
    const json = cellsOf(row);
    const cells = shownColumns.map(({ type }, i) => cellOf(json[places[i]!], type));
    return element('tr', {}, cells);
  });
  return [
    ...(notes.length > 0 ? [element('p', { class: 'message', text: notes.join(' ') })] : []),
    scrollTable(label, shownColumns.map(headerOf), body),
  ];
}

/** Returns the columns' indexes in display order. A leading `_sysTime` moves to the end if `_time` follows it. */
function placesOf(columns: readonly Column[]): number[] {
  const places = columns.map((_, place) => place);
  const asStored = columns[0]?.name === '_sysTime' && columns[1]?.name === '_time';
  return asStored ? [...places.slice(1), 0] : places;
}

function headerOf({ name, type }: Column): HTMLElement {
  const isNumber = numeric.has(type);
  const attributes = { scope: 'col' };
  return element('th', { ...(isNumber && { class: 'number' }), attributes }, [
    visible(name),
    ' ',
    element('span', { class: 'type', text: type }),
  ]);
}

/** Returns the cell for a value. A number keeps all the digits that the deployment sent. */
function cellOf(json: string | undefined, type: string): HTMLElement {
  if (json === undefined || json === 'null') return element('td', { class: 'null', text: 'null' });
  const isText = json.startsWith('"');
  const text = isText ? (JSON.parse(json) as string) : json;
  if (text === '') return element('td', { class: 'null', text: '""' });
  const shown = visible(text.slice(0, TEXT_MAX));
  const rest = text.length > TEXT_MAX ? `… (${grouped(text.length)} characters)` : '';
  const isNumber = !isText && numeric.has(type);
  return element('td', { ...(isNumber && { class: 'number' }), text: shown + rest });
}
