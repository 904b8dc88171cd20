/**
 * Lints for case: `tolower(x)` and `toupper(x)` with an operator that ignores case or has a variant that does, or
 * compared with a value that never matches.
 */
import type { BoundExpression } from '../binding/bound.ts';
import type { Edit, Fix } from '../edits.ts';
import {
  type Binary,
  type Call,
  isText,
  type Linter,
  operatorSpan,
  report,
  shown,
} from './linter.ts';

/** Case-sensitive operators and their case-insensitive variants. */
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

/** Returns the call if an operand is a call of `tolower` or `toupper`. */
function casing(expression: BoundExpression): Call | undefined {
  if (expression.kind !== 'call' || expression.arguments.length !== 1) return undefined;
  return expression.name === 'tolower' || expression.name === 'toupper' ? expression : undefined;
}

export function lintCase(linter: Linter, node: Binary): void {
  const left = casing(node.left);
  const right = casing(node.right);
  const call = left ?? right;
  if (call === undefined) return;
  const calls = [left, right].filter((one) => one !== undefined);
  if (mindsNoCase.has(node.operator)) {
    const values = { operator: node.operator, function: `${call.name}()` };
    report(linter, 'needless-case', call, values, unwrapped(calls));
    return;
  }
  const operator = caseless.get(node.operator);
  if (operator === undefined) return;
  const other = call === left ? node.right : node.left;
  // Report only a literal or a second call. Any other operand may already have this case.
  if (!isText(other) && calls.length < 2) return;
  const { start, end } = operatorSpan(linter, node);
  const change = { start, end, text: operator };
  compare(linter, call, calls, operator, [other], change, node);
}

export function lintCaseOfList(
  linter: Linter,
  node: Extract<BoundExpression, { readonly kind: 'in' }>,
): void {
  const call = casing(node.left);
  if (call === undefined || node.items.length === 0 || !node.items.every(isText)) return;
  if (mindsNoCase.has(node.operator)) {
    const values = { operator: node.operator, function: `${call.name}()` };
    report(linter, 'needless-case', call, values, unwrapped([call]));
    return;
  }
  const operator = caseless.get(node.operator);
  if (operator === undefined) return;
  const at = linter.text.indexOf(node.operator, call.end);
  const change = { start: at, end: at + node.operator.length, text: operator };
  compare(linter, call, [call], operator, node.items, change, node);
}

function compare(
  linter: Linter,
  call: Call,
  calls: readonly Call[],
  operator: string,
  others: readonly BoundExpression[],
  change: Edit,
  node: BoundExpression,
): void {
  const fix = unwrapped(calls, change, operator);
  const wrong = others.find((other) => isText(other) && other.value !== cased(call, other.value));
  if (wrong === undefined) {
    const values = { operator, function: `${call.name}()` };
    report(linter, 'caseless-operator', node, values, fix);
    return;
  }
  const values = { function: `${call.name}()`, literal: shown(linter, wrong), operator };
  report(linter, 'case-mismatch', wrong, values, fix);
}

function cased(call: Call, text: string): string {
  return call.name === 'tolower' ? text.toLowerCase() : text.toUpperCase();
}

/** Returns a fix that replaces the calls with their arguments, and changes the operator if `change` is given. */
function unwrapped(calls: readonly Call[], change?: Edit, operator?: string): Fix {
  const edits: Edit[] = change === undefined ? [] : [change];
  for (const {
    start,
    end,
    arguments: [argument],
  } of calls) {
    if (argument === undefined) continue;
    edits.push({ start, end: argument.start, text: '' }, { start: argument.end, end, text: '' });
  }
  const names = [...new Set(calls.map(({ name }) => `${name}()`))].join(' and ');
  const title = operator === undefined ? `Remove ${names}` : `Use ${operator} without ${names}`;
  return { title, edits };
}
