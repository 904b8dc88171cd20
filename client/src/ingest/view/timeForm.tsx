/** The time settings: field, format, zone and span, and a hint if times are outside the current time range. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Preview } from '../../../../ingest/src/contract.ts';
import type { TimeSettings } from '../../../../ingest/src/settings.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView } from '../host/pageFacts.ts';
import { Action, Icon, Labeled, LabeledSelect, Row, TextField } from './components.tsx';
import { orderHint, outsideText, spanText } from './previewText.ts';

const OTHER_FIELDS_MAX = 1_000;
const LAYOUT_CHARACTERS_MAX = 200;

const formats = {
  rfc3339: 'RFC 3339',
  'epoch s': 'Epoch, seconds',
  'epoch ms': 'Epoch, milliseconds',
  'epoch us': 'Epoch, microseconds',
  'epoch ns': 'Epoch, nanoseconds',
  layout: 'Go layout',
};

const firstLayout = '2006-01-02 15:04:05';

function formatOf(value: string, former: TimeSettings['format']): TimeSettings['format'] {
  if (value === 'rfc3339') return { kind: 'rfc3339' };
  if (value === 'layout')
    return { kind: 'layout', layout: former.kind === 'layout' ? former.layout : firstLayout };
  return { kind: 'epoch', unit: value.slice('epoch '.length) as 's' };
}

interface Props {
  readonly file: FileView;
  readonly preview: Preview;
  readonly choose: (choices: Choices) => void;
}

export function TimeForm({ file: { id, read, outside }, preview, choose }: Props) {
  const fieldId = useId();
  const order = orderHint(preview);
  return (
    <Row label="Time" for={fieldId}>
      <FieldSelect id={fieldId} time={read.time} preview={preview} choose={choose} />
      {read.time && <TimeDetails time={read.time} preview={preview} choose={choose} />}
      <span class="dim" role="status">
        {spanText(preview)}
      </span>
      {order && (
        <Hint class="hint flow" text={order.message}>
          <Action event="choose" content={{ file: id, choices: { time: order.settings } }}>
            {order.button}
          </Action>
        </Hint>
      )}
      {outside && (
        <Hint class="hint flow outside" text={outsideText(outside)}>
          <Action event="setTimeRange" content={{ file: id }}>
            {`Set Time Range to ${outside.around}`}
          </Action>
        </Hint>
      )}
    </Row>
  );
}

interface FieldProps extends Omit<Props, 'file'> {
  readonly id: string;
  readonly time: TimeSettings | undefined;
}

/** A select for the time field: the candidates, no field, and other fields. */
function FieldSelect({ id, time, preview, choose }: FieldProps) {
  const { candidates } = preview.time;
  const offered = new Set(candidates.map(({ settings }) => settings.field));
  const names = preview.fields.map(({ name, nameInFile }) => nameInFile ?? name);
  const others = names.filter((name) => !offered.has(name)).slice(0, OTHER_FIELDS_MAX);
  const index = candidates.findIndex(({ settings }) => settings.field === time?.field);
  const known = index >= 0 ? `candidate ${index}` : `field ${time?.field}`;
  const onChange = (value: string) => {
    if (value === 'none') return choose({ time: null });
    const [kind, ...rest] = value.split(' ');
    const field = rest.join(' ');
    const candidate = kind === 'candidate' ? candidates[Number(field)]?.settings : undefined;
    const zone = time?.zone ?? 'UTC';
    choose({ time: candidate ?? { field, format: { kind: 'rfc3339' }, zone } });
  };
  return (
    <select
      id={id}
      class="field"
      value={time === undefined ? 'none' : known}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {candidates.map(({ settings, sample }, at) => (
        <option value={`candidate ${at}`}>{`${settings.field} (${sample})`}</option>
      ))}
      <option value="none">No time: use the time of arrival</option>
      {others.length > 0 && (
        <optgroup label="Other fields">
          {others.map((name) => (
            <option value={`field ${name}`}>{name}</option>
          ))}
        </optgroup>
      )}
      {time && index < 0 && !others.includes(time.field) && (
        <option value={known}>{time.field}</option>
      )}
    </select>
  );
}

interface TimeProps extends Omit<Props, 'file'> {
  readonly time: TimeSettings;
}

function TimeDetails({ time, preview, choose }: TimeProps) {
  const { format, zone } = time;
  const known = preview.time.candidates.find(({ settings }) => settings.field === time.field);
  const change = (part: Partial<TimeSettings>) => choose({ time: { ...time, ...part } });
  return (
    <span class="group flow">
      <LabeledSelect
        label="Format"
        options={formats}
        value={format.kind === 'epoch' ? `epoch ${format.unit}` : format.kind}
        onChange={(value) => change({ format: formatOf(value, format) })}
      />
      {format.kind === 'layout' && (
        <TextField
          class="field layout"
          title="The time Mon Jan 2 15:04:05 2006 -0700 written as the values are"
          aria-label="Go layout of the time"
          value={format.layout}
          problemOf={(text) =>
            text === '' ? `Enter a layout. Times are still read as ${format.layout}.` : undefined
          }
          onChange={(text) => {
            const layout = text.slice(0, LAYOUT_CHARACTERS_MAX);
            if (layout !== '') change({ format: { kind: 'layout', layout } });
          }}
        />
      )}
      {format.kind !== 'epoch' && known?.hasZone !== true && (
        <ZoneField zone={zone} onChange={(name) => change({ zone: name })} />
      )}
    </span>
  );
}

interface ZoneProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

function ZoneField({ zone, onChange }: ZoneProps) {
  const id = useId();
  const [zones, setZones] = useState<readonly string[]>([]);
  return (
    <Labeled label="Zone" for={id}>
      <TextField
        id={id}
        class="field zone"
        suggestions={zones}
        value={zone}
        problemOf={(text) =>
          isZone(text.trim()) ? undefined : `Unknown time zone. Times are still read in ${zone}.`
        }
        onFocus={() => setZones([...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])])}
        onChange={(text) => {
          if (isZone(text.trim())) onChange(text.trim());
        }}
      />
    </Labeled>
  );
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

interface HintProps {
  readonly class: string;
  readonly text: string;
  /** The button that applies the hint's suggestion. */
  readonly children: ComponentChildren;
}

function Hint({ class: name, text, children }: HintProps) {
  return (
    <div class={name}>
      <Icon name="warning" />
      <span class="hint-text">{text}</span>
      {children}
    </div>
  );
}
