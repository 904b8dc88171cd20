// One list of fields for a dataset, from everything that says something about them. Which source is believed for
// what is data: `fieldSources`.
import type { KnownField } from '../api/schema.ts';
import { typeName } from './fieldTypes.ts';

export type FieldSource = 'list' | 'virtual' | 'maps' | 'getschema' | 'answer' | 'metadata';

interface SourceRule {
  /**
   * Whether the source lists all fields of its kind, so a missing field is gone. Other sources' fields keep their last
   * time.
   */
  readonly whole: boolean;
  /**
   * `states`: the newest source that states a type gives it. `observes`: what was seen in a part of the data, which
   * adds to a type that was stated earlier and never narrows it.
   */
  readonly type: 'states' | 'observes';
  /** Whether it has units, descriptions and hidden fields. The newest source that names the field gives all three. */
  readonly details: boolean;
}

/** In the order in which fields are listed. */
const fieldSources: Readonly<Record<FieldSource, SourceRule>> = {
  /** The fields endpoints. */
  list: { whole: true, type: 'states', details: true },
  /** Virtual fields; one with the name of a stored field is what queries read. */
  virtual: { whole: true, type: 'states', details: true },
  /** Map fields, which need not have a value yet. */
  maps: { whole: true, type: 'observes', details: false },
  /** `getschema` over a recent range. */
  getschema: { whole: false, type: 'observes', details: false },
  /** The columns of an answer whose query leaves all fields of one dataset in place. */
  answer: { whole: false, type: 'observes', details: false },
  /** `fieldsMetaMap` of an answer: those fields that have a unit or a description, or are hidden. */
  metadata: { whole: false, type: 'observes', details: true },
};

export interface SeenField extends KnownField {
  /** When this field was last seen, in milliseconds since 1970; absent where all of a source were seen together. */
  readonly seenAt?: number;
}

/** A source's statement. `at` is the time of the request, in milliseconds since 1970. */
export interface Statement {
  readonly at: number;
  readonly fields: readonly SeenField[];
}

export type FieldEvidence = { readonly [S in FieldSource]?: Statement };

/** A field that only answers showed, and not for so long, is forgotten. */
const OBSERVATION_MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** A source without types says so with one of these. */
const noType: ReadonlySet<string> = new Set(['', 'unknown']);

/** The evidence with one more statement, or the same evidence where a newer one is there already. */
export function withStatement(
  evidence: FieldEvidence,
  source: FieldSource,
  { at, fields }: Statement,
): FieldEvidence {
  const known = evidence[source];
  if (fieldSources[source].whole) {
    return known !== undefined && known.at > at
      ? evidence
      : { ...evidence, [source]: { at, fields } };
  }
  const seen = new Map<string, SeenField>();
  for (const field of known?.fields ?? []) {
    const seenAt = field.seenAt ?? known?.at ?? at;
    if (seenAt > at - OBSERVATION_MAX_AGE_MS) seen.set(field.name, { ...field, seenAt });
  }
  for (const field of fields) {
    const seenAt = field.seenAt ?? at;
    const before = seen.get(field.name);
    if (before === undefined || (before.seenAt ?? 0) <= seenAt) {
      seen.set(field.name, { ...field, seenAt });
    }
  }
  return {
    ...evidence,
    [source]: { at: Math.max(at, known?.at ?? at), fields: [...seen.values()] },
  };
}

/** Merges two windows' evidence about a dataset. */
export function joinEvidence(one: FieldEvidence, other: FieldEvidence): FieldEvidence {
  let joined = one;
  for (const source of sourceNames) {
    const statement = other[source];
    if (statement) joined = withStatement(joined, source, statement);
  }
  return joined;
}

export const sourceNames = Object.keys(fieldSources) as FieldSource[];

interface Said {
  readonly source: FieldSource;
  readonly at: number;
  readonly field: SeenField;
}

export function mergeFields(evidence: FieldEvidence): KnownField[] {
  const said = new Map<string, Said[]>();
  for (const source of sourceNames) {
    const statement = evidence[source];
    for (const field of statement?.fields ?? []) {
      const one: Said = { source, at: field.seenAt ?? statement?.at ?? 0, field };
      const others = said.get(field.name);
      if (others === undefined) said.set(field.name, [one]);
      else others.push(one);
    }
  }
  const merged: KnownField[] = [];
  // Where virtual fields cannot be listed, a column of an answer may be one.
  const goneBefore =
    evidence.list && evidence.virtual ? Math.min(evidence.list.at, evidence.virtual.at) : 0;
  for (const [name, all] of said) {
    const there = all.some(({ source, at }) => fieldSources[source].whole || at > goneBefore);
    if (there) merged.push({ name, type: typeOf(all), ...detailsOf(all) });
  }
  return merged;
}

function typeOf(said: readonly Said[]): string {
  const withType = said.filter(({ field }) => !noType.has(field.type));
  const stating = withType.filter(({ source }) => fieldSources[source].type === 'states');
  const virtual = stating.find(({ source }) => source === 'virtual');
  const stated = virtual ?? newest(stating);
  const types = new Map<string, string>();
  const add = (wireType: string): void => {
    for (const part of wireType.split('|')) {
      const type = part.trim();
      if (!types.has(typeName(type))) types.set(typeName(type), type);
    }
  };
  if (stated) add(stated.field.type);
  for (const { source, at, field } of withType) {
    if (fieldSources[source].type !== 'observes') continue;
    const isNewer = stated === undefined || at > stated.at;
    // `dynamic` may be any type, so it says nothing against one that is known.
    if (isNewer && (types.size === 0 || field.type !== 'dynamic')) add(field.type);
  }
  return [...types.values()].join('|') || 'unknown';
}

function detailsOf(said: readonly Said[]): Partial<KnownField> {
  const { unit, description, hidden } =
    newest(said.filter(({ source }) => fieldSources[source].details))?.field ?? {};
  return { ...(unit && { unit }), ...(description && { description }), ...(hidden && { hidden }) };
}

/** The newest; of several of one time the last, which is the more special. */
function newest(said: readonly Said[]): Said | undefined {
  let found: Said | undefined;
  for (const one of said) if (found === undefined || one.at >= found.at) found = one;
  return found;
}
