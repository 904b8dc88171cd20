/** Fields that are added to every event, with one row per name and value. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choices } from '../host/choices.ts';
import { Icon } from './components.tsx';

const LABELS_MAX = 100;

interface LabelRow {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

interface Props {
  /** The initial labels. Later changes of this property are ignored. */
  readonly labels: Readonly<Record<string, string>>;
  readonly choose: (choices: Choices) => void;
}

export function LabelsForm({ labels, choose }: Props) {
  const id = useId();
  const [rows, setRows] = useState<readonly LabelRow[]>(() =>
    Object.entries(labels).map(([name, value], index) => ({ id: index, name, value })),
  );
  const form = useRef<HTMLDivElement>(null);
  const count = useRef(rows.length);
  // Focus an added label, or the last one after a removal.
  useLayoutEffect(() => {
    const added = rows.length - count.current;
    count.current = rows.length;
    const fields = form.current?.querySelectorAll('input') ?? [];
    const last = added > 0 ? fields[fields.length - 2] : fields[fields.length - 1];
    if (added !== 0) (last ?? form.current?.querySelector('button'))?.focus();
  }, [rows.length]);
  const change = (next: readonly LabelRow[]) => {
    setRows(next);
    const named = next.map(({ name, value }) => [name.trim(), value] as const);
    choose({ labels: Object.fromEntries(named.filter(([name]) => name !== '')) });
  };
  const field = (row: LabelRow, key: 'name' | 'value', label: string) => (
    <input
      class="field"
      type="text"
      spellcheck={false}
      aria-label={label}
      placeholder={label}
      defaultValue={row[key]}
      onChange={({ currentTarget }) =>
        change(rows.map((one) => (one === row ? { ...row, [key]: currentTarget.value } : one)))
      }
    />
  );
  return (
    <fieldset class="row" aria-labelledby={id}>
      <span class="row-label" id={id}>
        Labels
      </span>
      <div class="row-controls flow" ref={form}>
        {rows.map((row) => (
          <div class="label beside" key={row.id}>
            {field(row, 'name', 'Name of label')}
            <span aria-hidden="true">=</span>
            {field(row, 'value', 'Value of label')}
            <button
              type="button"
              class="quiet"
              title="Remove Label"
              aria-label="Remove Label"
              onClick={() => change(rows.filter((one) => one !== row))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button
          type="button"
          class="quiet wide"
          title="Add a field with the same value to every event"
          disabled={rows.length >= LABELS_MAX}
          onClick={() =>
            setRows([...rows, { id: (rows.at(-1)?.id ?? -1) + 1, name: '', value: '' }])
          }
        >
          <Icon name="plus" />
          <span>Add Label</span>
        </button>
      </div>
    </fieldset>
  );
}
