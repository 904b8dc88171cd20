/** Lists the datasets with their event counts, sizes and time ranges. Shows a dataset's fields on request. */
import { counted, grouped } from '../../formats/src/counts.ts';
import { button, element, scrollTable, section } from './dom.ts';
import { type DatasetOverview, type Field, type Service, ServiceError } from './service.ts';
import { second, size, visible } from './visible.ts';

export interface DatasetsOptions {
  readonly service: () => Service | undefined;
  readonly tokenRejected: (error: ServiceError) => void;
  readonly query: (dataset: DatasetOverview) => void;
  readonly read: (datasets: readonly DatasetOverview[]) => void;
}

const COLUMNS: readonly (readonly [title: string, isNumber?: true])[] = [
  ['Dataset'],
  ['Events', true],
  ['Size on disk', true],
  ['First event (UTC)'],
  ['Last event (UTC)'],
];

export class Datasets {
  readonly element: HTMLElement;
  readonly #options: DatasetsOptions;
  readonly #state = element('p', { class: 'state', attributes: { role: 'status' } });
  readonly #content = element('div');
  readonly #refresh = button('Refresh', () => void this.refresh(), { class: 'quiet' });

  constructor(options: DatasetsOptions) {
    this.#options = options;
    const line = element('div', { class: 'line' }, [this.#state, this.#refresh]);
    this.element = section('datasets', 'Datasets', [line, this.#content]);
  }

  clear(): void {
    this.#state.textContent = '';
    this.#content.replaceChildren();
  }

  async refresh(): Promise<void> {
    const service = this.#options.service();
    if (service === undefined) return;
    this.#state.textContent = 'Reading…';
    try {
      const datasets = await service.datasets();
      if (service !== this.#options.service()) return;
      this.#show(datasets);
      this.#options.read(datasets);
    } catch (error) {
      if (service !== this.#options.service()) return;
      this.#state.textContent = visible((error as Error).message);
      if (error instanceof ServiceError && error.isToken) this.#options.tokenRejected(error);
    }
  }

  #show(datasets: readonly DatasetOverview[]): void {
    const number = datasets.length;
    this.#state.textContent =
      number === 0
        ? 'There are no datasets that this token may query. Create one and send events to it, as shown below.'
        : counted(number, 'dataset');
    const head = COLUMNS.map(([text, isNumber]) =>
      element('th', { ...(isNumber && { class: 'number' }), text, attributes: { scope: 'col' } }),
    );
    const rows = datasets.flatMap((dataset) => this.#rowsOf(dataset));
    const table = scrollTable('Datasets', [...head, element('td')], rows);
    this.#content.replaceChildren(...(number === 0 ? [] : [table]));
  }

  #rowsOf(dataset: DatasetOverview): HTMLElement[] {
    const { name, description, events, bytes, first, last } = dataset;
    const details = element('tr', { class: 'details' }, [
      element('td', { attributes: { colspan: String(COLUMNS.length + 1) } }),
    ]);
    details.hidden = true;
    const shown = visible(name);
    const fields = button('Fields', () => void this.#toggle(fields, details, name), {
      class: 'quiet',
      attributes: { 'aria-expanded': 'false', 'aria-label': `Fields of ${shown}` },
    });
    const query = button('Query', () => this.#options.query(dataset), {
      class: 'quiet',
      attributes: { 'aria-label': `Query ${shown}` },
    });
    const row = element('tr', {}, [
      element('th', { attributes: { scope: 'row' } }, [
        shown,
        description === ''
          ? undefined
          : element('div', { class: 'hint', text: visible(description) }),
      ]),
      element('td', { class: 'number', text: grouped(events) }),
      // Events in the write-ahead log don't count, so the size may be 0 until the next checkpoint.
      element('td', {
        class: 'number',
        text: bytes > 0 ? size(bytes) : events > 0 ? 'in the log' : '–',
      }),
      timeCell(first),
      timeCell(last),
      element('td', { class: 'actions' }, [query, fields]),
    ]);
    return [row, details];
  }

  async #toggle(toggle: HTMLButtonElement, details: HTMLElement, name: string): Promise<void> {
    details.hidden = !details.hidden;
    toggle.setAttribute('aria-expanded', String(!details.hidden));
    const service = this.#options.service();
    if (details.hidden || service === undefined) return;
    const cell = details.firstElementChild!;
    cell.textContent = 'Reading the fields…';
    try {
      cell.replaceChildren(fieldsOf(name, await service.fields(name)));
    } catch (error) {
      cell.textContent = visible((error as Error).message);
      if (error instanceof ServiceError && error.isToken) this.#options.tokenRejected(error);
    }
  }
}

function timeCell(time: string | undefined): HTMLElement {
  if (time === undefined) return element('td', { text: '–' });
  const attributes = { datetime: time, title: time };
  return element('td', {}, [element('time', { text: second(time), attributes })]);
}

function fieldsOf(dataset: string, fields: readonly Field[]): HTMLElement {
  const attributes = { 'aria-label': `Fields of ${visible(dataset)}` };
  return element(
    'ul',
    { class: 'fields', attributes },
    fields.map(({ name, type, unit, description }) =>
      element('li', {}, [
        element('code', { text: visible(name) }),
        ' ',
        element('span', {
          class: 'type',
          text: visible([type, unit, description].filter(Boolean).join(' · ')),
        }),
      ]),
    ),
  );
}
