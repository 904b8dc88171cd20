/** What the parts of the bench have in common: each has a name, rows that can be chosen, and a run. */
import type { Measure } from '../measure.ts';
import type { Setting } from './datasets.ts';

export interface PartSetting extends Setting {
  /** How many log events there are. */
  readonly events: number;
  /** How many events of the shape of Bluesky's there are. */
  readonly jsonEvents: number;
  /** Whether a row is to be measured. */
  readonly wanted: (row: string) => boolean;
}

export interface Part {
  readonly name: string;
  /** The names of its measures. */
  readonly rows: readonly string[];
  readonly run: (setting: PartSetting) => Promise<Measure[]>;
}

/** The rows of a part whose names, or whose part's name, contain `only`; all without it. */
export function chosen({ name, rows }: Part, only: string | undefined): ReadonlySet<string> {
  const text = only?.toLowerCase() ?? '';
  const contains = (label: string) => label.toLowerCase().includes(text);
  return new Set(contains(name) ? rows : rows.filter(contains));
}
