/** A table of the first events as they will be stored, with line numbers. */
import { useState } from 'preact/hooks';
import { counted, grouped } from '../../../../formats/src/counts.ts';
import type { Preview, PreviewCell, PreviewField } from '../../../../ingest/src/contract.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView } from '../host/pageFacts.ts';
import { Action, moveBetween, Select } from './components.tsx';
import { captionOf, fieldTooltip, fieldType, isNumeric } from './previewText.ts';

/** The initial number of columns, because drawing thousands of columns takes a while. */
const COLUMNS_MAX = 100;
/** The number of characters above which a value has a tooltip. */
const LONG_CHARACTERS = 30;

/** Makes the region focusable, so that arrow keys scroll it. */
const scrollable = { tabIndex: 0 };

const csvTypes = { string: 'string', integer: 'integer', number: 'number', boolean: 'boolean' };

interface Props {
  readonly file: FileView;
  readonly choose: (choices: Choices) => void;
}

export function PreviewTable({ file, choose }: Props) {
  const { reading, preview } = file;
  const [hasAll, setAll] = useState(false);
  const columns = (hasAll ? preview?.fields : preview?.fields.slice(0, COLUMNS_MAX)) ?? [];
  return (
    <section
      class={reading ? 'preview dimmed' : 'preview'}
      aria-label="Preview"
      aria-busy={reading}
    >
      {preview && (
        <>
          <div class="preview-heading flow">
            <h2>{captionOf(preview)}</h2>
            <span class="dim">
              {preview.events.length === 0
                ? 'Choose another format, or check that the file has events.'
                : `${counted(preview.fields.length, 'field')}, as they will be stored`}
            </span>
            {columns.length < preview.fields.length && (
              <button type="button" class="link" onClick={() => setAll(true)}>
                {`Show All ${grouped(preview.fields.length)} Fields`}
              </button>
            )}
          </div>
          {preview.events.length > 0 && (
            <Table file={file} preview={preview} columns={columns} choose={choose} />
          )}
        </>
      )}
    </section>
  );
}

interface TableProps extends Props {
  readonly preview: Preview;
  readonly columns: readonly PreviewField[];
}

function Table({ file, preview, columns, choose }: TableProps) {
  const { events, settings } = preview;
  return (
    <section class="scroll" {...scrollable} aria-label={captionOf(preview)}>
      <table>
        <thead class="sticky">
          <tr>
            <th class="line dim" scope="col">
              Line
            </th>
            {columns.map((field) => (
              <th
                key={field.name}
                class={isNumeric(field) ? 'numeric' : ''}
                title={fieldTooltip(field, events.length)}
                scope="col"
              >
                <span class="name">{field.name}</span>
                <FieldType field={field} csv={settings.csv && file.read.csv} choose={choose} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={(event) => void moveBetween('th.line button', event)}>
          {events.map(({ line, cells }, at) => (
            <tr>
              <th class="line dim" scope="row">
                <LineNumber file={file} line={line} isFirst={at === 0} />
              </th>
              {columns.map((field, column) => (
                <Cell key={field.name} field={field} cell={cells[column]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FieldTypeProps extends Pick<Props, 'choose'> {
  readonly field: PreviewField;
  readonly csv: FileView['read']['csv'];
}

/** A column's type. In CSV files, the user can choose the type of every column except the time. */
function FieldType({ field, csv, choose }: FieldTypeProps) {
  const { name, nameInFile } = field;
  if (csv === undefined || name === '_time')
    return <span class="type dim">{fieldType(field)}</span>;
  const key = nameInFile ?? name;
  return (
    <Select
      aria-label={`Type of ${name}`}
      options={csvTypes}
      value={csv.types[key] ?? 'string'}
      onChange={(type) => choose({ csv: { types: { [key]: type } } })}
    />
  );
}

interface CellProps {
  readonly field: PreviewField;
  readonly cell: PreviewCell;
}

function Cell({ field, cell }: CellProps) {
  const isTime = field.name === '_time';
  const isMissing = typeof cell !== 'string';
  if (isTime && (isMissing || cell === 'null')) return <td class="null dim">time of arrival</td>;
  if (isMissing) return <td class="missing" />;
  if (cell === 'null') {
    return (
      <td class="null dim" title="null">
        ∅
      </td>
    );
  }
  const isString = cell.startsWith('"');
  const value = isString ? String(JSON.parse(cell)) : cell;
  // Remove a time's insignificant zeros.
  const text = isTime ? value.replace(/\.?0+Z$/, 'Z') : value;
  return (
    <td
      class={isNumeric(field) && !isString ? 'numeric' : ''}
      title={text.length > LONG_CHARACTERS ? text : undefined}
    >
      {text}
    </td>
  );
}

interface LineNumberProps extends Pick<Props, 'file'> {
  readonly line: number;
  readonly isFirst: boolean;
}

/** A line number, as a link if an editor can open it. The links share a tab stop, and arrow keys move between them. */
function LineNumber({ file: { id, hasLines }, line, isFirst }: LineNumberProps) {
  const text = grouped(line);
  if (!hasLines) return text;
  return (
    <Action
      class="link"
      label={`Open line ${text}`}
      tabIndex={isFirst ? 0 : -1}
      event="openLine"
      content={{ file: id, line }}
    >
      {text}
    </Action>
  );
}
