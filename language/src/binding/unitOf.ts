/** Determines the unit of an expression from the units of its columns. */
import type { BoundExpression } from './bound.ts';

/** Functions and aggregates that keep the unit of the first argument. */
const keepsUnit: ReadonlySet<string> = new Set([
  ...'abs avg avgif bin bin_auto ceiling coalesce floor max max_of maxif min min_of'.split(' '),
  ...'minif percentile percentileif percentiles_array percentiles_arrayif round'.split(' '),
  ...'stdev stdevif sum sumif todouble toint tolong toreal'.split(' '),
]);

/** Common conversion factors. Multiplication or division by such a factor probably changes the unit. */
const conversions: ReadonlySet<number> = new Set([
  8, 24, 60, 100, 1_000, 1_024, 3_600, 86_400, 1_048_576, 1_073_741_824, 1e6, 1e9, 1e12,
]);

export function unitOf(expression: BoundExpression): string | undefined {
  switch (expression.kind) {
    case 'column':
      return expression.column?.unit;
    case 'named':
      return unitOf(expression.value);
    case 'unary':
      return expression.operator === 'not' ? undefined : unitOf(expression.operand);
    case 'binary':
      return unitOfArithmetic(expression);
    case 'call': {
      const [first] = expression.arguments;
      return first !== undefined && keepsUnit.has(expression.name) ? unitOf(first) : undefined;
    }
    default:
      return undefined;
  }
}

type Binary = Extract<BoundExpression, { readonly kind: 'binary' }>;

function unitOfArithmetic({ operator, left, right }: Binary): string | undefined {
  const [one, other] = [unitOf(left), unitOf(right)];
  const [first, second] = [constantOf(left), constantOf(right)];
  const scales = (factor: number | undefined) => factor !== undefined && !conversions.has(factor);
  switch (operator) {
    case '+':
    case '-':
      if (one === other || second !== undefined) return one;
      return first === undefined ? undefined : other;
    case '%':
      return second === undefined ? undefined : one;
    case '*':
      return scales(second) ? one : scales(first) ? other : undefined;
    case '/':
      return scales(second) ? one : undefined;
    default:
      return undefined;
  }
}

function constantOf(expression: BoundExpression): number | undefined {
  if (expression.kind === 'unary' && expression.operator !== 'not')
    return constantOf(expression.operand);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
