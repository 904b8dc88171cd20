/** A condition that keeps the rows with a value, as data. The language server converts it to APL. */
import type { ValuePath } from '../../../table/src/viewState.ts';

/** The kind of a value's literal in a query. */
type ConditionKind = 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';

export interface FilterCondition {
  readonly column: string;
  readonly type: string;
  readonly path: ValuePath;
  readonly kind: ConditionKind;
  /** The exact text of the value; empty for null. */
  readonly text: string;
  /** Whether to keep the rows with other values instead. */
  readonly exclude: boolean;
}

interface ConditionSource extends Omit<FilterCondition, 'column' | 'kind'> {
  readonly name: string;
  readonly value: unknown;
}

/** Returns undefined for an object or an array, which no single comparison can match. */
export function filterCondition(source: ConditionSource): FilterCondition | undefined {
  const { name: column, value: _, text, ...rest } = source;
  const kind = conditionKind(source);
  return kind && { column, ...rest, kind, text: kind === 'null' ? '' : text };
}

function conditionKind({ type, path, value }: ConditionSource): ConditionKind | undefined {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value !== 'string') return undefined;
  if (path.length === 0 && (type === 'datetime' || type === 'timespan')) return type;
  return 'text';
}
