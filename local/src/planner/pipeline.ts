/** Plans a pipeline: its source, and then each stage with the previous table as its input. */
import type {
  BoundOperator,
  BoundOperatorOfKind,
  BoundPipeline,
  BoundSource,
  BoundStage,
} from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import { planAs, planExpression } from './expressions.ts';
import { planExtend, planProject, planSelect } from './operators/columns.ts';
import { planExternaldata } from './operators/externaldata.ts';
import { planGetSchema } from './operators/getschema.ts';
import { planJoin } from './operators/join.ts';
import { planMakeSeries } from './operators/makeSeries.ts';
import { planMvExpand } from './operators/mvExpand.ts';
import { planParse } from './operators/parse.ts';
import { planParseKv } from './operators/parseKv.ts';
import { planRedact } from './operators/redact.ts';
import {
  countOf,
  planCount,
  planDistinct,
  planSample,
  planSort,
  planTop,
  planWhere,
} from './operators/rows.ts';
import { planSearch } from './operators/search.ts';
import { planSummarize } from './operators/summarize.ts';
import { planUnion } from './operators/union.ts';
import { withCursor, withTies } from './paging.ts';
import { planWithoutRows, withPrecomputed } from './precompute.ts';
import { printRelation } from './print.ts';
import { depthOf, type Item, type OrderKey } from './relation.ts';
import { withRequestOrder } from './requestOrder.ts';
import { type Planning, scopeOf } from './scope.ts';
import * as print from './sql.ts';
import { sql } from './sql.ts';
import {
  addColumn,
  extended,
  filtered,
  Ids,
  newTable,
  oneRow,
  storedTable,
  type Table,
  type TableColumn,
} from './table.ts';
import { limitGroups, withDefaultOrder } from './timeSeries.ts';
import { nullOf, valueType } from './values.ts';

export function planPipeline(pipeline: BoundPipeline, planning: Planning): Table {
  const source = planSource(pipeline.source, planning);
  planning.size.add(source, pipeline.source);
  return pipeline.stages.reduce(
    (table, stage) => recordStage(stage, planStage(stage, table, planning)),
    source,
  );
}

/** Records the stage of a time series, so that it can be repeated for the totals. */
function recordStage(stage: BoundStage, table: Table): Table {
  const { bin } = table;
  if (bin === undefined || bin.operator === stage.operator) return table;
  return { ...table, bin: { ...bin, stages: [...bin.stages, stage] } };
}

export function planStage(stage: BoundStage, table: Table, planning: Planning): Table {
  const planned = withPrecomputed(table, planning, (rows, inner) =>
    planOperator(stage.operator, rows, inner),
  );
  planning.size.add(planned, stage);
  return planned;
}

function planOperator<Kind extends BoundOperator['kind']>(
  operator: BoundOperatorOfKind<Kind>,
  table: Table,
  planning: Planning,
): Table {
  return planners[operator.kind](operator, table, planning);
}

type Planner<Operator> = (operator: Operator, table: Table, planning: Planning) => Table;

const planners: {
  readonly [K in BoundOperator['kind']]: Planner<Extract<BoundOperator, { kind: K }>>;
} = {
  where: planWhere,
  extend: planExtend,
  project: planProject,
  select: planSelect,
  summarize: planSummarize,
  sort: planSort,
  top: planTop,
  limit: (operator, table, planning) => {
    // Sort the rows before the limit, because the limit keeps the first rows.
    const ordered = withDefaultOrder(withRequestOrder(table, planning));
    return limitGroups(ordered, countOf(operator.count, table, planning), planning, planStage);
  },
  sample: planSample,
  count: planCount,
  distinct: planDistinct,
  getschema: (_, table) => planGetSchema(table),
  join: planJoin,
  union: planUnion,
  'make-series': planMakeSeries,
  'mv-expand': planMvExpand,
  parse: planParse,
  'parse-kv': planParseKv,
  redact: planRedact,
  search: planSearch,
  unknown: ({ name, keyword }) => {
    throw new PlanError(
      'unsupported-operator',
      keyword,
      `The operator ${name} is not supported on this deployment.`,
    );
  },
};

function planSource(source: BoundSource, planning: Planning): Table {
  switch (source.kind) {
    case 'dataset':
      return { ...planDataset(source.name, planning, source), dataset: source.name };
    case 'let':
      return planTableLet(source.name, planning, source);
    case 'subquery':
      return planPipeline(source.pipeline, planning);
    case 'print':
      return withPrecomputed(oneRow, planning, (row, inner) => planPrint(source, row, inner));
    case 'datatable':
      return planDatatable(source, planning);
    case 'union':
      return planUnion(source, undefined, planning);
    case 'search':
      return planSearch(source, undefined, planning);
    case 'externaldata':
      return planExternaldata(source, planning);
    case 'unknown':
      if (source.name !== undefined) throw unknownDataset(source.name, source);
      throw new PlanError('invalid-query', source, 'A query must start with a dataset.');
  }
}

/**
 * Plans a dataset's rows, filtered by the query's range and newest first by default. A dataset without a datetime
 * column `_time` returns all of its rows.
 */
function planDataset(name: string, planning: Planning, at: BoundSource): Table {
  const { context } = planning;
  const layout = context.layoutOf(name);
  if (layout === undefined) return planView(name, planning, at);
  planning.datasets.add(name);
  const stored = storedTable(layout);
  const time = stored.columns.find(
    (column) => column.name === '_time' && column.type === 'datetime',
  );
  if (time === undefined) return withVirtualFields(stored, name, planning);
  const { paging } = planning;
  const page = paging?.source === at ? paging : undefined;
  const narrowed = planning.narrowed?.source === at ? planning.narrowed : undefined;
  const searched = narrowed
    ? filtered(stored, sql`t.rowid <= ${print.long(narrowed.lastRow)}`)
    : stored;
  const numbered = page !== undefined || planning.cursors;
  const paged = numbered
    ? withCursor(searched, { time: time.id, numbering: layout.numbering }, page)
    : searched;
  const { range } = narrowed ?? context;
  const column = print.column(time.id);
  const start = print.datetime(range.start);
  const end = print.datetime(range.end);
  const ranged =
    range.start < range.end
      ? filtered(filtered(paged, sql`${column} >= ${start}`), sql`${column} < ${end}`)
      : filtered(paged, sql`false`);
  const table = withVirtualFields(ranged, name, planning);
  const newest: OrderKey = { id: time.id, desc: true, nullsFirst: false };
  return withRequestOrder(withTies({ ...table, order: [newest], inRange: time.id }), planning);
}

/** Adds a dataset's virtual fields. DuckDB drops the fields that the query doesn't read. */
function withVirtualFields(table: Table, name: string, planning: Planning): Table {
  return (planning.context.virtualFieldsOf?.(name) ?? []).reduce((before, item) => {
    const { start, end } = item;
    const keyword = { start, end };
    const extend = { kind: 'extend', valid: false, items: [item], keyword, start, end } as const;
    return withPrecomputed(before, planning, (rows, inner) => planExtend(extend, rows, inner));
  }, table);
}

/** Plans a view inline. In a nested planning context, the names of its `let` statements stay local. */
function planView(name: string, planning: Planning, at: BoundSource): Table {
  const view = planning.context.viewOf?.(name);
  if (view === undefined) {
    throw unknownDataset(name, at);
  }
  if ('problem' in view) {
    throw new PlanError('broken-view', at, `The view ${name} is not valid. ${view.problem}`);
  }
  const [pipeline] = view.bound.pipelines;
  try {
    return planPipeline(pipeline as BoundPipeline, planning.nested(view.bound));
  } catch (error) {
    // Report the error at the view's name, because offsets in the view's text are meaningless in the query.
    if (!(error instanceof PlanError)) throw error;
    throw new PlanError(error.code, at, `The view ${name}: ${error.message}`);
  }
}

function unknownDataset(name: string, at: BoundSource): PlanError {
  return new PlanError('unknown-dataset', at, `The dataset ${name} does not exist.`);
}

/** Plans a tabular `let` as a common table expression. `statement.ts` decides when it must be materialized. */
function planTableLet(name: string, planning: Planning, at: BoundSource): Table {
  const known = planning.tables.get(name);
  if (known !== undefined) return known;
  const pipeline = planning.tableLets.get(name);
  if (pipeline === undefined) throw new PlanError('invalid-query', at, `${name} is not a table.`);
  const table = planPipeline(pipeline, planning);
  const shared = sharedName(`let ${name}`, planning);
  const { relation } = table;
  planning.shared.push({ name: shared, sql: printRelation(relation), relation });
  const { bin: _bin, ...rest } = table;
  const read = {
    kind: 'table',
    name: print.sharedTable(shared),
    depth: depthOf(relation),
  } as const;
  const named: Table = { ...rest, relation: read };
  planning.tables.set(name, named);
  return named;
}

/** Makes the name unique, because a view and the query may have equal `let` names. */
function sharedName(wish: string, planning: Planning): string {
  const isTaken = (name: string) => planning.sharedNames.has(name.toLowerCase());
  let name = wish;
  for (let i = 2; isTaken(name); i++) name = `${wish} (${i})`;
  planning.sharedNames.add(name.toLowerCase());
  return name;
}

function planPrint(source: BoundSource & { kind: 'print' }, row: Table, planning: Planning): Table {
  const ids = new Ids(row.taken);
  const items: Item[] = [];
  const scope = scopeOf(row, planning);
  const columns = source.items.map((item) =>
    addColumn(item.name, planExpression(item.expression, scope), ids, items),
  );
  return { ...extended(row, items, ids), columns };
}

function planDatatable(source: BoundSource & { kind: 'datatable' }, planning: Planning): Table {
  const ids = new Ids(oneRow.taken);
  const columns = source.columns.list.map((column): TableColumn => {
    return { name: column.name, type: valueType(column.type), id: ids.free(column.name) };
  });
  const rows = source.rows.map((row) =>
    columns.map((column, i) => {
      const cell = row[i];
      if (cell === undefined) return print.nullSql;
      return planWithoutRows(planning, (scope) => planAs(cell, column.type, scope)).sql;
    }),
  );
  const names = columns.map((column) => column.id);
  if (rows.length > 0) return newTable({ kind: 'values', ids: names, rows }, columns, ids);
  const nulls = columns.map((column) => ({ id: column.id, sql: nullOf(column.type).sql }));
  const empty = {
    kind: 'filter',
    input: { kind: 'extend', input: oneRow.relation, items: nulls },
    predicate: sql`false`,
  } as const;
  return newTable(empty, columns, ids);
}
