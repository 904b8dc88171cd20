/** Asks for an export in a form: the format, its options, and whether to include hidden rows and columns. */

import type { ExportOptions } from '../../../../table/src/export/options.ts';
import { checkbox, choice, labeledCheckbox, textField } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import type { ExportChoice, ExportForm, FormatOptions } from '../exportForm.ts';
import { formLine, popupForm } from './popupForm.ts';

const delimiters = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Pipe'],
] as const;

const maxNullText = 1_000;

interface OptionField {
  readonly control: HTMLInputElement | HTMLSelectElement;
  readonly line: HTMLElement;
}

export function askExport(
  anchor: HTMLElement,
  { title, formats, format: chosen, hides }: ExportForm,
  onExport: (choice: ExportChoice) => void,
): void {
  const fields = optionFields();
  const names = Object.keys(fields) as (keyof ExportOptions)[];
  const format = choice(
    { name: 'format' },
    formats.map(({ id, label, extension }) => [id, `${label} (.${extension})`]),
  );
  const everything = choice({ name: 'everything' }, [
    ['shown', 'As shown'],
    ['all', 'All, in original order'],
  ]);
  /** The options that were chosen for each format before another format was selected. */
  const left = new Map<string, ExportOptions>();
  let shown = formats.find(({ id }) => id === chosen) as FormatOptions;
  const read = (): ExportOptions => ({
    ...shown.options,
    ...Object.fromEntries(shown.names.map((name) => [name, fieldValue(fields[name])])),
  });
  const show = (next: FormatOptions) => {
    shown = next;
    for (const name of names) {
      fields[name].line.hidden = !next.names.includes(name);
      setField(fields[name], (left.get(next.id) ?? next.options)[name]);
    }
  };
  format.value = chosen;
  show(shown);
  format.addEventListener('change', () => {
    left.set(shown.id, read());
    show(formats.find(({ id }) => id === format.value) ?? shown);
  });
  const hidden = [hides.rows ? 'rows' : '', hides.columns ? 'columns' : ''].filter(Boolean);
  const detail = `'As shown' omits the hidden ${hidden.join(' and ')}.`;
  const leftOut = formLine('Include', everything, describe(everything, 'include', detail));
  leftOut.hidden = hidden.length === 0;
  const popup = popupForm({
    class: 'export-form',
    label: 'Export Results',
    title: `Export ${title}`,
    fields: [
      element('div', { class: 'export-column stack' }, [
        formLine('Format', format),
        fields.delimiter.line,
        fields.nullText.line,
        leftOut,
      ]),
      element('div', { class: 'export-column stack' }, [
        fields.header.line,
        fields.byteOrderMark.line,
        fields.guardFormulas.line,
      ]),
    ],
    action: 'Export…',
    onSubmit: () => {
      const choice = { format: shown.id, options: read(), everything: everything.value === 'all' };
      popup.close();
      onExport(choice);
    },
  });
  popup.show(anchor, format);
}

function optionFields(): Readonly<Record<keyof ExportOptions, OptionField>> {
  const delimiter = choice({ name: 'delimiter' }, delimiters);
  const nullText = textField('Text for null', '', {
    placeholder: 'Empty',
    maxlength: String(maxNullText),
  });
  return {
    delimiter: { control: delimiter, line: formLine('Delimiter', delimiter) },
    nullText: { control: nullText, line: formLine('Text for null', nullText) },
    header: checkboxField('header', 'Column names in the first line'),
    byteOrderMark: checkboxField('byteOrderMark', 'Byte order mark, for Excel'),
    guardFormulas: checkboxField(
      'guardFormulas',
      'Guard against formulas',
      'Puts an apostrophe in front of text such as =HYPERLINK(…), which a spreadsheet would run. Without it, the file has the exact values.',
    ),
  };
}

function checkboxField(name: string, label: string, detail?: string): OptionField {
  const control = checkbox(false);
  const text = labeledCheckbox(control, label);
  return { control, line: element('div', {}, [text, describe(control, name, detail)]) };
}

function fieldValue({ control }: OptionField): string | boolean {
  const isCheckbox = control instanceof HTMLInputElement && control.type === 'checkbox';
  return isCheckbox ? control.checked : control.value;
}

function setField({ control }: OptionField, value: string | boolean): void {
  if (typeof value === 'string') control.value = value;
  else (control as HTMLInputElement).checked = value;
  // Another version may have stored a delimiter that the list lacks.
  if (control instanceof HTMLSelectElement && control.value === '') control.selectedIndex = 0;
}

function describe(control: HTMLElement, name: string, detail?: string): HTMLElement | undefined {
  if (detail === undefined) return undefined;
  const id = `export-${name}-detail`;
  control.setAttribute('aria-describedby', id);
  return element('p', { class: 'form-detail dim', text: detail, attributes: { id } });
}
