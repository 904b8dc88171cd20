/** Finds the leaves of a shape (paths with values), and the fields that a dataset lacks for them. */
import {
  INGEST_NAME_BYTES_MAX,
  RESERVED_FIELD_PREFIX,
  RESERVED_FIELDS,
} from '../../../../api/src/index.ts';
import { type Addition, TIME_FIELD } from '../datasetRecords.ts';
import { type DatasetLayout, type StoredType, typesOf } from '../layout.ts';
import type { Kind, Path, Shape } from './shape.ts';

export interface Leaf {
  readonly path: Path;
  /** The field that stores the leaf. Leaves can share a field, as in `{"a.b":1}` and `{"a":{"b":1}}`. */
  readonly field: string;
  readonly kinds: ReadonlySet<Kind>;
}

export function leavesOf(shape: Shape, maps: ReadonlySet<string>): Leaf[] {
  const leaves: Leaf[] = [];
  collect(shape, [], maps, leaves);
  return leaves;
}

function collect(shape: Shape, path: Path, maps: ReadonlySet<string>, leaves: Leaf[]): void {
  for (const [key, child] of shape.children) {
    const childPath = [...path, key];
    const isMap = maps.has(childPath.join('.'));
    // A map field is a leaf. Another path with object members is a leaf only if it also has other values.
    if (isMap || child.children.size === 0 || child.kinds.size > 1) {
      leaves.push({ path: childPath, field: fieldName(childPath), kinds: child.kinds });
    }
    if (!isMap) collect(child, childPath, maps, leaves);
  }
}

/** Returns a path's field name. Adds a prefix to names that the service reserves. */
export function fieldName(path: Path): string {
  const reserved = (RESERVED_FIELDS as readonly string[]).includes(path[0] ?? '');
  return `${reserved ? RESERVED_FIELD_PREFIX : ''}${path.join('.')}`;
}

export function nameFits(name: string): boolean {
  return name !== '' && Buffer.byteLength(name) <= INGEST_NAME_BYTES_MAX;
}

/** Returns the types that the field needs in addition to `existing` to store values of these kinds. */
function typesFor(
  kinds: ReadonlySet<Kind>,
  existing: ReadonlySet<StoredType>,
  map: boolean,
): StoredType[] {
  const wanted: StoredType[] = [];
  const want = (type: StoredType) => {
    if (!existing.has(type) && !wanted.includes(type)) wanted.push(type);
  };
  if (kinds.has('string')) want('string');
  if (kinds.has('boolean')) want('boolean');
  if (kinds.has('array')) want('array');
  if (kinds.has('object') && map) want('map');
  // A float column also stores integers that are exact in a double, so these don't need an additional column.
  if (kinds.has('long')) want('integer');
  if (kinds.has('float')) want('float');
  if (kinds.has('integer') && !existing.has('float') && !wanted.includes('float')) want('integer');
  return wanted;
}

export function missingAdditions(
  leaves: readonly Leaf[],
  layout: DatasetLayout,
  maps: ReadonlySet<string>,
  labels: readonly Addition[],
): Addition[] {
  const existing = new Map(layout.fields.map((field) => [field.name, typesOf(field)]));
  const kindsOf = new Map<string, Set<Kind>>();
  for (const { field, kinds } of leaves) {
    kindsOf.set(field, (kindsOf.get(field) ?? new Set()).union(kinds));
  }
  const additions: Addition[] = [];
  const labelled = Map.groupBy(labels, (label) => label.field);
  for (const field of new Set([...labelled.keys(), ...kindsOf.keys()])) {
    if (!nameFits(field)) continue;
    const known = existing.get(field) ?? new Set<StoredType>();
    const types = typesFor(kindsOf.get(field) ?? new Set(), known, maps.has(field));
    for (const { type } of labelled.get(field) ?? []) {
      if (!known.has(type) && !types.includes(type)) types.push(type);
    }
    // `_time` is computed from the event's time, so it never gets an additional type.
    if (field !== TIME_FIELD) additions.push(...types.map((type) => ({ field, type })));
  }
  return additions;
}
