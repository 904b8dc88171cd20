/** `let` statements outside the query, such as those in earlier notebook cells. They have no spans in the query. */
import type { ScalarType } from '../catalog/types.ts';
import { defined } from '../defined.ts';
import { textOf } from './bind.ts';
import type { NamedValue } from './binder.ts';
import type { BoundLet, Columns } from './bound.ts';
import { anyColumns } from './columns.ts';
import { sourceAlone } from './pipelines.ts';

export interface OuterLet {
  readonly name: string;
  readonly type: ScalarType | 'table';
  readonly written: string;
  /** The columns of a table. Absent if the value isn't a table. */
  readonly columns?: Columns;
  /** The value of a string constant. Absent for any other value. */
  readonly text?: string;
}

/** Converts a `let` statement for use in other queries. `source` is the text of the query that contains it. */
export function outerLet({ name, value }: BoundLet, source: string): OuterLet {
  const written = source.slice(value.start, value.end);
  if (value.kind === 'pipeline')
    return { name, type: 'table', written, columns: withoutPlaces(value.columns) };
  return { name, type: value.type, written, ...defined({ text: textOf(value) }) };
}

export function outerValue({ type, columns, text }: OuterLet): NamedValue {
  if (type !== 'table') return { kind: 'scalar', type, text };
  const known = columns ?? anyColumns;
  return {
    kind: 'table',
    pipeline: sourceAlone({ kind: 'unknown', columns: known, start: 0, end: 0 }),
  };
}

function withoutPlaces({ list, open }: Columns): Columns {
  return { list: list.map(({ definition: _, merged: __, ...column }) => column), open };
}
