/** Settings for reading the file: format, delimiter, header line, compression and encoding. */
import { useId } from 'preact/hooks';
import type { Choices } from '../host/choices.ts';
import type { ReadView } from '../host/pageFacts.ts';
import { LabeledSelect, Row, Select } from './components.tsx';

/** The names of formats, for use within a sentence. */
export const formatNames = {
  json: 'JSON',
  ndjson: 'NDJSON',
  csv: 'CSV',
  logfmt: 'logfmt',
  lines: 'plain lines',
} as const;

const formatLabels = { ...formatNames, lines: 'Plain lines' };

const compressions = { none: 'None', gzip: 'gzip', zstd: 'zstd' };
const encodings = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE' };
const delimiters: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
  ' ': 'Space',
  ':': 'Colon',
};

interface Props {
  readonly read: ReadView;
  readonly choose: (choices: Choices) => void;
}

export function FormatForm({ read: { format, compression, encoding, csv }, choose }: Props) {
  const id = useId();
  return (
    <Row label="Format" for={id}>
      <Select
        id={id}
        options={formatLabels}
        value={format}
        onChange={(value) => choose({ format: value })}
      />
      {format === 'csv' && (
        <span class="group flow">
          <LabeledSelect
            label="Delimiter"
            options={delimiters}
            value={csv?.delimiter}
            onChange={(delimiter) => choose({ csv: { delimiter } })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={csv?.header ?? true}
              onChange={({ currentTarget }) => choose({ csv: { header: currentTarget.checked } })}
            />
            <span>First line has the names</span>
          </label>
        </span>
      )}
      <LabeledSelect
        label="Compression"
        options={compressions}
        value={compression}
        onChange={(value) => choose({ compression: value })}
      />
      <LabeledSelect
        label="Encoding"
        options={encodings}
        value={encoding}
        onChange={(value) => choose({ encoding: value })}
      />
    </Row>
  );
}
