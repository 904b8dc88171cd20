// Merges a dataset's fields from all sources by the rules of `fieldSources`.
import type { KnownField } from '../service/schema.ts';
import { typeName } from './fieldTypes.ts';

export type FieldSource = 'list' | 'virtual' | 'maps' | 'getschema' | 'answer' | 'metadata';

interface SourceRule {
  /** Whether the source lists all fields of its kind, so that a missing field no longer exists. */
  readonly whole: boolean;
  /** `states`: the newest type applies. `observes`: types in part of the data, which can only extend a stated type. */
  readonly type: 'states' | 'observes';
  /** Whether it has units, descriptions and hidden flags. The newest source with a field determines all three. */
  readonly details: boolean;
}

/** Each source's rule, in the display order of fields. */
const fieldSources: Readonly<Record<FieldSource, SourceRule>> = {
  list: { whole: true, type: 'states', details: true },
  /** Queries read a virtual field instead of a stored field with the same name. */
  virtual: { whole: true, type: 'states', details: true },
  /** Map fields. They may have no values. */
  maps: { whole: true, type: 'observes', details: false },
  /** Columns from `getschema` over a recent time range. */
  getschema: { whole: false, type: 'observes', details: false },
  /** Columns of a query that keeps all fields of a dataset. */
  answer: { whole: false, type: 'observes', details: false },
  /** `fieldsMetaMap`: fields that are hidden or have a unit or description. */
  metadata: { whole: false, type: 'observes', details: true },
};

export interface SeenField extends KnownField {
  /** The time when the field was last seen, in milliseconds since 1970; absent if all fields share a time. */
  readonly seenAt?: number;
}

/** Fields from one source. `at` is the time of the request in milliseconds since 1970. */
export interface Statement {
  readonly at: number;
  readonly fields: readonly SeenField[];
}

export type FieldEvidence = { readonly [S in FieldSource]?: Statement };

/** The age at which observed fields are dropped. */
const OBSERVATION_MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

const noType: ReadonlySet<string> = new Set(['', 'unknown']);

/** Adds a statement, unless a newer one exists. */
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
  const said = sourceNames.flatMap((source) => {
    const { at: statedAt = 0, fields = [] } = evidence[source] ?? {};
    return fields.map((field): Said => ({ source, at: field.seenAt ?? statedAt, field }));
  });
  const merged: KnownField[] = [];
  // Keep an observed column if there is no list of virtual fields, because it may be a virtual field.
  const goneBefore =
    evidence.list && evidence.virtual ? Math.min(evidence.list.at, evidence.virtual.at) : 0;
  for (const [name, all] of Map.groupBy(said, ({ field }) => field.name)) {
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
    // Don't extend a known type with `dynamic`, which includes every type.
    if (isNewer && (types.size === 0 || field.type !== 'dynamic')) add(field.type);
  }
  return [...types.values()].join('|') || 'unknown';
}

function detailsOf(said: readonly Said[]): Partial<KnownField> {
  const { unit, description, hidden } =
    newest(said.filter(({ source }) => fieldSources[source].details))?.field ?? {};
  return { ...(unit && { unit }), ...(description && { description }), ...(hidden && { hidden }) };
}

/** Returns the newest field. Of equally new fields, the last one is used, because it is more specific. */
function newest(said: readonly Said[]): Said | undefined {
  return said.toSorted((one, other) => one.at - other.at).at(-1);
}
