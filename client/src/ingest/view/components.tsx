/** Components of the ingest page: icons, actions, messages, and labeled controls. */
import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type IconName, iconPaths } from '../../webview/page/icons.ts';
import type { PageEvents } from '../../webview/pageContract.ts';
import type { IngestContract } from '../host/ingestContract.ts';
import { channel } from './channel.ts';

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" class="icon" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

type EventName = keyof PageEvents<IngestContract>;
type Content<Name extends EventName> = Parameters<typeof channel.send<Name>>[1];

interface ButtonProps {
  readonly class?: string;
  /** The accessible name, if the content doesn't provide one. */
  readonly label?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
  readonly children: ComponentChildren;
}

type EventProps<Name extends EventName> = { readonly event: Name } & (null extends Content<Name>
  ? object
  : { readonly content: Content<Name> });

export function Action<Name extends EventName>(props: EventProps<Name> & ButtonProps) {
  const { event, content, label, ...rest } = { content: null as Content<Name>, ...props };
  const send = () => channel.send(event, content);
  return (
    <button
      type="button"
      class="action secondary"
      aria-label={label}
      title={label}
      onClick={send}
      {...rest}
    />
  );
}

interface MessageProps {
  readonly severity: 'info' | 'warning' | 'error' | 'success';
  readonly icon?: IconName;
  readonly role?: 'alert';
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** A message that keeps its line breaks. */
export function Message({ severity, icon, role, text, children }: MessageProps) {
  return (
    <div class={`message ${severity}`} role={role}>
      {icon && <Icon name={icon} />}
      <div>
        {text.split('\n').map((line) => (
          <div>{line}</div>
        ))}
      </div>
      {children}
    </div>
  );
}

interface LabelProps {
  readonly label: string;
  readonly for: string;
  readonly children: ComponentChildren;
}

export function Row({ label, for: id, children }: LabelProps) {
  return (
    <div class="row">
      <label class="row-label" for={id}>
        {label}
      </label>
      <div class="row-controls flow">{children}</div>
    </div>
  );
}

/** A control with a short label to its left. */
export function Labeled({ label, for: id, children }: LabelProps) {
  return (
    <span class="labeled beside">
      <label class="dim" for={id}>
        {label}
      </label>
      {children}
    </span>
  );
}

interface SelectProps<Value extends string> {
  readonly id?: string;
  /** Option labels by value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly 'aria-label'?: string;
}

/** A list of values. An unknown value is listed until another one is chosen. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onChange, ...rest } = props;
  const others = value === undefined ? { '': 'Automatic' } : { [value]: value };
  return (
    <select
      class="field"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      {...rest}
    >
      {Object.entries<string>(
        Object.hasOwn(options, value ?? '') ? options : { ...options, ...others },
      ).map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </select>
  );
}

export function LabeledSelect<Value extends string>({
  label,
  ...rest
}: SelectProps<Value> & { readonly label: string }) {
  const id = useId();
  return (
    <Labeled label={label} for={id}>
      <Select id={id} {...rest} />
    </Labeled>
  );
}

interface TextFieldProps {
  readonly class: string;
  readonly id?: string;
  readonly title?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'data-home'?: boolean;
  readonly onFocus?: () => void;
  readonly value: string;
  readonly suggestions?: readonly string[];
  /** Returns an error message for invalid text. The message isn't shown while the user types. */
  readonly problemOf?: (text: string) => string | undefined;
  readonly onInput?: (text: string) => void;
  readonly onChange?: (text: string) => void;
}

/** A text field. It keeps typed text until it has lost the focus and `value` has changed. */
export function TextField(props: TextFieldProps) {
  const { value, suggestions = [], problemOf, onInput, onChange, ...rest } = props;
  const [typed, setTyped] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [listId, problemId] = [useId(), useId()];
  const text = typed ?? value;
  const problem = problemOf?.(text);
  useLayoutEffect(() => {
    if (document.activeElement !== field.current) setTyped(undefined);
    // Select a changed suggestion, so that the next key replaces it.
    else if (typed === undefined) field.current?.select();
  }, [value]);
  const handle =
    (act: typeof onInput, isTyping: boolean) => (event: TargetedEvent<HTMLInputElement>) => {
      setTyped(event.currentTarget.value);
      setTyping(isTyping);
      act?.(event.currentTarget.value);
    };
  return (
    <>
      <input
        ref={field}
        type="text"
        spellcheck={false}
        autocomplete="off"
        list={listId}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={problemOf && problemId}
        onInput={handle(onInput, true)}
        onChange={handle(onChange, false)}
        {...rest}
      />
      <datalist id={listId}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {problemOf && (
        <span id={problemId} class="problem field-problem" role="status">
          {isTyping ? '' : problem}
        </span>
      )}
    </>
  );
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Moves the focus for an arrow key, Home or End, and returns the focused element. Only this element stays in the tab
 * order.
 */
export function moveBetween(
  selector: string,
  event: TargetedKeyboardEvent<HTMLElement>,
): HTMLElement | undefined {
  const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = items.indexOf(event.target as HTMLElement);
  const next = step && items[step(at, items.length)];
  if (next === undefined || at < 0) return undefined;
  event.preventDefault();
  for (const item of items) item.tabIndex = item === next ? 0 : -1;
  next.focus();
  return next;
}
