// Rows of the form: fields, and objects implied by dotted names. Both can be map fields.
import type { FieldChange, FieldChanges, FieldsState, ListedField } from '../fieldsContract.ts';

export interface Row {
  readonly name: string;
  /** The field; absent for an object that is only implied by dotted names. */
  readonly field?: ListedField;
  /** The number of fields in an object. */
  readonly parts: number;
  /** Whether it is a map field; undefined if it can't be a map field. */
  readonly map: boolean | undefined;
}

const mapTypes: ReadonlySet<string> = new Set(['map', 'dictionary']);
const numberTypes: ReadonlySet<string> = new Set(
  'integer float int float64 double unknown'.split(' '),
);

/** Returns whether a field may contain numbers, so that a unit applies. */
export function mayBeNumber(field: ListedField): boolean {
  return hasType(field, numberTypes);
}

function hasType({ type }: ListedField, names: ReadonlySet<string>): boolean {
  return type.split('|').some((part) => names.has(part.trim()));
}

/** Returns all rows, sorted by name. `added` contains new map fields. */
export function rowsOf({ fields, mapFields }: FieldsState, added: readonly string[]): Row[] {
  const parts = new Map<string, number>();
  for (const { name } of fields) {
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
      const object = name.slice(0, dot);
      parts.set(object, (parts.get(object) ?? 0) + 1);
    }
  }
  const byName = new Map(fields.map((field) => [field.name, field]));
  const maps = new Set(mapFields);
  // Offer no objects as map fields if the deployment doesn't list its map fields.
  const objects = mapFields === undefined ? [] : [...parts.keys(), ...mapFields, ...added];
  const names = [...new Set([...byName.keys(), ...objects])].sort();
  return names.map((name) => {
    const field = byName.get(name);
    const canBeMap =
      mapFields !== undefined &&
      (field === undefined || hasType(field, mapTypes) || parts.has(name));
    return {
      name,
      ...(field && { field }),
      parts: parts.get(name) ?? 0,
      map: canBeMap || maps.has(name) ? maps.has(name) : undefined,
    };
  });
}

/** A field's edited members, and whether it is a map field. */
export type Chosen = Omit<FieldChange, 'name'> & { readonly map?: boolean };

export function changed({ field, map }: Row, chosen: Chosen): Chosen | undefined {
  const before: Readonly<Record<string, unknown>> = { ...field, map };
  const kept = Object.entries(chosen).filter(
    ([key, value]) => before[key] !== undefined && before[key] !== value,
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export function changesOf(chosen: ReadonlyMap<string, Chosen>): FieldChanges {
  const fields: FieldChange[] = [];
  const addedMaps: string[] = [];
  const removedMaps: string[] = [];
  for (const [name, { map, ...change }] of chosen) {
    if (map !== undefined) (map ? addedMaps : removedMaps).push(name);
    if (Object.keys(change).length > 0) fields.push({ name, ...change });
  }
  return { fields, addedMaps, removedMaps };
}

/** Reverses `changesOf`. */
export function chosenOf({ fields, addedMaps, removedMaps }: FieldChanges): Map<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  const add = (name: string, more: Chosen) => chosen.set(name, { ...chosen.get(name), ...more });
  for (const { name, ...change } of fields) add(name, change);
  for (const name of addedMaps) add(name, { map: true });
  for (const name of removedMaps) add(name, { map: false });
  return chosen;
}
