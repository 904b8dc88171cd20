/** A column's panel: its full summary, and the filters that suit its type. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { ColumnFilter, TextMatch, ValueKey } from '../../../../table/src/viewState.ts';
import { visibleText } from '../../../../table/src/visibleText.ts';
import type { CountedValue } from '../../answers/protocol.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { checkbox, choice, labeledCheckbox, textField } from '../../webview/page/controls.ts';
import { debounced, element, setLines, setText, setTitle } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ViewColumn } from '../pageContent.ts';
import { channel } from './channel.ts';
import { captionOf } from './columns.ts';
import { formButtons, problemLine } from './controls.ts';
import { countText, fullSummary, share } from './summaryDrawing.ts';
import { type OpenTable, waitingForRows } from './table/openTable.ts';

const SEARCH_MS = 150;

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
  readonly #open: OpenTable;
  readonly #index: number;
  readonly #column: ViewColumn;
  readonly #filters: readonly ColumnFilter[];
  readonly #replaceFilters: (filters: readonly ColumnFilter[]) => Promise<void>;
  readonly #popup: Popup;
  readonly #controller = new AbortController();
  readonly #problem = problemLine();
  readonly #list = element('div', { class: 'values', role: 'group', label: 'Values', tabIndex: 0 });
  /** The selected values by key. A filter that excludes values keeps all other values. */
  readonly #chosen: Map<string, ValueKey>;
  readonly #condition: () => Promise<Condition | undefined>;
  readonly #nulls = choice({ 'aria-label': 'Null values' }, [
    ['any', 'Include null'],
    ['not', 'Not null'],
    ['only', 'Only null'],
  ]);
  readonly #negate: HTMLInputElement;

  /** `replaceFilters` replaces the column's filters, and rejects if one is invalid. */
  constructor(
    open: OpenTable,
    index: number,
    replaceFilters: (filters: readonly ColumnFilter[]) => Promise<void>,
    anchor: HTMLElement,
  ) {
    const column = open.table.columns[index] as ViewColumn;
    this.#open = open;
    this.#index = index;
    this.#column = column;
    this.#filters = open.view.filters.filter((filter) => filter.column === index);
    this.#replaceFilters = replaceFilters;
    const chosen = this.#filters.find((filter) => filter.kind === 'values');
    this.#chosen = new Map(chosen?.values.map((key) => [keyText(key), key]));
    const isNull = this.#filters.find((filter) => filter.kind === 'isNull');
    const { fields, read, first } = this.#conditionFields();
    this.#condition = read;
    this.#nulls.value = isNull === undefined ? 'any' : isNull.negated ? 'not' : 'only';
    this.#negate = checkbox(chosen?.negated ?? false);
    const search = textField('Search values');
    search.addEventListener(
      'input',
      debounced(SEARCH_MS, () => void this.#drawValues(search.value)),
    );
    const summary = element('div', {
      class: 'full-summary',
      attributes: { 'aria-live': 'polite' },
    });
    const form = element('form', { class: 'panel-form stack' }, [
      element('h2', { class: 'panel-title beside' }, [
        element('span', { class: 'panel-name cut', text: column.name }),
        element('span', { class: 'panel-type rigid dim', text: captionOf(column) }),
      ]),
      summary,
      element('div', { class: 'panel-row beside' }, fields),
      element('div', { class: 'panel-row beside' }, [this.#nulls]),
      element('div', { class: 'panel-row beside' }, [
        search,
        labeledCheckbox(this.#negate, 'Exclude selected'),
      ]),
      this.#list,
      this.#problem,
      formButtons('Apply', 'Clear', () => void this.#clear()),
    ]);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#apply();
    });
    this.#popup = new Popup([form], {
      label: `Summary and filters of ${column.name}`,
      class: 'column-panel',
      onClose: () => this.#controller.abort(),
    });
    this.#popup.show(anchor, first);
    void this.#drawSummary(summary);
    void this.#drawValues('');
  }

  async #drawSummary(place: HTMLElement): Promise<void> {
    if (this.#open.isArriving) setText(place, waitingForRows);
    try {
      const summary = await this.#open.summary(this.#index, this.#controller.signal);
      place.replaceChildren(...fullSummary(summary, this.#column));
    } catch (error) {
      if (!isCancelled(error)) setLines(place, errorMessage(error));
    }
  }

  async #drawValues(search: string): Promise<void> {
    try {
      const { signal } = this.#controller;
      const params = { ...this.#open.place, column: this.#index, search };
      const { values, distinct } = await channel.request('values', params, signal);
      const total = values.reduce((sum, { count }) => sum + count, 0);
      const more = distinct.count - values.length;
      this.#list.replaceChildren(
        ...values.map((value) => this.#valueLine(value, total)),
        element('p', {
          class: 'more dim optional',
          text:
            values.length === 0
              ? 'No values.'
              : more > 0
                ? `${countText({ ...distinct, count: more })} more. Search to find them.`
                : '',
        }),
      );
    } catch (error) {
      if (!isCancelled(error)) setLines(this.#list, errorMessage(error));
    }
  }

  #valueLine({ key, text, count }: CountedValue, total: number): HTMLElement {
    const box = checkbox(this.#chosen.has(keyText(key)));
    box.addEventListener('change', () => {
      if (box.checked) this.#chosen.set(keyText(key), key);
      else this.#chosen.delete(keyText(key));
    });
    const shown = text === null ? '∅' : text === '' ? '(empty)' : text;
    const bar = element('span', { class: 'value-bar', attributes: { 'aria-hidden': 'true' } });
    bar.style.width = `${(count / Math.max(1, total)) * 100}%`;
    return element('label', { class: 'value beside' }, [
      bar,
      box,
      element('span', {
        class: text === null || text === '' ? 'value-text cut fill dim' : 'value-text cut fill',
        text: shown,
        title: visibleText(shown),
      }),
      element('span', {
        class: 'value-count rigid dim digits',
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
    const { kind } = this.#column;
    if (kind === 'number' || kind === 'time') {
      const own = this.#filters.find((filter): filter is RangeFilter => filter.kind === kind);
      const hint = kind === 'time' ? { placeholder: '2026-01-31 08:30' } : {};
      const from = textField('From', own?.from, hint);
      const to = textField(kind === 'time' ? 'Before' : 'To', own?.to, hint);
      const read = async (): Promise<Condition | undefined> => {
        const [low, high] = await Promise.all([this.#bound(from), this.#bound(to)]);
        if (low === undefined && high === undefined) return undefined;
        return {
          column: this.#index,
          kind,
          ...(low !== undefined && { from: low }),
          ...(high !== undefined && { to: high }),
        };
      };
      return { fields: [from, element('span', { text: '–' }), to], read, first: from };
    }
    const own = this.#filters.find((filter) => filter.kind === 'text');
    const match = choice({ 'aria-label': 'Condition' }, textMatches);
    match.value = own === undefined ? 'contains' : `${own.negated ? 'not ' : ''}${own.match}`;
    const field = textField('Text', own?.text);
    const matchCase = checkbox(own?.caseSensitive ?? false);
    const read = async (): Promise<Condition | undefined> => {
      if (field.value === '') return undefined;
      const negated = match.value.startsWith('not ');
      return {
        column: this.#index,
        kind: 'text',
        match: match.value.replace('not ', '') as TextMatch,
        text: field.value,
        caseSensitive: matchCase.checked,
        ...(negated && { negated }),
      };
    };
    const caseLabel = labeledCheckbox(matchCase, 'Aa');
    setTitle(caseLabel, 'Match case');
    return { fields: [match, field, caseLabel], read, first: field };
  }

  async #bound(field: HTMLInputElement): Promise<string | undefined> {
    const text = field.value.trim();
    field.ariaInvalid = 'false';
    if (text === '') return undefined;
    try {
      if (this.#column.kind === 'time') return await channel.request('parseTime', { text });
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
    setText(this.#problem, '');
    try {
      const condition = await this.#condition();
      const column = this.#index;
      const filters: ColumnFilter[] = condition === undefined ? [] : [condition];
      const nulls = this.#nulls.value;
      if (nulls !== 'any')
        filters.push({ column, kind: 'isNull', ...(nulls === 'not' && { negated: true }) });
      if (this.#chosen.size > 0)
        filters.push({
          column,
          kind: 'values',
          values: [...this.#chosen.values()],
          ...(this.#negate.checked && { negated: true }),
        });
      await this.#replaceFilters(filters);
      this.#popup.close();
    } catch (error) {
      if (!isCancelled(error)) setLines(this.#problem, errorMessage(error));
    }
  }

  async #clear(): Promise<void> {
    await this.#replaceFilters([]);
    this.#popup.close();
  }
}

function keyText(key: ValueKey): string {
  return key === null ? '' : `${key.kind} ${key.text}`;
}
