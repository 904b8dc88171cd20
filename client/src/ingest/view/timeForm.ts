/** The time of the events: its field, format and zone, the span that it covers, and the current time range. */

import type { TimeSettings } from '../../../../ingest/src/settings.ts';
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { Choices } from '../host/choices.ts';
import type { TimeView } from '../host/messages.ts';
import { channel } from './channel.ts';
import {
  formRow,
  labeled,
  newId,
  optionElement,
  select,
  setSelected,
  setText,
} from './controls.ts';

const noTime = 'none';
const layoutKind = 'layout';

const formats = [
  { value: 'rfc3339', label: 'RFC 3339' },
  { value: 'epoch s', label: 'Epoch, seconds' },
  { value: 'epoch ms', label: 'Epoch, milliseconds' },
  { value: 'epoch us', label: 'Epoch, microseconds' },
  { value: 'epoch ns', label: 'Epoch, nanoseconds' },
  { value: layoutKind, label: 'Go layout' },
] as const;

const firstLayout = '2006-01-02 15:04:05';

function formatValue({ format }: TimeSettings): string {
  return format.kind === 'epoch' ? `epoch ${format.unit}` : format.kind;
}

function formatOf(value: string, layout: string): TimeSettings['format'] {
  if (value === 'rfc3339') return { kind: 'rfc3339' };
  if (value === layoutKind) return { kind: 'layout', layout };
  return { kind: 'epoch', unit: value.slice('epoch '.length) as 's' };
}

export class TimeForm {
  readonly element: HTMLElement;
  readonly #choose: (choices: Choices) => void;
  readonly #field: HTMLSelectElement;
  readonly #format: HTMLSelectElement;
  readonly #layout: HTMLInputElement;
  readonly #zone: HTMLInputElement;
  readonly #zoneLabel: HTMLElement;
  readonly #zones = element('datalist', { attributes: { id: newId() } });
  readonly #details: HTMLElement;
  readonly #span = element('span', { class: 'about', attributes: { role: 'status' } });
  readonly #order = element('div', { class: 'hint' });
  readonly #outside = element('div', { class: 'hint outside' });
  #view: TimeView | undefined;
  #file = 0;

  constructor(choose: (choices: Choices) => void) {
    this.#choose = choose;
    this.#field = select([], (value) => this.#chooseField(value));
    this.#format = select(formats, (value) => {
      const before = this.#view?.settings?.format;
      const layout = before?.kind === 'layout' ? before.layout : firstLayout;
      this.#change({ format: formatOf(value, layout) });
    });
    this.#layout = element('input', {
      class: 'field layout',
      title: 'The time Mon Jan 2 15:04:05 2006 -0700 written as the values are',
      attributes: { type: 'text', spellcheck: 'false', 'aria-label': 'Go layout of the time' },
    });
    this.#layout.addEventListener('change', () => {
      if (this.#layout.value !== '')
        this.#change({ format: { kind: 'layout', layout: this.#layout.value.slice(0, 200) } });
    });
    this.#zone = element('input', {
      class: 'field zone',
      attributes: { type: 'text', spellcheck: 'false', list: this.#zones.id },
    });
    this.#zone.addEventListener('focus', () => this.#fillZones(), { once: true });
    this.#zone.addEventListener('input', () =>
      this.#zone.setAttribute('aria-invalid', String(!isZone(this.#zone.value.trim()))),
    );
    this.#zone.addEventListener('change', () => {
      const zone = this.#zone.value.trim();
      if (isZone(zone)) this.#change({ zone });
    });
    this.#zoneLabel = labeled('Zone', this.#zone);
    this.#details = element('span', { class: 'group' }, [
      labeled('Format', this.#format),
      this.#layout,
      this.#zoneLabel,
      this.#zones,
    ]);
    this.element = formRow(
      'Time',
      [this.#field, this.#details, this.#span, this.#order, this.#outside],
      this.#field,
    );
  }

  update(file: number, view: TimeView): void {
    this.#file = file;
    this.#view = view;
    const { candidates, others, settings, span, order, outside, zoneNeeded } = view;
    const group = (label: string, options: readonly HTMLOptionElement[]) =>
      options.length === 0 ? [] : [element('optgroup', { attributes: { label } }, options)];
    this.#field.replaceChildren(
      ...candidates.map(({ settings, label }, index) =>
        optionElement({ value: `candidate ${index}`, label: label || settings.field }),
      ),
      optionElement({ value: noTime, label: 'No time: use the time of arrival' }),
      ...group(
        'Other fields',
        others.map((name) => optionElement({ value: `field ${name}`, label: name })),
      ),
    );
    const index = candidates.findIndex((one) => one.settings.field === settings?.field);
    const value =
      settings === undefined
        ? noTime
        : index >= 0
          ? `candidate ${index}`
          : `field ${settings.field}`;
    setSelected(this.#field, value);
    this.#details.hidden = settings === undefined;
    if (settings) {
      setSelected(this.#format, formatValue(settings));
      this.#layout.hidden = settings.format.kind !== 'layout';
      if (settings.format.kind === 'layout') setText(this.#layout, settings.format.layout);
      this.#zoneLabel.hidden = !zoneNeeded;
      setText(this.#zone, settings.zone);
      if (document.activeElement !== this.#zone) this.#zone.setAttribute('aria-invalid', 'false');
    }
    if (this.#span.textContent !== span) this.#span.textContent = span;
    drawHint(this.#order, order, () => order && this.#choose({ time: order.settings }));
    drawHint(this.#outside, outside, () => channel.send('setTimeRange', { file: this.#file }));
  }

  #chooseField(value: string): void {
    if (value === noTime) return this.#choose({ time: null });
    const [kind, ...rest] = value.split(' ');
    if (kind === 'candidate') {
      const chosen = this.#view?.candidates[Number(rest[0])]?.settings;
      if (chosen) this.#choose({ time: chosen });
    } else {
      const zone = this.#view?.settings?.zone ?? 'UTC';
      this.#choose({ time: { field: rest.join(' '), format: { kind: 'rfc3339' }, zone } });
    }
  }

  #change(change: Partial<TimeSettings>): void {
    const settings = this.#view?.settings;
    if (settings) this.#choose({ time: { ...settings, ...change } });
  }

  #fillZones(): void {
    const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
    this.#zones.replaceChildren(
      ...[...new Set(zones)].map((value) => optionElement({ value, label: value })),
    );
  }
}

function drawHint(
  place: HTMLElement,
  hint: { readonly message: string; readonly button: string } | undefined,
  onClick: () => void,
): void {
  place.hidden = hint === undefined;
  if (hint === undefined) return place.replaceChildren();
  const { message, button: label } = hint;
  const had = place.contains(document.activeElement);
  const act = button({ class: 'action secondary', text: label, onClick });
  place.replaceChildren(
    icon('warning'),
    element('span', { class: 'hint-text', text: message }),
    act,
  );
  if (had) act.focus();
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}
