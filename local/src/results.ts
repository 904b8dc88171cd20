/**
 * Runs a plan and gives the answer in the tabular shape. Rows become JSON inside the engine, a column at
 * a time and in slices, and go out as bytes, so that no cell is touched here and memory does not grow
 * with the answer.
 */
import type { Message, QueryStatus } from '../../api/src/index.ts';
import { TOTALS_TABLE } from '../../api/src/index.ts';
import type { Plan, PlannedTable } from './planner/plan.ts';
import type { Session } from './store/duckdb.ts';
import { jsonOf } from './store/json.ts';
import type { DatasetLayout } from './store/layout.ts';
import { formatNanos } from './time.ts';

/** Rows in one slice of a column: few enough that a slice of text stays in the tens of megabytes. */
const SLICE_ROWS = 16_384;

interface Materialized {
  readonly name: string;
  readonly table: PlannedTable;
  /** The temporary table with its rows. */
  readonly rows: string;
  readonly count: number;
  /** The first slice of each column, as JSON without brackets. */
  readonly first: readonly Uint8Array[];
}

/** An answer ready to be sent: everything is computed, and only the rows are still to be read. */
export interface Answer {
  /** The JSON text in pieces; must be read to the end or returned before the session is given back. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Whether it is short enough to be joined. */
  readonly short: boolean;
}

export interface AnswerContext {
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** Milliseconds on the monotonic clock at which the request began. */
  readonly started: number;
  /** The notices that belong to an answer of so many rows. */
  readonly messages: (rows: number, counts: Counts) => readonly Message[];
}

/** Runs the plan. Errors of the query surface here, before anything is sent. */
export async function runPlan(
  session: Session,
  plan: Plan,
  context: AnswerContext,
): Promise<Answer> {
  const tables: Materialized[] = [await materialize(session, '0', plan.main)];
  if (plan.totals !== undefined) {
    tables.push(await materialize(session, TOTALS_TABLE, plan.totals));
  }
  const counts = await readCounts(session, plan, tables[0]!.count);
  const status = statusOf(plan, tables, counts, context);
  return {
    chunks: chunksOf(session, plan, tables, status, context),
    short: tables.every((table) => table.count <= SLICE_ROWS),
  };
}

async function materialize(
  session: Session,
  name: string,
  table: PlannedTable,
): Promise<Materialized> {
  const rows = `temp.result_${name}`;
  const columns = table.columns.map((_, index) => `c${index}`).join(', ');
  await session.run(
    `CREATE TEMP TABLE result_${name} AS SELECT * FROM (${table.sql}) AS t(${columns})`,
  );
  const all = table.columns.map((_, index) => index);
  const { count, columns: first } = await readSlice(session, table, rows, all, 0);
  if (count < SLICE_ROWS) return { name, table, rows, count, first };
  const [counted] = await session.rows<[bigint]>(`SELECT count(*) FROM ${rows}`);
  return { name, table, rows, count: Number(counted![0]), first };
}

/** Rows in the range, and rows that the query's leading filters let through. */
export interface Counts {
  readonly examined: number;
  readonly matched: number;
}

async function readCounts(session: Session, plan: Plan, returned: number): Promise<Counts> {
  if (plan.countsSql === undefined) return { examined: returned, matched: returned };
  const [row] = await session.rows<[bigint, bigint]>(plan.countsSql);
  return { examined: Number(row?.[0] ?? 0), matched: Number(row?.[1] ?? 0) };
}

function statusOf(
  plan: Plan,
  tables: readonly Materialized[],
  counts: Counts,
  context: AnswerContext,
): QueryStatus {
  const groups = (tables[1] ?? tables[0])!;
  // A dataset counts as one block.
  return {
    elapsedTime: Math.round((performance.now() - context.started) * 1_000),
    blocksExamined: plan.datasets.length,
    blocksCached: 0,
    blocksMatched: plan.datasets.length,
    rowsExamined: counts.examined,
    rowsMatched: counts.matched,
    numGroups: groups.table.groups.length > 0 || plan.totals !== undefined ? groups.count : 0,
    isPartial: false,
    cacheStatus: 1,
    messages: [...context.messages(tables[0]!.count, counts)],
  };
}

async function* chunksOf(
  session: Session,
  plan: Plan,
  tables: readonly Materialized[],
  status: QueryStatus,
  context: AnswerContext,
): AsyncGenerator<Uint8Array> {
  const head = {
    format: 'tabular',
    status,
    datasetNames: plan.datasets,
    fieldsMetaMap: fieldsMeta(plan, context),
  };
  let text = `${JSON.stringify(head).slice(0, -1)},"tables":[`;
  for (const [index, { name, table, rows, count, first }] of tables.entries()) {
    text += `${index > 0 ? ',' : ''}${tableHead(name, table, plan)},"columns":[`;
    for (const [column, start] of first.entries()) {
      yield Buffer.from(`${text}${column > 0 ? ',[' : '['}`);
      yield start;
      for (let from = SLICE_ROWS; from < count; from += SLICE_ROWS) {
        const slice = await readSlice(session, table, rows, [column], from);
        yield COMMA;
        yield slice.columns[0]!;
      }
      text = ']';
    }
    text += ']}';
  }
  yield Buffer.from(`${text}]}`);
  for (const { rows } of tables) await session.run(`DROP TABLE ${rows}`);
}

const COMMA = Buffer.from(',');

// A slice lies within one row group, which one thread reads in order, so its rows stay in order.
async function readSlice(
  session: Session,
  table: PlannedTable,
  rows: string,
  columns: readonly number[],
  from: number,
): Promise<{ count: number; columns: Uint8Array[] }> {
  const values = columns.map(
    (i) => `, encode(coalesce(string_agg(${jsonOf(table.columns[i]!.type, `c${i}`)}, ','), ''))`,
  );
  const [row] = await session.rows<[bigint, ...Uint8Array[]]>(
    `SELECT count(*)${values.join('')} FROM ${rows} WHERE rowid >= ${from} AND rowid < ${from + SLICE_ROWS}`,
  );
  const [count, ...slices] = row!;
  return { count: Number(count), columns: slices };
}

function tableHead(name: string, table: PlannedTable, plan: Plan): string {
  const head = JSON.stringify({
    name,
    sources: plan.datasets.map((dataset) => ({ name: dataset })),
    fields: table.columns.map(({ name: field, type, agg }) => ({
      name: field,
      type,
      ...(agg === undefined ? {} : { agg }),
    })),
    order: table.order,
    groups: table.groups.map((group) => ({ name: group })),
    range: {
      field: '_time',
      start: formatNanos(plan.range.start),
      end: formatNanos(plan.range.end),
    },
  }).slice(0, -1);
  // A size may be more than a double holds exactly.
  const { buckets } = table;
  return buckets === undefined
    ? head
    : `${head},"buckets":{"field":${JSON.stringify(buckets.field)},"size":${buckets.size}}`;
}

function fieldsMeta(plan: Plan, { layoutOf }: AnswerContext): Record<string, unknown> {
  return Object.fromEntries(
    plan.datasets.map((dataset) => [
      dataset,
      (layoutOf(dataset)?.fields ?? [])
        .filter(({ unit, description, hidden }) => unit || description || hidden)
        .map(({ name, unit, description, hidden }) => ({
          name,
          type: '',
          unit: unit ?? '',
          hidden: hidden ?? false,
          description: description ?? '',
        })),
    ]),
  );
}
