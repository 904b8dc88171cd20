// The form: a searchable table of fields that can be edited and saved.

import { counted, grouped } from '../../../../formats/src/counts.ts';
import { textButton, textField } from '../../webview/page/controls.ts';
import { debounced, element, setLines, setText } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import { FocusMark } from '../../webview/page/keepFocus.ts';
import type { FieldChanges, Loaded, Saved, SaveFailure } from '../fieldsContract.ts';
import { type Chosen, changed, changesOf, chosenOf, rowsOf } from './rows.ts';
import { RowView } from './rowView.ts';

export interface FormParts {
  readonly save: (changes: FieldChanges) => Promise<Saved>;
  readonly draft: (changes: FieldChanges) => void;
}

const columns = {
  Field: '',
  Type: '',
  Unit: '',
  Description: '',
  Hidden:
    'Completion, lists of fields and results omit a hidden field. The column list of a result still contains it.',
  Map: 'A map field keeps an object in one column, however many keys it has.',
};
const mapNote =
  "New events store a map field in one column, read as ['geo']['city']. Stored events keep their columns.";

export class Form {
  readonly element: HTMLElement;
  readonly #parts: FormParts;
  #loaded: Loaded;
  #chosen: Map<string, Chosen>;
  #rows: RowView[] = [];
  #saving = false;
  readonly #body = element('div', { class: 'body', role: 'rowgroup' });
  readonly #table: HTMLElement;
  readonly #none = element('p', { class: 'none' });
  readonly #status = element('p', { class: 'status dim', role: 'status' });
  readonly #search = textField('Search fields by name or description', '', {
    type: 'search',
    placeholder: 'Search fields',
    spellcheck: 'false',
  });
  readonly #newMap = textField('Name of a new map field', '', {
    placeholder: 'Name of an object, such as attributes',
    spellcheck: 'false',
    maxlength: '1000',
  });
  readonly #addMap: HTMLElement;
  readonly #save = textButton('action', 'Save', () => void this.save());
  readonly #discard = textButton('action secondary', 'Discard', () => this.#reset());
  readonly #sendDraft = debounced(150, () => this.#parts.draft(changesOf(this.#changes())));

  constructor(loaded: Loaded, parts: FormParts) {
    this.#parts = parts;
    this.#loaded = loaded;
    this.#chosen = chosenOf(loaded.draft);
    this.#search.addEventListener('input', () => this.#filter());
    this.#newMap.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.#addMapField();
    });
    this.#addMap = element('div', { class: 'add flow' }, [
      this.#newMap,
      textButton('action secondary', 'Add Map Field', () => this.#addMapField()),
      element('p', { class: 'dim', text: mapNote }),
    ]);
    const label = `Fields of ${loaded.dataset}`;
    this.#table = element('div', { role: 'table', label }, [
      element('div', { role: 'rowgroup' }, [
        element(
          'div',
          { class: 'row head dim', role: 'row' },
          Object.entries(columns).map(([text, title]) =>
            element('div', { class: 'cell', text, title, role: 'columnheader' }),
          ),
        ),
      ]),
      this.#body,
    ]);
    this.element = element('div', { class: 'form stack fill' }, [
      element('header', {}, [
        element('div', { class: 'title flow' }, [
          element('h2', { class: 'wraps', text: loaded.dataset }),
          element('span', { class: 'dim', text: loaded.deployment }),
        ]),
        element('div', { class: 'tools flow' }, [
          element('span', { class: 'search-box' }, [icon('find'), this.#search]),
          this.#save,
          this.#discard,
        ]),
        this.#status,
      ]),
      element('div', { class: 'scroll fill' }, [this.#table, this.#none, this.#addMap]),
    ]);
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#draw();
  }

  /** Focuses a field and clears the search if it hides the field. */
  focus(name: string): void {
    const found = this.#rows.find(({ row }) => row.name === name);
    if (found === undefined) return;
    if (found.element.hidden) {
      this.#search.value = '';
      this.#filter();
    }
    found.focus();
  }

  async save(): Promise<void> {
    const changes = changesOf(this.#changes());
    const count = this.#changes().size;
    if (this.#saving || count === 0) return;
    this.#sendDraft.flush();
    this.#saving = true;
    this.#update();
    this.#tell(`Saving ${counted(count, 'change')}…`);
    try {
      this.#take(await this.#parts.save(changes), changes, count);
    } catch (error) {
      this.#tell(`Nothing was saved. ${(error as Error).message}`, true);
    } finally {
      this.#saving = false;
      this.#update();
    }
  }

  /** Applies the result of a save. Keeps failed changes and changes made during the save. */
  #take({ failures, state }: Saved, sent: FieldChanges, count: number): void {
    const focused = FocusMark.now();
    const isFailed = (kind: SaveFailure['kind'], name: string) =>
      failures.some((failure) => failure.kind === kind && failure.name === name);
    if (state !== undefined) this.#loaded = { ...this.#loaded, ...state };
    else this.#applied(sent, isFailed);
    this.#draw();
    focused?.restore();
    // Skip a failed change that somebody else has already made.
    const left = failures.filter(({ name }) => this.#chosen.has(name));
    const reasons = Map.groupBy(left, ({ name }) => name);
    for (const [name, own] of reasons) {
      const messages = new Set(own.map(({ message }) => message));
      this.#rows.find(({ row }) => row.name === name)?.fail([...messages].join(' '));
    }
    const saved = count - reasons.size;
    const [first] = left;
    if (first === undefined) return this.#tell(`Saved ${counted(saved, 'change')}.`);
    const only = reasons.size === 1 ? `${first.name} was` : `${reasons.size} changes were`;
    const before = saved > 0 ? `Saved ${counted(saved, 'change')}. ` : '';
    this.#tell(`${before}${only} not saved: ${first.message}`, true);
  }

  #applied(
    sent: FieldChanges,
    isFailed: (kind: SaveFailure['kind'], name: string) => boolean,
  ): void {
    const fields = this.#loaded.fields.map((field) => {
      const change = sent.fields.find(({ name }) => name === field.name);
      return change === undefined || isFailed('field', field.name)
        ? field
        : { ...field, ...change };
    });
    const maps = new Set(this.#loaded.mapFields);
    for (const name of sent.addedMaps) if (!isFailed('map', name)) maps.add(name);
    for (const name of sent.removedMaps) if (!isFailed('map', name)) maps.delete(name);
    const mapFields = this.#loaded.mapFields && { mapFields: [...maps] };
    this.#loaded = { ...this.#loaded, fields, ...mapFields };
  }

  #changes(): Map<string, Chosen> {
    const changes = new Map<string, Chosen>();
    for (const { row } of this.#rows) {
      const change = changed(row, this.#chosen.get(row.name) ?? {});
      if (change !== undefined) changes.set(row.name, change);
    }
    return changes;
  }

  #draw(): void {
    const added = [...this.#chosen].filter(([, { map }]) => map).map(([name]) => name);
    this.#rows = rowsOf(this.#loaded, added).map(
      (row, index) =>
        new RowView(row, this.#chosen.get(row.name) ?? {}, index, (chosen) => {
          this.#chosen.set(row.name, chosen);
          this.#rows[index]?.fail(undefined);
          this.#update();
          this.#sendDraft();
          this.#tell(this.#counts());
        }),
    );
    this.#chosen = this.#changes();
    this.#body.replaceChildren(...this.#rows.map((row) => row.element));
    this.#addMap.hidden = this.#loaded.mapFields === undefined;
    this.#filter();
    this.#update();
  }

  #update(): void {
    const changes = this.#changes();
    for (const view of this.#rows) view.mark(changes.has(view.row.name));
    const idle = changes.size === 0 || this.#saving;
    this.#save.disabled = idle;
    this.#discard.disabled = idle;
    setText(this.#save, changes.size === 0 ? 'Save' : `Save ${counted(changes.size, 'change')}`);
  }

  #filter(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const view of this.#rows) view.element.hidden = !view.matches(words);
    const none = this.#rows.every((view) => view.element.hidden);
    this.#table.hidden = none;
    this.#none.hidden = !none;
    setText(
      this.#none,
      this.#rows.length === 0
        ? `${this.#loaded.dataset} has no fields yet. They appear with its first events.`
        : `No field matches '${this.#search.value.trim()}'.`,
    );
    this.#tell(this.#counts());
  }

  #counts(): string {
    const fields = this.#rows.filter(({ row }) => row.field !== undefined);
    const shown = fields.filter((view) => !view.element.hidden).length;
    const all = counted(fields.length, 'field');
    return shown === fields.length ? all : `${grouped(shown)} of ${all}`;
  }

  #tell(text: string, isError = false): void {
    setLines(this.#status, text);
    this.#status.classList.toggle('error', isError);
  }

  #reset(): void {
    this.#chosen = new Map();
    this.#draw();
    this.#sendDraft();
    this.#search.focus();
  }

  #addMapField(): void {
    const name = this.#newMap.value.trim();
    if (name === '') return this.#newMap.focus();
    const existing = this.#rows.find(({ row }) => row.name === name);
    if (existing !== undefined && existing.row.map === undefined) {
      this.#tell(`${name} has values that are not objects, and cannot be a map field.`, true);
      return this.#newMap.focus();
    }
    this.#chosen.set(name, { ...this.#chosen.get(name), map: true });
    this.#newMap.value = '';
    this.#draw();
    this.#sendDraft();
    this.focus(name);
  }

  #onKey(event: KeyboardEvent): void {
    const { key } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && key.toLowerCase() === 's') {
      event.preventDefault();
      void this.save();
    } else if (isCommand && key.toLowerCase() === 'f') {
      event.preventDefault();
      this.#search.select();
      this.#search.focus();
    } else if (key === 'Escape' && event.target === this.#search && this.#search.value !== '') {
      event.preventDefault();
      this.#search.value = '';
      this.#filter();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') this.#move(event);
  }

  /** Moves the focus up or down to the same control. A select keeps the focus, because arrow keys change its value. */
  #move(event: KeyboardEvent): void {
    const { target, key } = event;
    if (target === this.#search && key === 'ArrowDown') {
      event.preventDefault();
      return this.#rows.find((view) => !view.element.hidden)?.focus();
    }
    if (!(target instanceof HTMLInputElement) || target.dataset['control'] === undefined) return;
    event.preventDefault();
    const kind = target.dataset['control'];
    const controls = [
      ...this.#body.querySelectorAll<HTMLElement>(`.row:not([hidden]) [data-control="${kind}"]`),
    ];
    controls[controls.indexOf(target) + (key === 'ArrowDown' ? 1 : -1)]?.focus();
  }
}
