/**
 * The effect of each tabular operator on rows, their order and their columns. Lints, refactorings, the language server
 * and the planner ask these facts instead of listing operators.
 */
import type { BoundOperator } from '../binding/bound.ts';
import type * as syntax from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import { operatorCores } from './index.ts';
import type { OperatorName } from './names.ts';

/**
 * The output rows. `all`: one for each input row. `filtered`: for each input row that matches. `limited`: for the first
 * rows. `sampled`: for a random share of the rows. `expanded`: any number for each input row. `grouped`: one for each
 * group. `combined`: also rows of other tables, or rows matched with them.
 */
export type RowEffect =
  | 'all'
  | 'filtered'
  | 'limited'
  | 'sampled'
  | 'expanded'
  | 'grouped'
  | 'combined'
  | 'unknown';

/** The order of the output rows: that of the input, one that the operator sets, or none. */
export type OrderEffect = 'kept' | 'set' | 'lost';

/**
 * The output columns. `kept`: those of the input. `changed`: those of the input, with other values. `added`: also new
 * ones, which may replace others. `selected`: a part of those of the input, in any order and with other names. `listed`:
 * exactly those that the operator lists. `combined`: also those of other tables.
 */
export type ColumnEffect =
  | 'kept'
  | 'changed'
  | 'added'
  | 'selected'
  | 'listed'
  | 'combined'
  | 'unknown';

export interface OperatorFacts {
  readonly rows: RowEffect;
  readonly order: OrderEffect;
  readonly columns: ColumnEffect;
  /** Whether the operator reads only columns that it names. */
  readonly namesWhatItReads?: true;
  /** Whether every item may have a name, as in `name = expression`. */
  readonly namesItems?: true;
  /** Whether operands are part of the syntax or must be literals, so that a let can't replace them. */
  readonly fixedOperands?: true;
}

/** The names of operators, without aliases and without sources. */
export type TransformName = Exclude<
  OperatorName,
  'order' | 'take' | 'externaldata' | 'print' | 'datatable' | 'table'
>;

const perRow = { rows: 'all', order: 'kept' } as const;
const filter = { rows: 'filtered', order: 'kept', columns: 'kept' } as const;
const parse = {
  ...perRow,
  columns: 'added',
  namesWhatItReads: true,
  fixedOperands: true,
} as const;
const group = { rows: 'grouped', order: 'lost', columns: 'listed' } as const;
const join = { rows: 'combined', order: 'lost', columns: 'combined' } as const;

export const operatorFacts: Readonly<Record<TransformName, OperatorFacts>> = {
  count: group,
  distinct: group,
  extend: { ...perRow, columns: 'added', namesWhatItReads: true, namesItems: true },
  'extend-valid': { ...perRow, columns: 'added', namesWhatItReads: true, namesItems: true },
  getschema: group,
  join,
  limit: {
    rows: 'limited',
    order: 'kept',
    columns: 'kept',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  lookup: join,
  'make-series': { ...group, namesWhatItReads: true, namesItems: true },
  'mv-expand': operatorCores['mv-expand'].facts,
  parse,
  'parse-kv': parse,
  'parse-where': { ...parse, rows: 'filtered' },
  project: { ...perRow, columns: 'listed', namesWhatItReads: true, namesItems: true },
  'project-away': { ...perRow, columns: 'selected' },
  'project-keep': { ...perRow, columns: 'selected' },
  'project-rename': { ...perRow, columns: 'selected' },
  'project-reorder': { ...perRow, columns: 'selected' },
  redact: { ...perRow, columns: 'changed', fixedOperands: true },
  sample: {
    rows: 'sampled',
    order: 'kept',
    columns: 'kept',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  search: { ...filter, fixedOperands: true },
  sort: { rows: 'all', order: 'set', columns: 'kept', namesWhatItReads: true },
  summarize: { ...group, namesWhatItReads: true, namesItems: true },
  top: { rows: 'limited', order: 'set', columns: 'kept', namesWhatItReads: true },
  union: join,
  where: { ...filter, namesWhatItReads: true },
};

/** Facts about an operator that the language does not have. */
const unknown: OperatorFacts = {
  rows: 'unknown',
  order: 'lost',
  columns: 'unknown',
  fixedOperands: true,
};

/** Returns the facts about an operator of the bound tree. */
export function factsOf(operator: BoundOperator): OperatorFacts {
  switch (operator.kind) {
    case 'extend':
      return operatorFacts[operator.valid ? 'extend-valid' : 'extend'];
    case 'select':
      return operatorFacts[operator.name];
    case 'join':
      return operatorFacts[operator.lookup ? 'lookup' : 'join'];
    case 'parse':
      return operatorFacts[operator.where ? 'parse-where' : 'parse'];
    case 'unknown':
      return unknown;
    default:
      return operatorFacts[operator.kind];
  }
}

type Named = Exclude<
  syntax.Operator['kind'],
  'ExtendOperator' | 'ProjectByPatternOperator' | 'ParseOperator' | 'UnknownOperator'
>;

const names: Readonly<Record<Named, TransformName>> = {
  WhereOperator: 'where',
  ProjectOperator: 'project',
  ProjectRenameOperator: 'project-rename',
  SummarizeOperator: 'summarize',
  MakeSeriesOperator: 'make-series',
  SortOperator: 'sort',
  TopOperator: 'top',
  LimitOperator: 'limit',
  SampleOperator: 'sample',
  CountOperator: 'count',
  DistinctOperator: 'distinct',
  GetSchemaOperator: 'getschema',
  JoinOperator: 'join',
  LookupOperator: 'lookup',
  UnionOperator: 'union',
  SearchOperator: 'search',
  MvExpandOperator: 'mv-expand',
  ParseKvOperator: 'parse-kv',
  RedactOperator: 'redact',
};

/** Returns whether a node is an operator. */
export const isOperator = (node: AnyNode): node is syntax.Operator =>
  node.kind.endsWith('Operator');

/** Returns the facts about an operator of the syntax tree. */
export function factsOfNode(operator: syntax.Operator): OperatorFacts {
  switch (operator.kind) {
    case 'ExtendOperator':
      return operatorFacts[operator.valid ? 'extend-valid' : 'extend'];
    case 'ProjectByPatternOperator':
      return operatorFacts[`project-${operator.mode}`];
    case 'ParseOperator':
      return operatorFacts[operator.where ? 'parse-where' : 'parse'];
    case 'UnknownOperator':
      return unknown;
    default:
      return operatorFacts[names[operator.kind]];
  }
}
