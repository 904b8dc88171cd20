/** Parses a request's labels, a JSON object of field values. Events that lack a field get the label's value. */

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

/** Parses labels. A member of a nested object gets a dotted name. Returns undefined if `text` isn't a JSON object. */
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

// Recursion is safe, because the caller has limited the nesting depth.
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
      // Store null for a number that exceeds the range of a double, as in events.
      if (!Number.isFinite(value)) return undefined;
      return Number.isSafeInteger(value) ? 'integer' : 'float';
    default:
      return Array.isArray(value) ? 'array' : undefined;
  }
}

export function labelAdditions(labels: Labels): Addition[] {
  return [...labels].map(([field, { type }]) => ({ field, type }));
}
