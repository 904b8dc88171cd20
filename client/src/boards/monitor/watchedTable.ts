/** Reads the table of an answer as rows of a monitor's runs. */
import type { ReadResponse } from '../../../../api/src/index.ts';
import type { RunRow } from './evaluate.ts';
import type { Rule } from './rule.ts';

type Answer = ReadResponse<'queryEdge'>;
type Table = NonNullable<Extract<Answer, { readonly tables?: unknown }>['tables']>[number];

export interface Watched {
  readonly values: readonly { readonly name: string; readonly aggregate: string }[];
  readonly groups: readonly string[];
  /** The length of the bins, where rows are bins of time. */
  readonly binMs?: number;
  /** Why nothing can be watched. */
  readonly problem?: string;
}

/** A row with the start of its bin in milliseconds since 1970, where it is one. */
export interface TimedRow extends Omit<RunRow, 'offset'> {
  readonly time?: number;
}

const numeric = /^(?:integer|float|int|long|real|double|number|float64)(?:\|(?:integer|float))*$/;

export function tableOf(answer: Answer): Table | undefined {
  return 'tables' in answer ? answer.tables?.[0] : undefined;
}

/** Whether the service has left rows out by itself. */
export function isLimited(answer: Answer): boolean {
  const messages = answer.status?.messages ?? [];
  return messages.some(({ code }) => code === 'default_limit_warning');
}

export function watchedOf(rule: Rule, table: Table | undefined): Watched {
  const fields = table?.fields ?? [];
  const groups = (table?.groups ?? []).flatMap(({ name }) => name ?? []);
  const time = timeField(table);
  const others = groups.filter((name) => name !== time);
  const size = Number(table?.buckets?.size ?? 0) / 1e6;
  const numbers = fields.filter(
    ({ name, type }) => !groups.includes(name ?? '') && numeric.test(type ?? ''),
  );
  const watched =
    rule.column === undefined ? numbers : fields.filter((f) => f.name === rule.column);
  const values = watched.map(({ name = '', agg }) => ({ name, aggregate: agg?.name ?? '' }));
  const problem =
    values.length > 0 || fields.length === 0 || rule.type === 'MatchEvent'
      ? undefined
      : rule.column === undefined
        ? 'The result has no column of numbers. End the query with summarize.'
        : `The result has no column '${rule.column}'. Change columnName of the monitor.`;
  return {
    values,
    groups: others,
    ...(time !== undefined && groups.includes(time) && size > 0 && { binMs: size }),
    ...(problem && { problem }),
  };
}

function timeField(table: Table | undefined): string | undefined {
  return (
    table?.buckets?.field || (table?.fields ?? []).find(({ type }) => type === 'datetime')?.name
  );
}

/** The rows of a table, with the columns of `watched` in their order. */
export function rowsOf(table: Table | undefined, watched: Watched): TimedRow[] {
  if (table === undefined) return [];
  const fields = table.fields ?? [];
  const columns = (table.columns ?? []) as readonly (readonly unknown[])[];
  const column = (name: string | undefined) =>
    columns[fields.findIndex((field) => field.name === name)] ?? [];
  const values = watched.values.map(({ name }) => column(name));
  const groups = watched.groups.map(column);
  const times = timeField(table) === undefined ? [] : column(timeField(table));
  const count = Math.max(0, ...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, row) => {
    const time = Date.parse(String(times[row] ?? ''));
    return {
      group: groups.map((cells) => cellText(cells[row])),
      values: values.map((cells) => cellNumber(cells[row])),
      ...(!Number.isNaN(time) && { time }),
    };
  });
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Thresholds are doubles, so that integers beyond 2^53 are compared as doubles too. */
function cellNumber(cell: unknown): number | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const number = Number(cell);
  return Number.isNaN(number) ? null : number;
}
