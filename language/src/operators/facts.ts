/** Describes how each tabular operator affects the rows, their order and the columns. */
import type { BoundOperator } from '../binding/bound.ts';
import type * as syntax from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import { boundOperators, operatorCores, operatorNodes } from './index.ts';

/**
 * The output rows:
 * - `all`: one for each input row
 * - `filtered`: the input rows that match
 * - `limited`: the first rows
 * - `sampled`: a random share of the input rows
 * - `expanded`: any number for each input row
 * - `grouped`: usually one for each group of input rows
 * - `combined`: rows of the input and of other tables
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

/** The order of the output rows: the input's order, a new order or an undefined order. */
export type OrderEffect = 'kept' | 'set' | 'lost';

/**
 * The output columns:
 * - `kept`: the input columns
 * - `changed`: the input columns with other values
 * - `added`: the input columns and new ones, which may replace input columns
 * - `selected`: some of the input columns, possibly renamed
 * - `listed`: exactly the columns that the operator defines
 * - `combined`: the input columns and columns of other tables
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
  /** Whether all items can be named, as in `name = expression`. */
  readonly namesItems?: true;
  /** Whether the operands are syntax or literals, which a `let` name can't replace. */
  readonly fixedOperands?: true;
}

export function factsOf(operator: BoundOperator): OperatorFacts {
  switch (operator.kind) {
    case 'extend':
      return operatorCores[operator.valid ? 'extend-valid' : 'extend'].facts;
    case 'select':
      return operatorCores[operator.name].facts;
    case 'join':
      return operatorCores[operator.lookup ? 'lookup' : 'join'].facts;
    case 'parse':
      return operatorCores[operator.where ? 'parse-where' : 'parse'].facts;
    default:
      return boundOperators[operator.kind].facts;
  }
}

export const isOperator = (node: AnyNode): node is syntax.Operator => node.kind in operatorNodes;

export function factsOfNode(operator: syntax.Operator): OperatorFacts {
  switch (operator.kind) {
    case 'ExtendOperator':
      return operatorCores[operator.valid ? 'extend-valid' : 'extend'].facts;
    case 'ProjectByPatternOperator':
      return operatorCores[`project-${operator.mode}`].facts;
    case 'ParseOperator':
      return operatorCores[operator.where ? 'parse-where' : 'parse'].facts;
    default:
      return operatorNodes[operator.kind].facts;
  }
}
