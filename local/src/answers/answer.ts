/**
 * Runs a plan and gives the answer in the shape that was asked for. Rows become JSON inside the engine,
 * in slices, and go out as bytes, so that no cell is touched here and memory does not grow with the answer.
 */
import type { Message, QueryStatus } from '../../../api/src/index.ts';
import { TOTALS_TABLE } from '../../../api/src/index.ts';
import type { Merge, Plan, PlannedTable } from '../planner/plan.ts';
import type { Session } from '../store/duckdb.ts';
import type { DatasetLayout } from '../store/layout.ts';
import { formatNanos } from '../time.ts';
import {
  columnParts,
  countColumn,
  cursorColumns,
  matchPart,
  type Part,
  rowParts,
  seriesPart,
  seriesSql,
  totalsPart,
} from './shapes.ts';

/** Rows in the first slice, which all parts give at once, and at least in the others. */
const SLICE_ROWS = 16_384;

/** Bytes that a later slice aims at, going by the first: each costs a statement. */
const SLICE_BYTES = 16 * 1_048_576;

/** Rows of one of DuckDB's row groups. */
const ROW_GROUP_ROWS = 122_880;

export type Format = 'tabular' | 'tabular-rows' | 'legacy';

interface Materialized {
  readonly table: PlannedTable;
  /** The temporary table with its rows. */
  readonly rows: string;
  readonly count: number;
  /** The rows that were aggregated, where the rows tell it. */
  readonly aggregated?: number;
  readonly parts: readonly Part[];
  /** The first slice of each part, as JSON without brackets. */
  readonly first: readonly Uint8Array[];
}

/** An answer ready to be sent: everything is computed, and only the rows are still to be read. */
export interface Answer {
  /** The JSON text in pieces; must be read to the end before `end` is called. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Drops what the answer was read from; must be done before the session is given back. */
  readonly end: () => Promise<void>;
  /** Whether it is short enough to be joined. */
  readonly short: boolean;
}

export interface AnswerContext {
  readonly format: Format;
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
  const { main, totals } = plan;
  const grouped = isGrouped(plan);
  const partsOf = (table: PlannedTable): readonly Part[] => {
    if (context.format === 'tabular') return columnParts(table);
    if (context.format === 'tabular-rows') return rowParts(table);
    if (!grouped) return [matchPart(table, formatNanos(plan.range.end))];
    return table === main && main.buckets !== undefined ? [] : [totalsPart(table)];
  };
  const tables = [await materialize(session, 'main', main, partsOf(main))];
  if (totals !== undefined) {
    const { merges } = plan;
    tables.push(
      merges === undefined
        ? await materialize(session, 'totals', totals, partsOf(totals))
        : await fill(session, 'totals', mergedSql(merges, tables[0]!), totals, partsOf(totals)),
    );
  }
  const [shown] = tables as [Materialized, ...Materialized[]];
  const counts = await readCounts(session, plan, shown);
  const status = {
    ...statusOf(plan, tables, counts, context),
    ...(await cursorsOf(session, shown)),
  };
  const short = tables.every(({ count }) => count <= SLICE_ROWS);
  const end = () => dropped(session, tables);
  if (context.format === 'legacy') {
    if (grouped && main.buckets !== undefined) tables.unshift(await series(session, shown));
    return { chunks: legacyChunks(session, plan, tables, status, grouped), end, short };
  }
  return { chunks: tabularChunks(session, plan, tables, status, context), end, short };
}

/** Whether the rows are groups and not events. */
function isGrouped({ main }: Plan): boolean {
  return main.groups.length > 0 || main.columns.some(({ agg }) => agg !== undefined);
}

async function materialize(
  session: Session,
  name: string,
  table: PlannedTable,
  parts: readonly Part[],
): Promise<Materialized> {
  const hidden = table.cursor ? [...cursorColumns(table)] : [];
  if (table.counted) hidden.push(countColumn(table));
  const columns = [...table.columns.map((_, index) => `c${index}`), ...hidden].join(', ');
  const sql = `SELECT * FROM (${table.sql}) AS t(${columns})`;
  const told = table.counted ? `any_value(${countColumn(table)})` : 'NULL';
  return fill(session, name, sql, table, parts, told);
}

async function fill(
  session: Session,
  name: string,
  sql: string,
  table: PlannedTable,
  parts: readonly Part[],
  told = 'NULL',
): Promise<Materialized> {
  const rows = `temp.result_${name}`;
  await session.run(`CREATE TEMP TABLE result_${name} AS ${sql}`);
  const {
    count,
    aggregated,
    slices: first,
  } = await readSlice(session, rows, parts, [0, SLICE_ROWS], told);
  const made = { table, rows, parts, first, ...(aggregated === null ? {} : { aggregated }) };
  return { ...made, count: count < SLICE_ROWS ? count : await readCount(session, rowCount(rows)) };
}

/** The totals of a series out of its bins. A sum that is past 64 bits in a bin is so in total. */
function mergedSql(merges: readonly Merge[], { table, rows }: Materialized): string {
  const items = merges.map(({ column, by }, i) => {
    const c = `c${column}`;
    if (by !== 'sum') return `${by}(${c}) AS c${i}`;
    const sum = `coalesce(sum(${c}), 0)`;
    const whole = `CASE WHEN count(${c}) = count(*) THEN TRY_CAST(${sum} AS BIGINT) END`;
    return `${table.columns[column]!.type === 'float' ? sum : whole} AS c${i}`;
  });
  return `SELECT ${items.join(', ')} FROM ${rows}`;
}

function rowCount(rows: string): string {
  return `SELECT count(*) FROM ${rows}`;
}

async function readCount(session: Session, sql: string): Promise<number> {
  const [row] = await session.rows<[bigint]>(sql);
  return Number(row![0]);
}

/** The intervals of a time series, in the older shape. */
function series(session: Session, { table, rows }: Materialized): Promise<Materialized> {
  return fill(session, 'series', seriesSql(table, rows), table, [seriesPart]);
}

/** Rows in the range, and rows that the query's leading filters let through. */
export interface Counts {
  readonly examined: number;
  readonly matched: number;
}

/** What the answer tells is not counted again: that can take as long as the answer. */
async function readCounts(
  session: Session,
  { counts }: Plan,
  { count, aggregated }: Materialized,
): Promise<Counts> {
  if (counts === undefined) return { examined: count, matched: count };
  const whole = counts.limit !== undefined && count < counts.limit ? count : undefined;
  const told = aggregated ?? whole;
  if (counts.matched === undefined) {
    const examined = told ?? (await readCount(session, counts.examined));
    return { examined, matched: examined };
  }
  const examined = await readCount(session, counts.examined);
  return { examined, matched: told ?? (await readCount(session, counts.matched)) };
}

/** Where the oldest and the newest event of the answer are, for asking for the pages around it. */
async function cursorsOf(
  session: Session,
  { table, rows, count }: Materialized,
): Promise<Partial<QueryStatus>> {
  if (!table.cursor || count === 0) return {};
  const [time, row] = cursorColumns(table);
  // The rows are in the order of time, in one direction or the other; those of equal times in any.
  const ends = await session.rows<[least: string, greatest: string]>(
    `SELECT concat(epoch_ns(${time}), '-', min(${row})), concat(epoch_ns(${time}), '-', max(${row})) FROM ${rows}
     WHERE ${time} IN (SELECT ${time} FROM ${rows} WHERE rowid = 0 OR rowid = ${count - 1})
     GROUP BY ${time} ORDER BY ${time}`,
  );
  return { minCursor: ends[0]![0], maxCursor: ends.at(-1)![1] };
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

async function* tabularChunks(
  session: Session,
  plan: Plan,
  tables: readonly Materialized[],
  status: QueryStatus,
  context: AnswerContext,
): AsyncGenerator<Uint8Array> {
  const head = {
    format: context.format,
    status,
    datasetNames: plan.datasets,
    fieldsMetaMap: fieldsMeta(plan, context),
  };
  let text = `${JSON.stringify(head).slice(0, -1)},"tables":[`;
  for (const [index, table] of tables.entries()) {
    const name = index === 0 ? '0' : TOTALS_TABLE;
    text += `${index > 0 ? ',' : ''}${tableHead(name, table.table, plan)},`;
    if (table.parts.length === 0) text += '"columns":[]';
    yield Buffer.from(text);
    yield* partChunks(session, table);
    text = '}';
  }
  yield Buffer.from(`${text}]}`);
}

async function* legacyChunks(
  session: Session,
  plan: Plan,
  tables: readonly Materialized[],
  status: QueryStatus,
  grouped: boolean,
): AsyncGenerator<Uint8Array> {
  const head = {
    format: 'legacy',
    status,
    datasetNames: plan.datasets,
    request: {
      startTime: formatNanos(plan.range.start),
      endTime: formatNanos(plan.range.end),
      resolution: 'auto',
      groupBy: plan.main.groups,
      order: plan.main.order,
    },
  };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},${grouped ? '"buckets":{' : ''}`);
  let separator = '';
  for (const table of tables) {
    if (table.parts.length === 0) continue;
    yield Buffer.from(separator);
    yield* partChunks(session, table);
    separator = ',';
  }
  yield Buffer.from(grouped ? '}}' : '}');
}

async function* partChunks(
  session: Session,
  { rows, count, parts, first }: Materialized,
): AsyncGenerator<Uint8Array> {
  for (const [i, part] of parts.entries()) {
    yield Buffer.from(part.open);
    yield first[i]!;
    for (const span of laterSlices(count, first[i]!.length)) {
      const { slices } = await readSlice(session, rows, [part], span);
      yield COMMA;
      yield slices[0]!;
    }
    yield Buffer.from(part.close);
  }
}

const COMMA = Buffer.from(',');

/** Half-open spans of the rows behind the first slice, none across the end of a row group. */
function* laterSlices(count: number, firstBytes: number): Generator<readonly [number, number]> {
  const wanted = Math.floor((SLICE_BYTES / Math.max(firstBytes, 1)) * SLICE_ROWS);
  const rows = Math.max(wanted, SLICE_ROWS);
  for (let from = SLICE_ROWS; from < count; ) {
    const groupEnd = (Math.floor(from / ROW_GROUP_ROWS) + 1) * ROW_GROUP_ROWS;
    const to = Math.min(from + rows, groupEnd);
    yield [from, to];
    from = to;
  }
}

async function dropped(session: Session, tables: readonly Materialized[]): Promise<void> {
  for (const { rows } of tables) await session.run(`DROP TABLE ${rows}`);
}

// A slice lies within one row group, which one thread reads in order, so its rows stay in order.
async function readSlice(
  session: Session,
  rows: string,
  parts: readonly Part[],
  [from, to]: readonly [number, number],
  told = 'NULL',
): Promise<{ count: number; aggregated: number | null; slices: Uint8Array[] }> {
  const values = parts.map(({ row }) => `, encode(coalesce(string_agg(${row}, ','), ''))`);
  const [row] = await session.rows<[bigint, bigint | null, ...Uint8Array[]]>(
    `SELECT count(*), ${told}${values.join('')} FROM ${rows} WHERE rowid >= ${from} AND rowid < ${to}`,
  );
  const [count, aggregated, ...slices] = row!;
  return {
    count: Number(count),
    aggregated: aggregated === null ? null : Number(aggregated),
    slices,
  };
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
