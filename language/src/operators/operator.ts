/** Types for an operator's analysis rules, and for its rules and documentation in editors. */
import type { Binder } from '../binding/binder.ts';
import type { BoundSource, NamedExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import type { OperatorRow } from '../catalog/types.ts';
import type { OperatorSlots } from '../context/slots.ts';
import type { Rules } from '../format/rules.ts';
import type { OperatorProse } from '../prose/says.ts';
import type { Cursor } from '../syntax/cursor.ts';
import type { Node } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { OperatorFacts } from './facts.ts';

/** A syntax node of an operator, which starts with the operator's name. */
export interface OperatorNode extends Node {
  /** The span of the operator's name. */
  readonly keyword: Span;
  /** The operator's misspelled name. The operator is parsed as if the name were correct. */
  readonly misspelt?: string;
}

export interface BoundOperatorNode extends Span {
  readonly kind: string;
  readonly keyword: Span;
}

/** The members that an operator's own file returns. Its caller adds the omitted members. */
export type Own<T> = T extends unknown ? Omit<T, 'keyword' | 'misspelt' | 'start' | 'end'> : never;

/** The facts about operators that return one row per group, or a single row. */
export const groupingFacts = { rows: 'grouped', order: 'lost', columns: 'listed' } as const;

/** The rules that are looked up by an operator's name. */
export interface NameRules<N extends OperatorNode> {
  /** The operator's catalog row. By default, the operator follows a pipe and has no options. */
  readonly row?: Partial<Omit<OperatorRow, 'name'>>;
  readonly facts: OperatorFacts;
  /** Parses an operator whose name, `keyword`, has been consumed. */
  readonly parse: (c: Cursor, keyword: Span) => Own<N>;
}

export interface NodeRules<N extends OperatorNode, B extends BoundOperatorNode> {
  /** The members that contain child nodes, in text order. */
  readonly children: readonly (keyof N)[];
  readonly facts: OperatorFacts;
  /** Binds the operator, and changes `row` to the operator's output columns. */
  readonly bind: (node: N, row: Row, binder: Binder) => Own<B>;
}

export interface BoundRules<B extends BoundOperatorNode> {
  /** The members that contain child expressions or pipelines. */
  readonly operands: readonly (keyof B)[];
  readonly facts: OperatorFacts;
  readonly items?: (operator: B) => readonly NamedExpression[];
}

export interface OperatorCore<N extends OperatorNode, B extends BoundOperatorNode>
  extends NameRules<N>,
    NodeRules<N, B>,
    BoundRules<B> {}

/** An operator that can also start a pipeline. */
export interface SourceOperatorCore<N extends OperatorNode, B extends BoundOperatorNode>
  extends OperatorCore<N, B> {
  readonly bindSource: (node: N, binder: Binder) => BoundSource;
}

/**
 * An operator's rules and documentation for editors. Create it without spreads, member accesses or impure calls, so
 * that bundlers can drop it.
 */
export interface OperatorEditing {
  readonly slots: OperatorSlots;
  readonly layout?: Rules;
  readonly prose: OperatorProse;
}
