/** The form for a file before it is sent: its settings, notices and first events. */
import { useId } from 'preact/hooks';
import { grouped } from '../../../../formats/src/counts.ts';
import { bytesInWords } from '../amounts.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView } from '../host/pageFacts.ts';
import { channel } from './channel.ts';
import { Action, Icon, Message, Row, Select } from './components.tsx';
import { FormatForm } from './formatForm.tsx';
import { LabelsForm } from './labelsForm.tsx';
import { BrokenList } from './lineLinks.tsx';
import { PreviewTable } from './previewTable.tsx';
import { TimeForm } from './timeForm.tsx';

const brokenChoices = { skip: 'Skip them and collect them in a file', stop: 'Stop at the first' };

interface Props {
  readonly file: FileView;
  readonly hasOthers: boolean;
}

export function FileForm({ file, hasOthers }: Props) {
  const { id, name, path, size, reading, read, labels, preview } = file;
  const choose = (choices: Choices) => channel.send('choose', { file: id, choices });
  const brokenId = useId();
  return (
    <div class="file">
      <div class="file-heading flow">
        <h2 class="file-name wraps" title={path ?? name}>
          {name}
        </h2>
        <span class="dim">{bytesInWords(size)}</span>
        {hasOthers && (
          <Action
            title="Read all selected files with the format, time, labels and types of this one"
            event="applyToAll"
            content={{ file: id }}
          >
            Apply to All Files
          </Action>
        )}
      </div>
      <Problem {...file} />
      <div class="form">
        <FormatForm read={read} choose={choose} />
        {preview && <TimeForm file={file} preview={preview} choose={choose} />}
        <LabelsForm labels={labels} choose={choose} />
        <Row label="Broken lines" for={brokenId}>
          <Select
            id={brokenId}
            options={brokenChoices}
            value={file.broken}
            onChange={(broken) => choose({ broken })}
          />
        </Row>
      </div>
      <Notices {...file} />
      <BrokenEvents {...file} />
      {reading && <div class="progress rigid" aria-hidden="true" />}
      <PreviewTable file={file} choose={choose} />
    </div>
  );
}

function Problem({ id, problem, hasLines }: FileView) {
  if (problem === undefined) return null;
  const { message, line } = problem;
  return (
    <Message severity="error" icon="warning" role="alert" text={message}>
      {line !== undefined && hasLines && (
        <Action class="link" event="openLine" content={{ file: id, line }}>
          {`Open Line ${grouped(line)}`}
        </Action>
      )}
    </Message>
  );
}

/** Notices that are shown elsewhere: next to the time field or in the list of broken events. */
const elsewhere: ReadonlySet<string> = new Set(['no-time', 'broken-events', 'ambiguous-time']);

function Notices({ preview }: FileView) {
  const notices = preview?.notices.filter(({ code }) => !elsewhere.has(code)) ?? [];
  if (notices.length === 0) return null;
  return (
    <ul class="notices" aria-label="Notices">
      {notices.map(({ code, message }) => {
        const severity = code === 'reserved-field' || code === 'map-field' ? 'info' : 'warning';
        return (
          <li class={severity}>
            <Icon name={severity} />
            <span>{message}</span>
          </li>
        );
      })}
    </ul>
  );
}

function BrokenEvents(file: FileView) {
  const events = file.preview?.broken ?? [];
  if (events.length === 0) return null;
  return (
    <section aria-label="Broken events">
      <div class="preview-heading flow">
        <h2>Broken events</h2>
        <span class="dim">
          {file.broken === 'skip'
            ? 'They are skipped and collected in a file, so that you can fix them'
            : 'The first broken event ends the run'}
        </span>
      </div>
      <BrokenList file={file} events={events} />
    </section>
  );
}
