/** The labels of a request: values that every event of it carries, given as one JSON object. */

import { parseJson, stringifyJson } from '../../../../api/src/index.ts';
import type { Addition } from '../datasets.ts';
import type { StoredType } from '../layout.ts';
import { duckdbTypes } from '../layout.ts';
import { quoteText } from '../sql.ts';
import { fieldName } from './leaves.ts';

export interface Label {
  readonly type: StoredType;
  /** Its value as SQL. */
  readonly sql: string;
}

/** By field name. */
export type Labels = ReadonlyMap<string, Label>;

/** Reads labels; undefined when the text is not a JSON object. Nested objects make dotted names. */
export function parseLabels(text: string): Labels | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const labels = new Map<string, Label>();
  collect(value, [], labels);
  return labels;
}

// The caller has bounded the nesting.
function collect(object: object, path: readonly string[], labels: Map<string, Label>): void {
  for (const [key, value] of Object.entries(object)) {
    const childPath = [...path, key];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      collect(value, childPath, labels);
      continue;
    }
    const type = labelType(value);
    if (type === undefined) continue;
    const text = typeof value === 'string' ? value : stringifyJson(value);
    labels.set(fieldName(childPath), {
      type,
      sql: `CAST(${quoteText(text)} AS ${duckdbTypes[type]})`,
    });
  }
}

function labelType(value: unknown): StoredType | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'integer' : 'float';
    case 'number':
      // A number beyond a double counts as null, as in events.
      if (!Number.isFinite(value)) return undefined;
      return Number.isSafeInteger(value) ? 'integer' : 'float';
    default:
      return Array.isArray(value) ? 'array' : undefined;
  }
}

/** The fields and types that labels need. */
export function labelAdditions(labels: Labels): Addition[] {
  return [...labels].map(([field, { type }]) => ({ field, type }));
}
