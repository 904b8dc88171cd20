/**
 * The tables of the tabular operators. The types require an entry for every operator.
 *
 * The parser and the binder import this file, and each operator's file imports them. To keep this cycle harmless,
 * values of an operator's file are imported only here, and the parser and the binder read the tables only inside
 * functions.
 */
import { sourceRows } from '../catalog/sources.ts';
import type { OperatorRow } from '../catalog/types.ts';
import * as count from './count.ts';
import * as distinct from './distinct.ts';
import * as extend from './extend.ts';
import * as getschema from './getschema.ts';
import * as join from './join.ts';
import * as limit from './limit.ts';
import * as makeSeries from './makeSeries.ts';
import * as mvExpand from './mvExpand.ts';
import { sourceNames, type TransformName, transformNames } from './names.ts';
import type {
  BoundRules,
  NameRules,
  NodeRules,
  OperatorEditing,
  SourceOperatorCore,
} from './operator.ts';
import * as parse from './parse.ts';
import * as parseKv from './parseKv.ts';
import * as project from './project.ts';
import * as projectByPattern from './projectByPattern.ts';
import * as projectRename from './projectRename.ts';
import * as redact from './redact.ts';
import * as sample from './sample.ts';
import * as search from './search.ts';
import * as sort from './sort.ts';
import * as summarize from './summarize.ts';
import * as top from './top.ts';
import * as union from './union.ts';
import * as unknown from './unknown.ts';
import * as where from './where.ts';

export type Operator =
  | count.CountOperator
  | distinct.DistinctOperator
  | extend.ExtendOperator
  | getschema.GetSchemaOperator
  | join.JoinOperator
  | limit.LimitOperator
  | join.LookupOperator
  | makeSeries.MakeSeriesOperator
  | mvExpand.MvExpandOperator
  | parseKv.ParseKvOperator
  | parse.ParseOperator
  | projectByPattern.ProjectByPatternOperator
  | project.ProjectOperator
  | projectRename.ProjectRenameOperator
  | redact.RedactOperator
  | sample.SampleOperator
  | search.SearchOperator
  | sort.SortOperator
  | summarize.SummarizeOperator
  | top.TopOperator
  | union.UnionOperator
  | unknown.UnknownOperator
  | where.WhereOperator;

export type OperatorPart = mvExpand.MvExpandItem | makeSeries.SeriesAggregate;

export type BoundOperator =
  | count.BoundCount
  | distinct.BoundDistinct
  | extend.BoundExtend
  | getschema.BoundGetSchema
  | join.BoundJoin
  | limit.BoundLimit
  | makeSeries.BoundMakeSeries
  | mvExpand.BoundMvExpand
  | parse.BoundParse
  | parseKv.BoundParseKv
  | project.BoundProject
  | redact.BoundRedact
  | sample.BoundSample
  | search.BoundSearchOperator
  | projectByPattern.BoundSelect
  | sort.BoundSort
  | summarize.BoundSummarize
  | top.BoundTop
  | union.BoundUnionOperator
  | unknown.BoundUnknown
  | where.BoundWhere;

/** An operator of any of the given kinds. Its `kind` can index a table without a cast. */
export type OperatorOfKind<Kind extends Operator['kind']> = {
  readonly [K in Kind]: { readonly kind: K } & Extract<Operator, { readonly kind: K }>;
}[Kind];

export type BoundOperatorOfKind<Kind extends BoundOperator['kind']> = {
  readonly [K in Kind]: { readonly kind: K } & Extract<BoundOperator, { readonly kind: K }>;
}[Kind];

export const operatorCores: Readonly<Record<TransformName, NameRules<Operator>>> = {
  count: count.core,
  distinct: distinct.core,
  extend: extend.core,
  'extend-valid': extend.validCore,
  getschema: getschema.core,
  join: join.core,
  limit: limit.core,
  lookup: join.lookupCore,
  'make-series': makeSeries.core,
  'mv-expand': mvExpand.core,
  order: sort.orderCore,
  parse: parse.core,
  'parse-kv': parseKv.core,
  'parse-where': parse.whereCore,
  project: project.core,
  'project-away': projectByPattern.awayCore,
  'project-keep': projectByPattern.keepCore,
  'project-rename': projectRename.core,
  'project-reorder': projectByPattern.reorderCore,
  redact: redact.core,
  sample: sample.core,
  search: search.core,
  sort: sort.core,
  summarize: summarize.core,
  take: limit.takeCore,
  top: top.core,
  union: union.core,
  where: where.core,
};

export const operatorNodes: {
  readonly [K in Operator['kind']]: NodeRules<OperatorOfKind<K>, BoundOperator>;
} = {
  CountOperator: count.core,
  DistinctOperator: distinct.core,
  ExtendOperator: extend.core,
  GetSchemaOperator: getschema.core,
  JoinOperator: join.core,
  LimitOperator: limit.core,
  LookupOperator: join.lookupCore,
  MakeSeriesOperator: makeSeries.core,
  MvExpandOperator: mvExpand.core,
  ParseKvOperator: parseKv.core,
  ParseOperator: parse.core,
  ProjectByPatternOperator: projectByPattern.awayCore,
  ProjectOperator: project.core,
  ProjectRenameOperator: projectRename.core,
  RedactOperator: redact.core,
  SampleOperator: sample.core,
  SearchOperator: search.core,
  SortOperator: sort.core,
  SummarizeOperator: summarize.core,
  TopOperator: top.core,
  UnionOperator: union.core,
  UnknownOperator: unknown.core,
  WhereOperator: where.core,
};

export const operatorParts: {
  readonly [K in OperatorPart['kind']]: readonly (keyof Extract<
    OperatorPart,
    { readonly kind: K }
  >)[];
} = { MvExpandItem: ['assignment', 'toType'], SeriesAggregate: ['assignment', 'defaultValue'] };

export const boundOperators: {
  readonly [K in BoundOperator['kind']]: BoundRules<BoundOperatorOfKind<K>>;
} = {
  count: count.core,
  distinct: distinct.core,
  extend: extend.core,
  getschema: getschema.core,
  join: join.core,
  limit: limit.core,
  'make-series': makeSeries.core,
  'mv-expand': mvExpand.core,
  parse: parse.core,
  'parse-kv': parseKv.core,
  project: project.core,
  redact: redact.core,
  sample: sample.core,
  search: search.core,
  select: projectByPattern.awayCore,
  sort: sort.core,
  summarize: summarize.core,
  top: top.core,
  union: union.core,
  unknown: unknown.core,
  where: where.core,
};

/** The operators that can also start a pipeline. */
export const sourceOperators: {
  readonly search: SourceOperatorCore<search.SearchOperator, search.BoundSearchOperator>;
  readonly union: SourceOperatorCore<union.UnionOperator, union.BoundUnionOperator>;
} = { search: search.core, union: union.core };

export const operators: readonly OperatorRow[] = [
  ...transformNames.map((name) => ({
    name,
    role: 'transform' as const,
    ...operatorCores[name].row,
  })),
  ...sourceNames.map((name): OperatorRow => ({ name, ...sourceRows[name] })),
];

/**
 * Each operator's rules and documentation for editors. Only `editing.ts` exports code that uses this table, so the
 * bundle of the analysis doesn't contain it.
 */
export const operatorEditing: Readonly<Record<TransformName, OperatorEditing>> = {
  count: count.editing,
  distinct: distinct.editing,
  extend: extend.editing,
  'extend-valid': extend.validEditing,
  getschema: getschema.editing,
  join: join.editing,
  limit: limit.editing,
  lookup: join.lookupEditing,
  'make-series': makeSeries.editing,
  'mv-expand': mvExpand.editing,
  order: sort.orderEditing,
  parse: parse.editing,
  'parse-kv': parseKv.editing,
  'parse-where': parse.whereEditing,
  project: project.editing,
  'project-away': projectByPattern.awayEditing,
  'project-keep': projectByPattern.keepEditing,
  'project-rename': projectRename.editing,
  'project-reorder': projectByPattern.reorderEditing,
  redact: redact.editing,
  sample: sample.editing,
  search: search.editing,
  sort: sort.editing,
  summarize: summarize.editing,
  take: limit.takeEditing,
  top: top.editing,
  union: union.editing,
  where: where.editing,
};
