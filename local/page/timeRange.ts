/** The control for a query's time range: a preset, or custom start and end times. */
import { element } from './dom.ts';

interface Range {
  readonly label: string;
  readonly startTime: string;
  readonly endTime: string;
}

const HOUR_MS = 3_600_000;

const recent: readonly (readonly [label: string, startTime: string, lengthMs: number])[] = [
  ['Last 15 minutes', 'now-15m', HOUR_MS / 4],
  ['Last hour', 'now-1h', HOUR_MS],
  ['Last 24 hours', 'now-24h', 24 * HOUR_MS],
  ['Last 7 days', 'now-7d', 168 * HOUR_MS],
  ['Last 30 days', 'now-30d', 720 * HOUR_MS],
];

const allTimes: Range = {
  label: 'All times',
  startTime: '1677-09-22T00:00:00Z',
  endTime: '2262-04-11T00:00:00Z',
};

const ranges: readonly Range[] = [
  ...recent.map(([label, startTime]) => ({ label, startTime, endTime: 'now' })),
  allTimes,
];

const DEFAULT_RANGE = 2;
const CUSTOM = 'custom';

export class TimeRange {
  readonly element: HTMLElement;
  readonly #choice = element('select', { attributes: { 'aria-label': 'Time range' } }, [
    ...ranges.map(({ label }, i) =>
      element('option', { text: label, attributes: { value: String(i) } }),
    ),
    element('option', { text: 'From … to …', attributes: { value: CUSTOM } }),
  ]);
  readonly #start = timeInput('From', 'now-2h');
  readonly #end = timeInput('To', 'now');

  constructor() {
    const custom = element('span', { class: 'custom' }, [
      this.#start,
      this.#end,
      element('span', {
        class: 'hint',
        text: 'Such as now-2h, or 2026-01-31T12:00:00Z',
        attributes: { id: 'time-hint' },
      }),
    ]);
    this.#choice.value = String(DEFAULT_RANGE);
    const show = () => {
      custom.hidden = this.#choice.value !== CUSTOM;
    };
    show();
    this.#choice.addEventListener('change', show);
    this.element = element('span', { class: 'range' }, [this.#choice, custom]);
  }

  get value(): Range {
    const chosen = ranges[Number(this.#choice.value)];
    if (chosen !== undefined) return chosen;
    const startTime = this.#start.value.trim() || this.#start.placeholder;
    const endTime = this.#end.value.trim() || this.#end.placeholder;
    return { label: `${startTime} to ${endTime}`, startTime, endTime };
  }

  get isAllTimes(): boolean {
    return this.value === allTimes;
  }

  chooseAllTimes(): void {
    this.#choose(ranges.indexOf(allTimes));
  }

  /**
   * Chooses the shortest preset that includes `time`, but at least the default preset. Keeps a chosen preset if it
   * includes `time`. Replaces a custom range.
   */
  reach(time: string): void {
    const age = Date.now() - Date.parse(time);
    const chosen = recent[Number(this.#choice.value)];
    if (this.isAllTimes || (chosen !== undefined && age >= 0 && age < chosen[2])) return;
    const wide = recent.findIndex(([, , lengthMs]) => age >= 0 && age < lengthMs);
    this.#choose(wide < 0 ? ranges.indexOf(allTimes) : Math.max(wide, DEFAULT_RANGE));
  }

  #choose(index: number): void {
    this.#choice.value = String(index);
    this.#choice.dispatchEvent(new Event('change'));
  }
}

function timeInput(label: string, placeholder: string): HTMLInputElement {
  return element('input', {
    attributes: {
      'aria-label': label,
      'aria-describedby': 'time-hint',
      placeholder,
      autocomplete: 'off',
      spellcheck: 'false',
    },
  });
}
