/**
 * The tables of the tabular operators. The types require an entry for every operator.
 *
 * The parser and the binder import this file, and each operator's file imports them. To keep this cycle harmless,
 * values of an operator's file are imported only here, and the parser and the binder read the tables only inside
 * functions.
 */
import { sourceRows } from '../catalog/sources.ts';
import type { OperatorRow } from '../catalog/types.ts';
import { type BoundCount, type CountOperator, countCore, countEditing } from './count.ts';
import {
  type BoundDistinct,
  type DistinctOperator,
  distinctCore,
  distinctEditing,
} from './distinct.ts';
import {
  type BoundExtend,
  type ExtendOperator,
  extendCore,
  extendEditing,
  extendValidCore,
  extendValidEditing,
} from './extend.ts';
import {
  type BoundGetSchema,
  type GetSchemaOperator,
  getSchemaCore,
  getSchemaEditing,
} from './getschema.ts';
import {
  type BoundJoin,
  type JoinOperator,
  joinCore,
  joinEditing,
  type LookupOperator,
  lookupCore,
  lookupEditing,
} from './join.ts';
import {
  type BoundLimit,
  type LimitOperator,
  limitCore,
  limitEditing,
  takeCore,
  takeEditing,
} from './limit.ts';
import {
  type BoundMakeSeries,
  type MakeSeriesOperator,
  makeSeriesCore,
  makeSeriesEditing,
  type SeriesAggregate,
  seriesAggregateChildren,
} from './makeSeries.ts';
import {
  type BoundMvExpand,
  type MvExpandItem,
  type MvExpandOperator,
  mvExpandCore,
  mvExpandEditing,
  mvExpandItemChildren,
} from './mvExpand.ts';
import { sourceNames, type TransformName, transformNames } from './names.ts';
import type {
  BoundRules,
  NameRules,
  NodeRules,
  OperatorEditing,
  SourceOperatorCore,
} from './operator.ts';
import {
  type BoundParse,
  type ParseOperator,
  parseCore,
  parseEditing,
  parseWhereCore,
  parseWhereEditing,
} from './parse.ts';
import { type BoundParseKv, type ParseKvOperator, parseKvCore, parseKvEditing } from './parseKv.ts';
import { type BoundProject, type ProjectOperator, projectCore, projectEditing } from './project.ts';
import {
  type BoundSelect,
  type ProjectByPatternOperator,
  projectAwayCore,
  projectAwayEditing,
  projectKeepCore,
  projectKeepEditing,
  projectReorderCore,
  projectReorderEditing,
} from './projectByPattern.ts';
import {
  type ProjectRenameOperator,
  projectRenameCore,
  projectRenameEditing,
} from './projectRename.ts';
import { type BoundRedact, type RedactOperator, redactCore, redactEditing } from './redact.ts';
import { type BoundSample, type SampleOperator, sampleCore, sampleEditing } from './sample.ts';
import {
  type BoundSearchOperator,
  type SearchOperator,
  searchCore,
  searchEditing,
} from './search.ts';
import {
  type BoundSort,
  orderCore,
  orderEditing,
  type SortOperator,
  sortCore,
  sortEditing,
} from './sort.ts';
import {
  type BoundSummarize,
  type SummarizeOperator,
  summarizeCore,
  summarizeEditing,
} from './summarize.ts';
import { type BoundTop, type TopOperator, topCore, topEditing } from './top.ts';
import { type BoundUnionOperator, type UnionOperator, unionCore, unionEditing } from './union.ts';
import { type BoundUnknown, type UnknownOperator, unknownCore } from './unknown.ts';
import { type BoundWhere, type WhereOperator, whereCore, whereEditing } from './where.ts';

export type Operator =
  | CountOperator
  | DistinctOperator
  | ExtendOperator
  | GetSchemaOperator
  | JoinOperator
  | LimitOperator
  | LookupOperator
  | MakeSeriesOperator
  | MvExpandOperator
  | ParseKvOperator
  | ParseOperator
  | ProjectByPatternOperator
  | ProjectOperator
  | ProjectRenameOperator
  | RedactOperator
  | SampleOperator
  | SearchOperator
  | SortOperator
  | SummarizeOperator
  | TopOperator
  | UnionOperator
  | UnknownOperator
  | WhereOperator;

/** The nodes that occur only in one kind of operator. */
export type OperatorPart = MvExpandItem | SeriesAggregate;

export type BoundOperator =
  | BoundCount
  | BoundDistinct
  | BoundExtend
  | BoundGetSchema
  | BoundJoin
  | BoundLimit
  | BoundMakeSeries
  | BoundMvExpand
  | BoundParse
  | BoundParseKv
  | BoundProject
  | BoundRedact
  | BoundSample
  | BoundSearchOperator
  | BoundSelect
  | BoundSort
  | BoundSummarize
  | BoundTop
  | BoundUnionOperator
  | BoundUnknown
  | BoundWhere;

/** The operators of one or several kinds. A table by kind can be indexed with such an operator without a cast. */
export type OperatorOfKind<Kind extends Operator['kind']> = {
  readonly [K in Kind]: { readonly kind: K } & Extract<Operator, { readonly kind: K }>;
}[Kind];

/** The bound operators of one or several kinds. */
export type BoundOperatorOfKind<Kind extends BoundOperator['kind']> = {
  readonly [K in Kind]: { readonly kind: K } & Extract<BoundOperator, { readonly kind: K }>;
}[Kind];

/** The rules for each name. */
export const operatorCores: Readonly<Record<TransformName, NameRules<Operator>>> = {
  count: countCore,
  distinct: distinctCore,
  extend: extendCore,
  'extend-valid': extendValidCore,
  getschema: getSchemaCore,
  join: joinCore,
  limit: limitCore,
  lookup: lookupCore,
  'make-series': makeSeriesCore,
  'mv-expand': mvExpandCore,
  order: orderCore,
  parse: parseCore,
  'parse-kv': parseKvCore,
  'parse-where': parseWhereCore,
  project: projectCore,
  'project-away': projectAwayCore,
  'project-keep': projectKeepCore,
  'project-rename': projectRenameCore,
  'project-reorder': projectReorderCore,
  redact: redactCore,
  sample: sampleCore,
  search: searchCore,
  sort: sortCore,
  summarize: summarizeCore,
  take: takeCore,
  top: topCore,
  union: unionCore,
  where: whereCore,
};

/** The rules for each kind of syntax node. */
export const operatorNodes: {
  readonly [K in Operator['kind']]: NodeRules<
    Extract<Operator, { readonly kind: K }>,
    BoundOperator
  >;
} = {
  CountOperator: countCore,
  DistinctOperator: distinctCore,
  ExtendOperator: extendCore,
  GetSchemaOperator: getSchemaCore,
  JoinOperator: joinCore,
  LimitOperator: limitCore,
  LookupOperator: lookupCore,
  MakeSeriesOperator: makeSeriesCore,
  MvExpandOperator: mvExpandCore,
  ParseKvOperator: parseKvCore,
  ParseOperator: parseCore,
  ProjectByPatternOperator: projectAwayCore,
  ProjectOperator: projectCore,
  ProjectRenameOperator: projectRenameCore,
  RedactOperator: redactCore,
  SampleOperator: sampleCore,
  SearchOperator: searchCore,
  SortOperator: sortCore,
  SummarizeOperator: summarizeCore,
  TopOperator: topCore,
  UnionOperator: unionCore,
  UnknownOperator: unknownCore,
  WhereOperator: whereCore,
};

/** The members with children, for each kind of `OperatorPart`. */
export const operatorParts: {
  readonly [K in OperatorPart['kind']]: readonly (keyof Extract<
    OperatorPart,
    { readonly kind: K }
  >)[];
} = {
  MvExpandItem: mvExpandItemChildren,
  SeriesAggregate: seriesAggregateChildren,
};

/** The rules for each kind of bound operator. */
export const boundOperators: {
  readonly [K in BoundOperator['kind']]: BoundRules<Extract<BoundOperator, { readonly kind: K }>>;
} = {
  count: countCore,
  distinct: distinctCore,
  extend: extendCore,
  getschema: getSchemaCore,
  join: joinCore,
  limit: limitCore,
  'make-series': makeSeriesCore,
  'mv-expand': mvExpandCore,
  parse: parseCore,
  'parse-kv': parseKvCore,
  project: projectCore,
  redact: redactCore,
  sample: sampleCore,
  search: searchCore,
  select: projectAwayCore,
  sort: sortCore,
  summarize: summarizeCore,
  top: topCore,
  union: unionCore,
  unknown: unknownCore,
  where: whereCore,
};

/** The operators that can also start a pipeline. */
export const sourceOperators: {
  readonly search: SourceOperatorCore<SearchOperator, BoundSearchOperator>;
  readonly union: SourceOperatorCore<UnionOperator, BoundUnionOperator>;
} = {
  search: searchCore,
  union: unionCore,
};

/** The catalog's rows of all operators. */
export const operators: readonly OperatorRow[] = [
  ...transformNames.map(
    (name): OperatorRow => ({
      name,
      role: 'transform',
      ...operatorCores[name].row,
    }),
  ),
  ...sourceNames.map((name): OperatorRow => ({ name, ...sourceRows[name] })),
];

/**
 * The editing part of each operator. Only the completion, formatting and documentation that `editing.ts` exports use
 * it, so the bundle of the analysis leaves it out.
 */
export const operatorEditing: Readonly<Record<TransformName, OperatorEditing>> = {
  count: countEditing,
  distinct: distinctEditing,
  extend: extendEditing,
  'extend-valid': extendValidEditing,
  getschema: getSchemaEditing,
  join: joinEditing,
  limit: limitEditing,
  lookup: lookupEditing,
  'make-series': makeSeriesEditing,
  'mv-expand': mvExpandEditing,
  order: orderEditing,
  parse: parseEditing,
  'parse-kv': parseKvEditing,
  'parse-where': parseWhereEditing,
  project: projectEditing,
  'project-away': projectAwayEditing,
  'project-keep': projectKeepEditing,
  'project-rename': projectRenameEditing,
  'project-reorder': projectReorderEditing,
  redact: redactEditing,
  sample: sampleEditing,
  search: searchEditing,
  sort: sortEditing,
  summarize: summarizeEditing,
  take: takeEditing,
  top: topEditing,
  union: unionEditing,
  where: whereEditing,
};
