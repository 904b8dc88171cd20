/** Simplifies comparisons: `=~` instead of a lowercased string, `between` instead of two bounds. */
import { replace } from '../edits.ts';
import type { Expression } from '../syntax/tree.ts';
import { constantText, loweredOperand } from './loweredText.ts';
import { hasComment, type Place, type Refactoring, rewrite, textOf } from './refactoring.ts';

const ignoringCase: ReadonlyMap<string, string> = new Map([
  ['==', '=~'],
  ['!=', '!~'],
  ['in', 'in~'],
  ['!in', '!in~'],
]);

/** Offers to rewrite `tolower(x) == 'abc'` as `x =~ 'abc'`. */
export function ignoreCase(place: Place): readonly Refactoring[] {
  const node = place.path.findLast(({ kind }) => kind === 'Binary' || kind === 'InExpression');
  if (node?.kind !== 'Binary' && node?.kind !== 'InExpression') return [];
  const operator = ignoringCase.get(node.operator);
  const lowered = loweredOperand(node.left);
  if (operator === undefined || lowered === undefined) return [];
  const constants = node.kind === 'Binary' ? [node.right] : node.items;
  const same = constants.every((constant) => {
    const text = constantText(constant);
    return text !== undefined && lowered.apply(text) === text;
  });
  if (!same || constants.length === 0) return [];
  if (hasComment(place.analysis.tree, node.left)) return [];
  return rewrite(
    `Compare with ${operator} instead of ${lowered.name}()`,
    replace(node.left, textOf(place, lowered.argument)),
    replace(node.operatorSpan, operator),
  );
}

/** Offers to rewrite `x >= a and x <= b` as `x between (a .. b)`. */
export function toBetween(place: Place): readonly Refactoring[] {
  const and = place.path.findLast((node) => node.kind === 'Binary' && node.operator === 'and');
  if (and?.kind !== 'Binary' || hasComment(place.analysis.tree, and)) return [];
  const [low, high] = [boundOf(place, and.left), boundOf(place, and.right)];
  if (low === undefined || high === undefined || low.of !== high.of) return [];
  const [least, most] = low.side === 'least' ? [low, high] : [high, low];
  if (least.side !== 'least' || most.side !== 'most') return [];
  const text = `${low.of} between (${textOf(place, least.value)} .. ${textOf(place, most.value)})`;
  return rewrite('Convert to between', replace(and, text));
}

interface Bound {
  readonly of: string;
  readonly side: 'least' | 'most';
  readonly value: Expression;
}

function boundOf(place: Place, node: Expression): Bound | undefined {
  if (node.kind !== 'Binary') return undefined;
  const { left, right, operator } = node;
  if (operator !== '>=' && operator !== '<=') return undefined;
  if (left.kind !== 'NameReference' || right.kind === 'Missing') return undefined;
  return { of: textOf(place, left), side: operator === '>=' ? 'least' : 'most', value: right };
}
