/** How the file is read: format, delimiter, header line, compression and encoding. */
import { element } from '../../webview/page/dom.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView } from '../host/messages.ts';
import { checkbox, formRow, labeled, type Option, select, setSelected } from './controls.ts';

const formats: readonly Option[] = [
  { value: 'json', label: 'JSON' },
  { value: 'ndjson', label: 'NDJSON' },
  { value: 'csv', label: 'CSV' },
  { value: 'logfmt', label: 'logfmt' },
  { value: 'lines', label: 'Plain lines' },
];

const compressions: readonly Option[] = [
  { value: 'none', label: 'None' },
  { value: 'gzip', label: 'gzip' },
  { value: 'zstd', label: 'zstd' },
];

const encodings: readonly Option[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
];

const delimiters: readonly Option[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
  { value: ' ', label: 'Space' },
  { value: ':', label: 'Colon' },
];

export class FormatForm {
  readonly element: HTMLElement;
  readonly #format: HTMLSelectElement;
  readonly #compression: HTMLSelectElement;
  readonly #encoding: HTMLSelectElement;
  readonly #delimiter: HTMLSelectElement;
  readonly #header: ReturnType<typeof checkbox>;
  readonly #csv: HTMLElement;

  constructor(choose: (choices: Choices) => void) {
    // The host refuses a value that is none of these.
    this.#format = select(formats, (value) => choose({ format: value as 'json' }));
    this.#compression = select(compressions, (value) => choose({ compression: value as 'none' }));
    this.#encoding = select(encodings, (value) => choose({ encoding: value as 'utf-8' }));
    this.#delimiter = select(delimiters, (delimiter) => choose({ csv: { delimiter } }));
    this.#header = checkbox('First line has the names', (header) => choose({ csv: { header } }));
    this.#csv = element('span', { class: 'group' }, [
      labeled('Delimiter', this.#delimiter),
      this.#header.element,
    ]);
    this.element = formRow(
      'Format',
      [
        this.#format,
        this.#csv,
        labeled('Compression', this.#compression),
        labeled('Encoding', this.#encoding),
      ],
      this.#format,
    );
  }

  update({ read }: FileView): void {
    setSelected(this.#format, read.format);
    setSelected(this.#compression, read.compression);
    setSelected(this.#encoding, read.encoding);
    this.#csv.hidden = read.format !== 'csv';
    if (read.csv) {
      setSelected(this.#delimiter, read.csv.delimiter);
      this.#header.input.checked = read.csv.header;
    }
  }
}
