/** Shows events as lines in the answer's order: time, message, then the other fields. Reads rows in windows. */

import type { LogStreamData } from '../../../../table/src/chart/chart.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { debounced, element } from '../../webview/page/dom.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ChartColumn, ChartParts } from './module.ts';

const lineHeight = 22;
const windowRows = 200;
/** The maximum number of fields shown after the message. */
const maxFields = 12;
/** The maximum height, because browsers don't scroll taller elements reliably. The table shows the remaining rows. */
const maxHeight = 10_000_000;

type LogParts = Pick<ChartParts, 'source' | 'rowCount'>;

export class LogStream {
  readonly element = element('div', {
    class: 'log-stream fill mono',
    role: 'list',
    label: 'Log stream',
    tabIndex: 0,
  });
  readonly #lines = element('div', { class: 'log-lines' });
  readonly #parts: LogParts;
  readonly #data: LogStreamData;
  readonly #columns: readonly ChartColumn[];
  readonly #shown: readonly number[];
  #reading = new AbortController();

  constructor(parts: LogParts, data: LogStreamData, columns: readonly ChartColumn[]) {
    this.#parts = parts;
    this.#data = data;
    this.#columns = columns;
    const first = [data.time, data.severity, data.message].filter((index) => index !== undefined);
    const others = columns.map((_, index) => index).filter((index) => !first.includes(index));
    this.#shown = [...first, ...others.slice(0, maxFields)];
    this.#lines.style.height = `${Math.min(maxHeight, parts.rowCount * lineHeight)}px`;
    this.element.append(this.#lines);
    const draw = debounced(30, () => void this.draw());
    this.element.addEventListener('scroll', draw);
  }

  get notices(): readonly string[] {
    return this.#parts.rowCount * lineHeight > maxHeight
      ? ['The last rows cannot be reached by scrolling. They are in the table.']
      : [];
  }

  dispose(): void {
    this.#reading.abort();
  }

  /** Draws the visible lines. The element must be in the document. */
  async draw(): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { source, rowCount } = this.#parts;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / lineHeight) - 20);
    const last = Math.min(rowCount, Math.ceil((scrollTop + clientHeight) / lineHeight) + 20);
    try {
      const end = Math.min(last, first + windowRows);
      const { rows } = await source.rows(first, end, this.#shown, this.#reading.signal);
      this.#lines.replaceChildren(...rows.map((cells, index) => this.#line(first + index, cells)));
    } catch (error) {
      if (isCancelled(error)) return;
      const lines = errorMessage(error);
      this.#lines.replaceChildren(element('p', { class: 'chart-message dim', lines }));
    }
  }

  #line(row: number, cells: readonly (string | null)[]): HTMLElement {
    const { time, message, severity } = this.#data;
    const of = (column: number | undefined) =>
      column === undefined ? undefined : cells[this.#shown.indexOf(column)];
    const fields = this.#shown.flatMap((column, at) => {
      const text = cells[at];
      if ([time, message, severity].includes(column) || text === null || text === undefined)
        return [];
      return element('span', { class: 'log-field' }, [
        element('span', { class: 'log-name dim', text: `${this.#columns[column]?.name ?? ''}=` }),
        element('span', { text }),
      ]);
    });
    const level = of(severity);
    const made = element(
      'div',
      {
        class: `log-line ${level ? levelClass(level) : ''}`,
        attributes: {
          role: 'listitem',
          'aria-setsize': String(this.#parts.rowCount),
          'aria-posinset': String(row + 1),
        },
      },
      [
        element('span', { class: 'log-time dim', text: of(time) ?? '' }),
        level ? element('span', { class: 'log-level', text: level }) : undefined,
        element('span', { class: 'log-message', text: of(message) ?? '' }),
        ...fields,
      ],
    );
    made.style.top = `${row * lineHeight}px`;
    return made;
  }
}

function levelClass(text: string): string {
  if (/^(fatal|crit|err|emerg|alert|panic)/i.test(text)) return 'level-error';
  if (/^warn/i.test(text)) return 'level-warning';
  return '';
}
