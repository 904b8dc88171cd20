// A row of the field form: a field's controls and its changes' errors.

import { counted } from '../../../../formats/src/counts.ts';
import { typeName } from '../../schema/fieldTypes.ts';
import { checkbox, textField } from '../../webview/page/controls.ts';
import { element, setLines } from '../../webview/page/dom.ts';
import { type Chosen, mayBeNumber, type Row } from './rows.ts';
import { unitSelect } from './unitSelect.ts';

export class RowView {
  readonly row: Row;
  readonly element: HTMLElement;
  readonly #onChange: (chosen: Chosen) => void;
  #chosen: Chosen;
  readonly #controls: HTMLElement[] = [];
  readonly #problem = element('div', { class: 'problem', role: 'alert' });

  constructor(row: Row, chosen: Chosen, index: number, onChange: (chosen: Chosen) => void) {
    this.row = row;
    this.#chosen = chosen;
    this.#onChange = onChange;
    this.#problem.id = `problem-${index}`;
    this.#problem.hidden = true;
    this.element = element('div', { class: 'row', role: 'row' }, [
      this.#nameCell(),
      cell('type', element('span', { class: 'dim', text: typeText(row) })),
      cell('unit-cell', this.#unit()),
      cell('description-cell', this.#description()),
      cell('flag', this.#check('hidden', 'Hidden')),
      cell('flag', this.#check('map', 'Map field')),
      cell('problem-cell wraps', this.#problem),
    ]);
  }

  mark(isChanged: boolean): void {
    this.element.classList.toggle('changed', isChanged);
  }

  fail(message: string | undefined): void {
    this.#problem.hidden = message === undefined;
    setLines(this.#problem, message ?? '');
    this.element.classList.toggle('failed', message !== undefined);
    for (const control of this.#controls) {
      if (message === undefined) control.removeAttribute('aria-describedby');
      else control.setAttribute('aria-describedby', this.#problem.id);
    }
  }

  matches(words: readonly string[]): boolean {
    const { name, field } = this.row;
    const text = `${name} ${this.#chosen.description ?? field?.description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  }

  focus(): void {
    this.element.scrollIntoView({ block: 'center' });
    const first = this.#controls.find((one) => one.dataset['control'] === 'description');
    (first ?? this.#controls[0])?.focus();
  }

  #nameCell(): HTMLElement {
    const { name } = this.row;
    const made = cell('name mono', element('span', { text: name, title: name }));
    made.role = 'rowheader';
    return made;
  }

  #unit(): HTMLElement | undefined {
    const { field } = this.row;
    if (field === undefined || !(mayBeNumber(field) || field.unit !== '')) return undefined;
    const select = unitSelect(`Unit of ${this.row.name}`, this.#chosen.unit ?? field.unit);
    select.addEventListener('change', () => this.#choose({ unit: select.value }));
    return this.#control(select);
  }

  #description(): HTMLElement | undefined {
    const { field } = this.row;
    if (field === undefined) return undefined;
    const text = this.#chosen.description ?? field.description;
    const input = textField(`Description of ${this.row.name}`, text, {
      placeholder: 'Description',
      maxlength: '20000',
      'data-control': 'description',
    });
    input.classList.add('description');
    input.addEventListener('input', () => this.#choose({ description: input.value }));
    return this.#control(input);
  }

  #check(key: 'hidden' | 'map', words: string): HTMLElement | undefined {
    const { field, map } = this.row;
    const was = key === 'hidden' ? field?.hidden : map;
    if (was === undefined) return undefined;
    const names = { 'aria-label': `${words}: ${this.row.name}`, 'data-control': key };
    const input = checkbox(this.#chosen[key] ?? was, names);
    input.addEventListener('change', () => this.#choose({ [key]: input.checked }));
    this.#control(input);
    // Repeat the column's title, because narrow forms hide the header.
    return element('label', { class: 'check' }, [
      input,
      element('span', { class: 'narrow', text: words, attributes: { 'aria-hidden': 'true' } }),
    ]);
  }

  #choose(more: Chosen): void {
    this.#chosen = { ...this.#chosen, ...more };
    this.#onChange(this.#chosen);
  }

  #control<Control extends HTMLElement>(control: Control): Control {
    this.#controls.push(control);
    return control;
  }
}

function cell(name: string, content: HTMLElement | undefined): HTMLElement {
  return element('div', { class: `cell ${name}`, role: 'cell' }, [content]);
}

function typeText({ field, parts }: Row): string {
  if (field !== undefined) return typeName(field.type);
  if (parts === 0) return 'object';
  return `object, ${counted(parts, 'field')}`;
}
