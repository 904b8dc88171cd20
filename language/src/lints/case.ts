/** Lints for comparisons with `tolower(x)` or `toupper(x)`: unnecessary calls, and literals in the wrong case. */
import type { BoundExpression } from '../binding/bound.ts';
import { type Edit, type Fix, remove, replace } from '../edits.ts';
import type { Span } from '../text.ts';
import {
  type Binary,
  type Call,
  isText,
  type Linter,
  operatorSpan,
  report,
  shown,
} from './linter.ts';

const caseless: ReadonlyMap<string, string> = new Map([
  ['==', '=~'],
  ['!=', '!~'],
  ['<>', '!~'],
  ['in', 'in~'],
  ['!in', '!in~'],
  ['has_any_cs', 'has_any'],
  ...['contains', 'endswith', 'has', 'hasprefix', 'hassuffix', 'startswith'].flatMap(
    (name): [string, string][] => [
      [`${name}_cs`, name],
      [`!${name}_cs`, `!${name}`],
    ],
  ),
]);

const mindsNoCase: ReadonlySet<string> = new Set(caseless.values());

function casing(expression: BoundExpression): Call | undefined {
  if (expression.kind !== 'call' || expression.arguments.length !== 1) return undefined;
  return expression.name === 'tolower' || expression.name === 'toupper' ? expression : undefined;
}

export function lintCase(linter: Linter, node: Binary): void {
  const left = casing(node.left);
  const calls = [left, casing(node.right)].filter((call) => call !== undefined);
  if (calls.length === 0) return;
  const other = left === undefined ? node.left : node.right;
  check(linter, node, calls, [other], operatorSpan(linter, node));
}

type In = Extract<BoundExpression, { readonly kind: 'in' }>;

export function lintCaseOfList(linter: Linter, node: In): void {
  const call = casing(node.left);
  if (call === undefined || node.items.length === 0 || !node.items.every(isText)) return;
  const start = linter.text.indexOf(node.operator, call.end);
  check(linter, node, [call], node.items, { start, end: start + node.operator.length });
}

function check(
  linter: Linter,
  node: Binary | In,
  calls: readonly Call[],
  others: readonly BoundExpression[],
  operatorAt: Span,
): void {
  const call = calls[0] as Call;
  const name = `${call.name}()`;
  if (mindsNoCase.has(node.operator)) {
    const values = { operator: node.operator, function: name };
    report(linter, 'needless-case', call, values, unwrapped(calls));
    return;
  }
  const operator = caseless.get(node.operator);
  // Report only if every operand is a literal or a case conversion, because the case of other operands is unknown.
  if (operator === undefined || (calls.length < 2 && !others.every(isText))) return;
  const fix = unwrapped(calls, replace(operatorAt, operator));
  const wrong = others.find((other) => isText(other) && other.value !== cased(call, other.value));
  if (wrong === undefined) {
    report(linter, 'caseless-operator', node, { operator, function: name }, fix);
    return;
  }
  const values = { function: name, literal: shown(linter, wrong), operator };
  report(linter, 'case-mismatch', wrong, values, fix);
}

function cased(call: Call, text: string): string {
  return call.name === 'tolower' ? text.toLowerCase() : text.toUpperCase();
}

function unwrapped(calls: readonly Call[], change?: Edit): Fix {
  const names = [...new Set(calls.map(({ name }) => `${name}()`))].join(' and ');
  const edits = calls.flatMap(({ start, end, arguments: [argument] }) =>
    argument === undefined ? [] : [remove(start, argument.start), remove(argument.end, end)],
  );
  if (change === undefined) return { title: `Remove ${names}`, edits };
  return { title: `Use ${change.text} without ${names}`, edits: [change, ...edits] };
}
