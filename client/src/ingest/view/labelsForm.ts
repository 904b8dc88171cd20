/** Fields that are added to every event: names and values, one row each. */
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { Choices } from '../host/choices.ts';
import { formRow } from './controls.ts';

const maxLabels = 100;

interface LabelRow {
  readonly element: HTMLElement;
  readonly name: HTMLInputElement;
  readonly value: HTMLInputElement;
}

export class LabelsForm {
  readonly element: HTMLElement;
  readonly #choose: (choices: Choices) => void;
  readonly #list = element('div', { class: 'labels' });
  readonly #add: HTMLButtonElement;
  #rows: LabelRow[] = [];
  #file: number | undefined;

  constructor(choose: (choices: Choices) => void) {
    this.#choose = choose;
    this.#add = button(
      {
        class: 'quiet wide',
        title: 'Add a field with the same value to every event',
        onClick: () => {
          const row = this.#addRow('', '');
          row.name.focus();
        },
      },
      [icon('plus'), element('span', { text: 'Add Label' })],
    );
    this.element = formRow('Labels', [this.#list, this.#add]);
  }

  /** Of a file that is shown, the page itself has the latest labels. */
  update(file: number, labels: Readonly<Record<string, string>>): void {
    if (file === this.#file) return;
    this.#file = file;
    this.#rows = [];
    this.#list.replaceChildren();
    for (const [name, value] of Object.entries(labels)) this.#addRow(name, value);
  }

  #labels(): Record<string, string> {
    return Object.fromEntries(
      this.#rows
        .map(({ name, value }) => [name.value.trim(), value.value] as const)
        .filter(([name]) => name !== ''),
    );
  }

  #addRow(labelName: string, labelValue: string): LabelRow {
    const input = (label: string, text: string) => {
      const made = element('input', {
        class: 'field',
        attributes: { type: 'text', 'aria-label': label, placeholder: label, spellcheck: 'false' },
      });
      made.value = text;
      made.addEventListener('change', () => this.#changed());
      return made;
    };
    const name = input('Name of label', labelName);
    const value = input('Value of label', labelValue);
    const remove = button(
      {
        class: 'quiet',
        label: 'Remove Label',
        onClick: () => {
          this.#rows = this.#rows.filter((other) => other !== row);
          row.element.remove();
          this.#changed();
          (this.#rows.at(-1)?.value ?? this.#add).focus();
        },
      },
      [icon('close')],
    );
    const row: LabelRow = {
      element: element('div', { class: 'label' }, [
        name,
        element('span', { text: '=', attributes: { 'aria-hidden': 'true' } }),
        value,
        remove,
      ]),
      name,
      value,
    };
    this.#rows.push(row);
    this.#list.append(row.element);
    this.#add.disabled = this.#rows.length >= maxLabels;
    return row;
  }

  #changed(): void {
    this.#add.disabled = this.#rows.length >= maxLabels;
    this.#choose({ labels: this.#labels() });
  }
}
