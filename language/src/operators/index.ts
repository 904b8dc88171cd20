/** The tables of the tabular operators. */
import { drafts } from '../catalog/operators.ts';
import type { OperatorRow } from '../catalog/types.ts';
import {
  type BoundMvExpand,
  type MvExpandItem,
  type MvExpandOperator,
  mvExpandCore,
  mvExpandEditing,
  mvExpandItemChildren,
} from './mvExpand.ts';
import { type OperatorName, sourceNames, transformNames } from './names.ts';
import type { BoundRules, NameRules, NodeRules, OperatorEditing } from './operator.ts';

/** The nodes inside operators that aren't operators themselves. */
export type OperatorPart = MvExpandItem;

/** The rules for each name. */
export const operatorCores: Readonly<Record<'mv-expand', NameRules<MvExpandOperator>>> = {
  'mv-expand': mvExpandCore,
};

/** The rules for each kind of syntax node. */
export const operatorNodes: {
  readonly MvExpandOperator: NodeRules<MvExpandOperator, BoundMvExpand>;
} = {
  MvExpandOperator: mvExpandCore,
};

/** The members with children of each kind of node inside operators. */
export const operatorParts: {
  readonly [K in OperatorPart['kind']]: readonly (keyof Extract<OperatorPart, { kind: K }>)[];
} = {
  MvExpandItem: mvExpandItemChildren,
};

/** The rules for each kind of bound operator. */
export const boundOperators: { readonly 'mv-expand': BoundRules<BoundMvExpand> } = {
  'mv-expand': mvExpandCore,
};

const rows: Readonly<Record<OperatorName, Omit<OperatorRow, 'name'>>> = {
  ...drafts,
  'mv-expand': mvExpandCore.row,
};

/** The catalog's rows of all operators and sources. */
export const operators: readonly OperatorRow[] = [...transformNames, ...sourceNames].map(
  (name): OperatorRow => ({ name, ...rows[name] }),
);

/** The editing parts of each operator. Only `editing.ts` uses this table, so the bundle of the analysis leaves it out. */
export const operatorEditing: Readonly<Record<'mv-expand', OperatorEditing>> = {
  'mv-expand': mvExpandEditing,
};
