/** Binds expressions. Chains such as `a + b + c …` are bound in a loop, because they may have thousands of parts. */
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Scope, unbound } from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { bindCall } from './calls.ts';
import { bindName } from './columnNames.ts';
import { bindConstant, bindDynamic } from './constants.ts';
import { bindPath } from './paths.ts';
import { bindPipeline } from './pipelines.ts';
import { bindBetween, bindBinary, bindIn, bindUnary } from './scalarOperators.ts';
import { scalarTypeNamed } from './typeNames.ts';

/** Binds an expression. Reports an invalid expression, and returns an expression of kind `error`. */
export function bindExpression(node: syntax.Expression, scope: Scope): BoundExpression {
  switch (node.kind) {
    case 'Literal':
      return bindConstant(node);
    case 'DynamicLiteral':
      return bindDynamic(node, scope);
    case 'TypeLiteral': {
      const of = scalarTypeNamed(node.type, scope.binder);
      return { kind: 'typeof', of, type: 'unknown', start: node.start, end: node.end };
    }
    case 'NameReference':
      return bindName(node, scope);
    case 'Star':
      return { kind: 'star', type: 'unknown', start: node.start, end: node.end };
    case 'Unary':
      return bindUnary(node, scope);
    case 'Binary':
      return bindBinary(node, scope);
    case 'InExpression':
      return bindIn(node, scope);
    case 'Between':
      return bindBetween(node, scope);
    case 'Call':
      return bindCall(node, scope);
    case 'NamedArgument': {
      const value = bindExpression(node.value, scope);
      const { start, end } = node;
      return { kind: 'named', name: node.name.name, value, type: value.type, start, end };
    }
    case 'Member':
    case 'Index':
    case 'Slice':
      return bindPath(node, scope);
    case 'Parenthesized':
      return bindExpression(node.expression, scope);
    case 'Subquery': {
      const pipeline = bindPipeline(node.pipeline, scope.binder);
      const type: ScalarType = pipeline.columns.list[0]?.type ?? 'unknown';
      return { kind: 'subquery', pipeline, type, start: node.start, end: node.end };
    }
    case 'Missing':
      return unbound(node);
  }
}

export function unwrap(node: syntax.Expression): syntax.Expression {
  let inner = node;
  while (inner.kind === 'Parenthesized') inner = inner.expression;
  return inner;
}
