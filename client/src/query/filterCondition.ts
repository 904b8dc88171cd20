/** A condition that keeps the rows with a given value, as data. The language server converts it to APL. */
import type { ValuePath } from '../../../table/src/viewState.ts';

/** The kind of literal that represents a value in a query. */
type ConditionKind = 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';

export interface FilterCondition {
  readonly column: string;
  readonly type: string;
  readonly path: ValuePath;
  readonly kind: ConditionKind;
  /** The value's exact text; empty for null. */
  readonly text: string;
  /** Whether to exclude the rows with the value instead. */
  readonly exclude: boolean;
}

interface ConditionSource extends Omit<FilterCondition, 'column' | 'kind'> {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the condition; undefined for an object or an array, which no single comparison can match. */
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
