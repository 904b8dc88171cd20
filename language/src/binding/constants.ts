/** Binds typed literals and `dynamic(…)` values, which may contain expressions. */
import { scalarTypeOf } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Scope } from './binder.ts';
import type { BoundExpression, DynamicConstant } from './bound.ts';
import { bindExpression } from './expressions.ts';

export function bindConstant(node: syntax.Literal): BoundExpression {
  const { start, end } = node;
  // Bind an invalid literal as null. The parser has already reported it.
  const value = node.value ?? null;
  return { kind: 'literal', value, type: literalType(node), start, end };
}

function literalType(node: syntax.Literal): ScalarType {
  if (node.type !== 'null') return node.type;
  return node.nullOf === undefined ? 'unknown' : (scalarTypeOf(node.nullOf) ?? 'unknown');
}

export function bindDynamic(node: syntax.DynamicLiteral, scope: Scope): BoundExpression {
  const constant = constantOf(node.value);
  if (constant !== undefined) {
    return {
      kind: 'dynamic',
      value: constant.value,
      type: 'dynamic',
      start: node.start,
      end: node.end,
    };
  }
  return bindDynamicValue(node.value, node, scope);
}

/** Returns a constant's value in an object, because the value may be null. */
function constantOf(value: syntax.DynamicValue): { value: DynamicConstant } | undefined {
  switch (value.kind) {
    case 'scalar': {
      const { expression } = value;
      if (expression.kind === 'Unary' && expression.operator === '-') {
        const operand = constantOf({ kind: 'scalar', expression: expression.operand });
        if (typeof operand?.value === 'bigint' || typeof operand?.value === 'number') {
          return { value: -operand.value };
        }
        return undefined;
      }
      if (expression.kind === 'DynamicLiteral') return constantOf(expression.value);
      if (expression.kind !== 'Literal' || !isJson(expression.type)) return undefined;
      return { value: expression.value ?? null };
    }
    case 'array': {
      const items: DynamicConstant[] = [];
      for (const item of value.items) {
        const constant = constantOf(item);
        if (constant === undefined) return undefined;
        items.push(constant.value);
      }
      return { value: items };
    }
    case 'bag': {
      const entries: [string, DynamicConstant][] = [];
      for (const entry of value.entries) {
        const constant = constantOf(entry.value);
        // An object would move numeric keys to the front, so a bag with such a key isn't treated as a constant.
        if (constant === undefined || /^\d/.test(entry.key)) return undefined;
        entries.push([entry.key, constant.value]);
      }
      // Object.fromEntries makes every key an own property, including `__proto__`.
      return { value: Object.fromEntries(entries) };
    }
  }
}

/** Returns whether JSON can represent the type's values. */
function isJson(type: syntax.LiteralType): boolean {
  return type !== 'datetime' && type !== 'timespan';
}

function bindDynamicValue(
  value: syntax.DynamicValue,
  node: syntax.Node,
  scope: Scope,
): BoundExpression {
  const { start, end } = node;
  switch (value.kind) {
    case 'scalar':
      return bindExpression(value.expression, scope);
    case 'array': {
      const items = value.items.map((item) => bindDynamicValue(item, node, scope));
      return { kind: 'array', items, type: 'dynamic', start, end };
    }
    case 'bag': {
      const entries = value.entries.map((entry) => ({
        key: entry.key,
        value: bindDynamicValue(entry.value, node, scope),
      }));
      return { kind: 'bag', entries, type: 'dynamic', start, end };
    }
  }
}
