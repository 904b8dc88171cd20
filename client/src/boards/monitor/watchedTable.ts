/** Converts an answer's table to the rows of a monitor's run. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { RunRow } from './evaluate.ts';
import type { Rule } from './rule.ts';

type Answer = ReadResponse<'queryEdge'>;
type Table = NonNullable<Extract<Answer, { readonly tables?: unknown }>['tables']>[number];

/** The names of the columns that a monitor's rule evaluates. */
export interface Watched {
  readonly values: readonly string[];
  /** The group-by columns other than the time. */
  readonly groups: readonly string[];
  /** The column with the start of each row's time bin; absent if rows aren't time bins. */
  readonly time?: string;
  /** An error message if the table has no column to watch. */
  readonly problem?: string;
}

const numeric = /^(?:integer|float|int|long|real|double|number|float64)(?:\|(?:integer|float))*$/;

export function tableOf(answer: Answer): Table | undefined {
  return 'tables' in answer ? answer.tables?.[0] : undefined;
}

export function watchedOf({ type, column }: Rule, table: Table | undefined): Watched {
  const fields = table?.fields ?? [];
  const groups = (table?.groups ?? []).flatMap(({ name }) => name ?? []);
  const time =
    table?.buckets?.field || fields.find((field) => field.type === 'datetime')?.name || '';
  const isBinned = groups.includes(time) && Number(table?.buckets?.size ?? 0) > 0;
  const watched =
    column === undefined || type === 'MatchEvent'
      ? fields.filter(
          (field) => !groups.includes(field.name ?? '') && numeric.test(field.type ?? ''),
        )
      : fields.filter(({ name }) => name === column);
  const problem =
    column === undefined
      ? 'The result has no column of numbers. End the query with summarize.'
      : `The result has no column '${column}'. Change columnName of the monitor.`;
  return {
    values: watched.map(({ name = '' }) => name),
    groups: groups.filter((name) => name !== time),
    ...(isBinned && { time }),
    ...(watched.length === 0 && fields.length > 0 && { problem }),
  };
}

/** Returns a run's rows. `from` is the start of the run's range, in milliseconds since 1970. */
export function rowsOf(table: Table | undefined, watched: Watched, from: number): RunRow[] {
  const fields = table?.fields ?? [];
  const columns = (table?.columns ?? []) as readonly (readonly unknown[])[];
  const column = (name: string) => columns[fields.findIndex((field) => field.name === name)] ?? [];
  const values = watched.values.map(column);
  const groups = watched.groups.map(column);
  const times = watched.time === undefined ? [] : column(watched.time);
  const count = Math.max(0, ...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, row) => {
    const time = Date.parse(String(times[row] ?? ''));
    return {
      group: groups.map((cells) => cellText(cells[row])),
      values: values.map((cells) => cellNumber(cells[row])),
      offset: Number.isNaN(time) ? 0 : time - from,
    };
  });
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Converts integers to doubles, even integers beyond 2^53, because thresholds are doubles. */
function cellNumber(cell: unknown): number | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const number = Number(cell);
  return Number.isNaN(number) ? null : number;
}
