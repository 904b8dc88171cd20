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

/** A part's name and the names of its measures, by which they are chosen. */
export interface Named {
  readonly name: string;
  readonly rows: readonly string[];
}

export interface Part extends Named {
  readonly run: (setting: PartSetting) => Promise<Measure[]>;
}

/**
 * The parts with rows whose names, or whose part's name, contain `only`; all without it. Throws an Error with the known
 * names if there are none.
 */
export function selected<P extends Named>(
  parts: readonly P[],
  only: string | undefined,
): { readonly part: P; readonly rows: ReadonlySet<string> }[] {
  const found = parts
    .map((part) => ({ part, rows: chosen(part, only) }))
    .filter(({ rows }) => rows.size > 0);
  if (found.length > 0) return found;
  const known = parts.map(({ name, rows }) => `  ${name}: ${rows.join('; ')}`).join('\n');
  throw new Error(`No part or row of the bench contains '${only}'. There are:\n${known}`);
}

function chosen({ name, rows }: Named, only: string | undefined): ReadonlySet<string> {
  const text = only?.toLowerCase() ?? '';
  const contains = (label: string) => label.toLowerCase().includes(text);
  return new Set(contains(name) ? rows : rows.filter(contains));
}
