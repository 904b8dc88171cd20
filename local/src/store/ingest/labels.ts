/** Parses a request's labels, given as one JSON object: field values for each event that has none of its own. */

import { parseJson, stringifyJson } from '../../../../api/src/index.ts';
import type { Addition } from '../datasetRecords.ts';
import type { StoredType } from '../layout.ts';
import { duckdbTypes } from '../layout.ts';
import { quoteText } from '../sql.ts';
import { fieldName } from './leaves.ts';

export interface Label {
  readonly type: StoredType;
  readonly sql: string;
}

export type Labels = ReadonlyMap<string, Label>;

/** Parses labels. Returns undefined if `text` is not a JSON object. Nested objects make dotted names. */
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

// The caller has limited the nesting.
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
      // A number outside the range of a double counts as null, as in events.
      if (!Number.isFinite(value)) return undefined;
      return Number.isSafeInteger(value) ? 'integer' : 'float';
    default:
      return Array.isArray(value) ? 'array' : undefined;
  }
}

export function labelAdditions(labels: Labels): Addition[] {
  return [...labels].map(([field, { type }]) => ({ field, type }));
}
