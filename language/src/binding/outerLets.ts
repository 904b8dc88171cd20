/**
 * Lets that a query may name without declaring them, such as those of the cells above it in a notebook. Spans
 * of the text that declares them mean nothing in the query, so they are left out.
 */
import { none } from '../append.ts';
import type { ScalarType } from '../catalog/types.ts';
import type { NamedValue } from './binder.ts';
import type { BoundLet, BoundPipeline, Columns } from './bound.ts';

/** A let that is declared outside the query. */
export interface OuterLet {
  readonly name: string;
  readonly type: ScalarType | 'table';
  /** The value as it is written there. */
  readonly written: string;
  /** The columns of a table. */
  readonly columns?: Columns;
  /** The string that the value is, where it is one. */
  readonly text?: string;
}

/** What a let of a query is to other texts; `source` is the text that it is part of. */
export function outerLet({ name, value }: BoundLet, source: string): OuterLet {
  const written = source.slice(value.start, value.end);
  if (value.kind === 'pipeline')
    return { name, type: 'table', written, columns: withoutPlaces(value.columns) };
  const text =
    value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
  return { name, type: value.type, written, ...(text === undefined ? {} : { text }) };
}

/** The value that the binder looks up by the name. */
export function outerValue({ type, columns, text }: OuterLet): NamedValue {
  if (type !== 'table') return { kind: 'scalar', type, text };
  const known = columns ?? { list: none, open: true };
  const at = { start: 0, end: 0 };
  const source: BoundPipeline['source'] = { kind: 'unknown', columns: known, ...at };
  return {
    kind: 'table',
    pipeline: { kind: 'pipeline', source, stages: none, columns: known, ...at },
  };
}

function withoutPlaces({ list, open }: Columns): Columns {
  return { list: list.map(({ definition: _, merged: __, ...column }) => column), open };
}
