// Flattens events as the service stores them: nested objects become dotted names and reserved names are renamed. Arrays
// and map fields stay intact.
import {
  INGEST_NESTING_MAX,
  RESERVED_FIELD_PREFIX,
  RESERVED_FIELDS,
} from '../../../api/src/plain.ts';
import { NumberText } from '../read/exactJson.ts';

export interface FlatValue {
  readonly name: string;
  readonly nameInFile: string;
  readonly value: unknown;
  /** Whether it nests deeper than the service keeps, so that the deeper parts become null. */
  readonly isTooDeep: boolean;
}

const reserved: ReadonlySet<string> = new Set(RESERVED_FIELDS);

/** Returns an event's fields. Of fields with the same name, the first is kept. */
export function flatten(
  event: Readonly<Record<string, unknown>>,
  mapFields: ReadonlySet<string>,
): Map<string, FlatValue> {
  const fields = new Map<string, FlatValue>();
  // A stack instead of recursion, which keeps the fields in the event's order.
  const open = [{ prefix: '', prefixInFile: '', members: Object.entries(event), at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.members[top.at++];
    if (next === undefined) {
      open.pop();
      continue;
    }
    const [key, value] = next;
    const depth = open.length;
    const nameInFile = top.prefixInFile + key;
    const renamed = depth === 1 && reserved.has(key);
    const name = top.prefix + (renamed ? RESERVED_FIELD_PREFIX + key : key);
    const nested =
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof NumberText);
    if (nested && !mapFields.has(name) && depth < INGEST_NESTING_MAX) {
      open.push({
        prefix: `${name}.`,
        prefixInFile: `${nameInFile}.`,
        members: Object.entries(value),
        at: 0,
      });
      continue;
    }
    if (fields.has(name)) continue;
    const isTooDeep = depth + depthOf(value) > INGEST_NESTING_MAX;
    const stored = isTooDeep ? truncateNesting(value, INGEST_NESTING_MAX - depth) : value;
    fields.set(name, { name, nameInFile, value: stored, isTooDeep });
  }
  return fields;
}

/** Returns the nesting depth of a value, counted only up to what the service keeps. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= INGEST_NESTING_MAX; depth += 1) {
    level = level
      .flatMap((one) =>
        typeof one === 'object' && one !== null && !(one instanceof NumberText)
          ? [Object.values(one)]
          : [],
      )
      .flat();
    if (level.length === 0) return depth;
  }
  return INGEST_NESTING_MAX + 1;
}

/** Replaces values nested deeper than `levels` with null. */
function truncateNesting(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((element) => truncateNesting(element, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, truncateNesting(member, levels - 1)]),
  );
}
