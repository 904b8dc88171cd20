/** Lints for null comparisons, `==` instead of `=`, integer division, and conversions to the same type. */
import type { BoundExpression, NamedExpression } from '../binding/bound.ts';
import { describeType } from '../binding/types.ts';
import type { ScalarType } from '../catalog/types.ts';
import { remove, replace, surround } from '../edits.ts';
import {
  type Binary,
  type Call,
  type ColumnUse,
  type Linter,
  operatorSpan,
  report,
  written,
} from './linter.ts';

const equalities: ReadonlySet<string> = new Set(['==', '!=', '<>', '=~', '!~']);

/** Reports comparisons with null, because the documentation of `x == null` is inconsistent. Suggests `isnull()`. */
export function lintNull(linter: Linter, node: Binary): void {
  if (!equalities.has(node.operator)) return;
  const onRight = isNull(linter, node.right);
  if (!onRight && !isNull(linter, node.left)) return;
  const subject = onRight ? node.left : node.right;
  const test = node.operator === '==' || node.operator === '=~' ? 'isnull' : 'isnotnull';
  const instead = `${test}(${written(linter, subject)})`;
  // Operand spans exclude surrounding brackets, so offer no fix if a replacement could leave brackets unbalanced.
  const bare = !/[()]/.test(
    linter.text.slice(node.left.end, node.right.start) +
      linter.text.slice(node.start, node.left.start) +
      linter.text.slice(node.right.end, node.end),
  );
  report(linter, 'null-comparison', node, { instead }, bare ? instead : undefined);
}

function isNull(linter: Linter, expression: BoundExpression): boolean {
  return (
    expression.kind === 'literal' &&
    expression.value === null &&
    /^(\w+\s*\(\s*)?null\s*\)?$/.test(written(linter, expression))
  );
}

/** Reports a comparison that was probably meant as an assignment, as in `extend method == 'x'`. */
export function lintComparisons(linter: Linter, items: readonly NamedExpression[]): void {
  for (const { name, named, expression, start, end } of items) {
    if (named || expression.kind !== 'binary' || expression.operator !== '==') continue;
    if (expression.left.kind !== 'column') continue;
    if (expression.start !== start || expression.end !== end) continue;
    const edits = [replace(operatorSpan(linter, expression), '=')];
    const fix = { title: "Replace '==' with '='", edits };
    report(linter, 'comparison-as-column', expression, { column: name }, fix);
  }
}

const counts: ReadonlySet<string> = new Set(['count', 'countif', 'dcount', 'dcountif']);

/** Returns whether an expression is a count, or a computed integer column, because most such columns are counts. */
function isCount(expression: BoundExpression): boolean {
  if (expression.type !== 'long') return false;
  if (expression.kind === 'call') return counts.has(expression.name);
  return expression.kind === 'column' && expression.column?.dataset === undefined;
}

/** Reports integer division of counts. The documentation writes `100.0 * a / b` to avoid it. */
export function lintQuotient(linter: Linter, node: Binary): void {
  const { left, right } = node;
  if (!isCount(left) || !isCount(right)) return;
  const title = 'Convert the left operand with todouble()';
  const fix = { title, edits: surround(left, 'todouble(', ')') };
  report(linter, 'whole-division', node, {}, fix);
}

/** Conversions and their result types. `tostring` is excluded, because it converts null to an empty string. */
const conversions: ReadonlyMap<string, ScalarType> = new Map([
  ['tobool', 'bool'],
  ['todatetime', 'datetime'],
  ['todouble', 'real'],
  ['toint', 'long'],
  ['tolong', 'long'],
  ['toreal', 'real'],
  ['totimespan', 'timespan'],
]);

/** Reports a conversion of a value to its own type, which the performance documentation advises against. */
export function lintConversion(linter: Linter, call: Call): void {
  const type = conversions.get(call.name);
  const [value] = call.arguments;
  if (type === undefined || value?.type !== type || call.arguments.length !== 1) return;
  // Report only columns. Converting a literal is intentional.
  if (value.kind !== 'column' || isComputedTime(linter, value)) return;
  // Don't report if removing the call would leave a bare column where an aggregate is expected.
  linter.starts ??= new Set(linter.bound.problems.map(({ start }) => start));
  if (linter.starts.has(value.start)) return;
  const name = `${call.name}()`;
  const edits = [remove(call.start, value.start), remove(value.end, call.end)];
  const fix = { title: `Remove ${name}`, edits };
  report(linter, 'needless-conversion', call, { type: describeType(type), name }, fix);
}

/**
 * Returns whether a column is a datetime or timespan computed by an aggregate. According to users, the service returns
 * some of these columns, such as `max(_time)`, as numbers of nanoseconds, so converting them is necessary.
 */
function isComputedTime(linter: Linter, { column }: ColumnUse): boolean {
  if (column?.type !== 'datetime' && column?.type !== 'timespan') return false;
  linter.aggregates ??= new Set(
    linter.bound.stages.flatMap(({ operator, output }) => {
      if (operator.kind !== 'summarize') return [];
      const names = new Set(operator.aggregates.flatMap((item) => item.columns ?? [item.name]));
      return output.list.filter(({ name }) => names.has(name));
    }),
  );
  return linter.aggregates.has(column);
}
