/** The panel of a column: its full summary, and the filters that suit its type. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { ColumnFilter, TextMatch, ValueKey } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { button, debounced, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { ViewColumn } from '../messages.ts';
import type { ColumnSummary, ColumnValues, CountedValue } from '../store/protocol.ts';
import { captionOf } from './columns.ts';
import { fullSummary, share } from './summaryDrawing.ts';

const SEARCH_MS = 150;

interface PanelParts {
  readonly index: number;
  readonly column: ViewColumn;
  readonly filters: readonly ColumnFilter[];
  readonly summary: (signal: AbortSignal) => Promise<ColumnSummary>;
  readonly values: (search: string, signal: AbortSignal) => Promise<ColumnValues>;
  readonly parseTime: (text: string) => Promise<string>;
  /** Replaces the filters of this column; rejects where one of them is not valid. */
  readonly apply: (filters: readonly ColumnFilter[]) => Promise<void>;
  readonly onClose: () => void;
}

type RangeFilter = Extract<ColumnFilter, { kind: 'number' } | { kind: 'time' }>;
type Condition = RangeFilter | Extract<ColumnFilter, { kind: 'text' }>;

const textMatches: readonly (readonly [value: string, label: string])[] = [
  ['contains', 'Contains'],
  ['not contains', 'Does not contain'],
  ['equals', 'Equals'],
  ['not equals', 'Does not equal'],
  ['startsWith', 'Starts with'],
  ['not startsWith', 'Does not start with'],
  ['regex', 'Matches regex'],
  ['not regex', 'Does not match regex'],
];

export class ColumnPanel {
  readonly #parts: PanelParts;
  readonly #popup: Popup;
  readonly #controller = new AbortController();
  readonly #problem = element('p', { class: 'problem', attributes: { role: 'alert' } });
  readonly #list = element('div', {
    class: 'values',
    attributes: { role: 'group', 'aria-label': 'Values', tabindex: '0' },
  });
  /** Chosen values by their key; an exclusion keeps all others. */
  readonly #chosen = new Map<string, ValueKey>();
  readonly #condition: () => Promise<Condition | undefined>;
  readonly #nulls: HTMLSelectElement;
  readonly #negate: HTMLInputElement;

  constructor(parts: PanelParts, anchor: HTMLElement) {
    this.#parts = parts;
    const { column, filters } = parts;
    const chosen = filters.find((filter) => filter.kind === 'values');
    for (const key of chosen?.values ?? []) this.#chosen.set(keyText(key), key);
    const isNull = filters.find((filter) => filter.kind === 'isNull');
    const { fields, read, first } = this.#conditionFields();
    this.#condition = read;
    this.#nulls = choice('Null values', [
      ['any', 'Include null'],
      ['not', 'Not null'],
      ['only', 'Only null'],
    ]);
    this.#nulls.value = isNull === undefined ? 'any' : isNull.negated ? 'not' : 'only';
    this.#negate = element('input', { attributes: { type: 'checkbox' } });
    this.#negate.checked = chosen?.negated ?? false;
    const search = element('input', {
      class: 'field',
      attributes: { type: 'text', placeholder: 'Search values', 'aria-label': 'Search values' },
    });
    search.addEventListener(
      'input',
      debounced(SEARCH_MS, () => void this.#drawValues(search.value)),
    );
    const summary = element('div', {
      class: 'full-summary',
      attributes: { 'aria-live': 'polite' },
    });
    const form = element('form', { class: 'panel-form' }, [
      element('h2', { class: 'panel-title' }, [
        element('span', { class: 'panel-name', text: column.name }),
        element('span', { class: 'panel-type', text: captionOf(column) }),
      ]),
      summary,
      element('div', { class: 'panel-row' }, fields),
      element('div', { class: 'panel-row' }, [this.#nulls]),
      element('div', { class: 'panel-row' }, [
        search,
        element('label', { class: 'check' }, [
          this.#negate,
          element('span', { text: 'Exclude selected' }),
        ]),
      ]),
      this.#list,
      this.#problem,
      element('div', { class: 'panel-buttons' }, [
        element('button', { class: 'action', text: 'Apply', attributes: { type: 'submit' } }),
        button({ class: 'action secondary', text: 'Clear', onClick: () => void this.#clear() }),
      ]),
    ]);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#apply();
    });
    this.#popup = new Popup([form], {
      label: `Summary and filters of ${column.name}`,
      class: 'column-panel',
      onClose: () => {
        this.#controller.abort();
        parts.onClose();
      },
    });
    this.#popup.show(anchor, first);
    void this.#drawSummary(summary);
    void this.#drawValues('');
  }

  async #drawSummary(place: HTMLElement): Promise<void> {
    try {
      const summary = await this.#parts.summary(this.#controller.signal);
      place.replaceChildren(...fullSummary(summary, this.#parts.column));
    } catch (error) {
      if (!isCancelled(error)) place.textContent = messageOf(error);
    }
  }

  async #drawValues(search: string): Promise<void> {
    try {
      const { values, distinct } = await this.#parts.values(search, this.#controller.signal);
      const total = values.reduce((sum, { count }) => sum + count, 0);
      const more = distinct.count - values.length;
      this.#list.replaceChildren(
        ...values.map((value) => this.#valueLine(value, total)),
        element('p', {
          class: 'more',
          text:
            values.length === 0
              ? 'No values.'
              : more > 0
                ? `${grouped(more)}${distinct.exact ? '' : '+'} more. Search to find them.`
                : '',
        }),
      );
    } catch (error) {
      if (!isCancelled(error)) this.#list.textContent = messageOf(error);
    }
  }

  #valueLine({ key, text, count }: CountedValue, total: number): HTMLElement {
    const box = element('input', { attributes: { type: 'checkbox' } });
    box.checked = this.#chosen.has(keyText(key));
    box.addEventListener('change', () => {
      if (box.checked) this.#chosen.set(keyText(key), key);
      else this.#chosen.delete(keyText(key));
    });
    const shown = text === null ? '∅' : text === '' ? '(empty)' : text;
    const bar = element('span', { class: 'value-bar', attributes: { 'aria-hidden': 'true' } });
    bar.style.width = `${(count / Math.max(1, total)) * 100}%`;
    return element('label', { class: 'value' }, [
      bar,
      box,
      element('span', {
        class: text === null || text === '' ? 'value-text dim' : 'value-text',
        text: shown,
        title: shown,
      }),
      element('span', {
        class: 'value-count',
        text: grouped(count),
        title: share(count, Math.max(1, total)),
      }),
    ]);
  }

  #conditionFields(): {
    fields: HTMLElement[];
    read: () => Promise<Condition | undefined>;
    first: HTMLElement;
  } {
    const { column, filters, index } = this.#parts;
    const kind = column.kind;
    if (kind === 'number' || kind === 'time') {
      const own = filters.find((filter): filter is RangeFilter => filter.kind === kind);
      const placeholder = kind === 'time' ? '2026-01-31 08:30' : '';
      const from = textField('From', own?.from ?? '', placeholder);
      const to = textField(kind === 'time' ? 'Before' : 'To', own?.to ?? '', placeholder);
      const read = async (): Promise<Condition | undefined> => {
        const [low, high] = await Promise.all([this.#bound(from), this.#bound(to)]);
        if (low === undefined && high === undefined) return undefined;
        return {
          column: index,
          kind,
          ...(low !== undefined && { from: low }),
          ...(high !== undefined && { to: high }),
        };
      };
      return { fields: [from, element('span', { text: '–' }), to], read, first: from };
    }
    const own = filters.find((filter) => filter.kind === 'text');
    const match = choice('Condition', textMatches);
    match.value = own === undefined ? 'contains' : `${own.negated ? 'not ' : ''}${own.match}`;
    const field = textField('Text', own?.text ?? '', 'Text');
    const matchCase = element('input', { attributes: { type: 'checkbox' } });
    matchCase.checked = own?.caseSensitive ?? false;
    const read = async (): Promise<Condition | undefined> => {
      if (field.value === '') return undefined;
      const negated = match.value.startsWith('not ');
      return {
        column: index,
        kind: 'text',
        match: match.value.replace('not ', '') as TextMatch,
        text: field.value,
        caseSensitive: matchCase.checked,
        ...(negated && { negated }),
      };
    };
    const caseLabel = element('label', { class: 'check', title: 'Match case' }, [
      matchCase,
      element('span', { text: 'Aa' }),
    ]);
    return { fields: [match, field, caseLabel], read, first: field };
  }

  async #bound(field: HTMLInputElement): Promise<string | undefined> {
    const text = field.value.trim();
    field.ariaInvalid = 'false';
    if (text === '') return undefined;
    try {
      if (this.#parts.column.kind === 'time') return await this.#parts.parseTime(text);
      const digits = text.replace(/[\s_,](?=\d{3})/g, '');
      if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(digits)) return digits;
      throw new Error('Enter a number such as 200 or 0.5.');
    } catch (error) {
      field.ariaInvalid = 'true';
      field.focus();
      throw error;
    }
  }

  async #apply(): Promise<void> {
    this.#problem.textContent = '';
    try {
      const condition = await this.#condition();
      const { index } = this.#parts;
      const filters: ColumnFilter[] = condition === undefined ? [] : [condition];
      const nulls = this.#nulls.value;
      if (nulls !== 'any')
        filters.push({ column: index, kind: 'isNull', ...(nulls === 'not' && { negated: true }) });
      if (this.#chosen.size > 0)
        filters.push({
          column: index,
          kind: 'values',
          values: [...this.#chosen.values()],
          ...(this.#negate.checked && { negated: true }),
        });
      await this.#parts.apply(filters);
      this.#popup.close();
    } catch (error) {
      if (!isCancelled(error)) this.#problem.textContent = messageOf(error);
    }
  }

  async #clear(): Promise<void> {
    await this.#parts.apply([]);
    this.#popup.close();
  }
}

function keyText(key: ValueKey): string {
  return key === null ? '' : `${key.kind} ${key.text}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function textField(label: string, value: string, placeholder: string): HTMLInputElement {
  const field = element('input', {
    class: 'field',
    attributes: { type: 'text', 'aria-label': label, placeholder: placeholder || label },
  });
  field.value = value;
  return field;
}

function choice(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
): HTMLSelectElement {
  return element(
    'select',
    { class: 'field', attributes: { 'aria-label': label } },
    options.map(([value, text]) => element('option', { text, attributes: { value } })),
  );
}
