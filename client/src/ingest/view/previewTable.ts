/** The first events as they will be stored: a row for each, with the line that it is on. */
import { button, element } from '../../webview/page/dom.ts';
import { counted, grouped } from '../../words/counts.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView, PreviewView, ViewCell, ViewColumn } from '../host/messages.ts';
import { channel } from './channel.ts';
import { select } from './controls.ts';

/** More columns are drawn on request: a table of thousands takes a moment. */
const columnsMax = 100;

const csvTypes = [
  { value: 'string', label: 'string' },
  { value: 'integer', label: 'integer' },
  { value: 'number', label: 'number' },
  { value: 'boolean', label: 'boolean' },
];

export class PreviewTable {
  readonly element = element('section', {
    class: 'preview',
    attributes: { 'aria-label': 'Preview' },
  });
  readonly #choose: (choices: Choices) => void;
  #drawn = '';
  #allColumns = false;

  constructor(choose: (choices: Choices) => void) {
    this.#choose = choose;
  }

  update(file: FileView): void {
    this.element.classList.toggle('dimmed', file.reading);
    this.element.ariaBusy = String(file.reading);
    const { preview } = file;
    if (preview === undefined) {
      this.#drawn = '';
      return this.element.replaceChildren();
    }
    const drawn = `${file.id} ${file.version} ${this.#allColumns}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#focusedColumn();
    const columns = this.#allColumns ? preview.columns : preview.columns.slice(0, columnsMax);
    this.element.replaceChildren(...this.#heading(file, preview, columns.length));
    if (preview.rows.length > 0) this.element.append(this.#table(file, preview, columns));
    if (focused !== undefined) this.#focusColumn(focused);
  }

  #heading(file: FileView, preview: PreviewView, shown: number): HTMLElement[] {
    const fields = preview.columns.length;
    const more =
      shown < fields
        ? [
            button({
              class: 'link',
              text: `Show All ${grouped(fields)} Fields`,
              onClick: () => {
                this.#allColumns = true;
                this.update(file);
              },
            }),
          ]
        : [];
    const about =
      preview.rows.length === 0
        ? 'Choose another format, or check that the file has events.'
        : `${counted(fields, 'field')}, as they will be stored`;
    return [
      element('div', { class: 'preview-heading' }, [
        element('h2', { text: preview.caption }),
        element('span', { class: 'about', text: about }),
        ...more,
      ]),
    ];
  }

  #table(file: FileView, preview: PreviewView, columns: readonly ViewColumn[]): HTMLElement {
    const head = element('tr', {}, [
      element('th', { class: 'line', text: 'Line', attributes: { scope: 'col' } }),
      ...columns.map((column) => this.#header(column)),
    ]);
    const body = element('tbody');
    for (const [index, { line, cells }] of preview.rows.entries()) {
      const row = element('tr', {}, [lineCell(file, line, index)]);
      for (let at = 0; at < columns.length; at += 1) {
        row.append(cellElement(cells[at], columns[at]?.numeric === true));
      }
      body.append(row);
    }
    body.addEventListener('keydown', moveBetweenLines);
    return element(
      'div',
      {
        class: 'scroll',
        attributes: { tabindex: '0', role: 'region', 'aria-label': preview.caption },
      },
      [element('table', {}, [element('thead', {}, [head]), body])],
    );
  }

  #header({ name, type, numeric, tooltip, csv }: ViewColumn): HTMLElement {
    const shown: Node[] = [element('span', { class: 'name', text: name })];
    if (csv) {
      const control = select(
        csvTypes,
        (value) => this.#choose({ csv: { types: { [csv.key]: value as 'string' } } }),
        `Type of ${name}`,
      );
      control.value = csv.type;
      control.dataset.column = csv.key;
      shown.push(control);
    } else shown.push(element('span', { class: 'type', text: type }));
    return element(
      'th',
      { class: numeric ? 'numeric' : '', title: tooltip, attributes: { scope: 'col' } },
      shown,
    );
  }

  #focusedColumn(): string | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLSelectElement && this.element.contains(activeElement)
      ? activeElement.dataset.column
      : undefined;
  }

  #focusColumn(column: string): void {
    for (const control of this.element.querySelectorAll('select')) {
      if (control.dataset.column === column) control.focus();
    }
  }
}

function cellElement(cell: ViewCell | undefined, numeric: boolean): HTMLElement {
  if (cell === undefined || cell.kind === 'missing') return element('td', { class: 'missing' });
  if (cell.kind === 'null') return element('td', { class: 'null', text: '∅', title: 'null' });
  if (cell.kind === 'arrival') return element('td', { class: 'null', text: 'time of arrival' });
  const right = numeric && cell.kind === 'other';
  return element('td', {
    class: right ? 'numeric' : '',
    text: cell.text,
    ...(cell.text.length > 30 && { title: cell.text }),
  });
}

/** One of the links is in the order of Tab; arrows move between them. */
function lineCell(file: FileView, line: number, index: number): HTMLElement {
  const text = grouped(line);
  if (!file.hasLines) {
    return element('th', { class: 'line', text, attributes: { scope: 'row' } });
  }
  return element('th', { class: 'line', attributes: { scope: 'row' } }, [
    button({
      class: 'link',
      text,
      label: `Open line ${text}`,
      attributes: { tabindex: index === 0 ? '0' : '-1' },
      onClick: () => channel.send('openLine', { file: file.id, line }),
    }),
  ]);
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveBetweenLines(this: HTMLElement, event: KeyboardEvent): void {
  const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
  const links = [...this.querySelectorAll<HTMLButtonElement>('th.line button')];
  const at = links.indexOf(event.target as HTMLButtonElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  const next = links[step(at, links.length)];
  links[at]?.setAttribute('tabindex', '-1');
  next?.setAttribute('tabindex', '0');
  next?.focus();
}
