/** Lints for numbers in operators: invalid row counts, invalid ratios, and time steps without a unit. */
import type { BoundExpression, BoundOperator } from '../binding/bound.ts';
import { isTime, type Linter, numberOf, report, shown, written } from './linter.ts';

export function lintNumbers(linter: Linter, operator: BoundOperator): void {
  switch (operator.kind) {
    case 'limit':
    case 'top': {
      const isCount = (value: number) => value >= 0 && Number.isInteger(value);
      checkNumber(linter, operator, operator.count, isCount, 'a non-negative integer');
      break;
    }
    case 'sample':
      checkNumber(linter, operator, operator.ratio, (value) => value > 0, 'a ratio greater than 0');
      break;
    case 'make-series':
      if (isTime(operator.on)) checkStep(linter, operator.step);
  }
}

function checkNumber(
  linter: Linter,
  { keyword }: BoundOperator,
  expression: BoundExpression,
  fits: (value: number) => boolean,
  expected: string,
): void {
  const value = numberOf(expression);
  if (value === undefined || fits(value)) return;
  const values = { name: written(linter, keyword), expected, number: shown(linter, expression) };
  report(linter, 'impossible-number', expression, values);
}

/** Reports a time series step that is a plain number, such as `step 5`. */
function checkStep(linter: Linter, step: BoundExpression | undefined): void {
  if (step === undefined || numberOf(step) === undefined) return;
  const example = `${shown(linter, step)}s`;
  report(linter, 'bin-width', step, { example }, example);
}
