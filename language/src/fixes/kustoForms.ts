/** Rewrites Kusto conditions that APL doesn't support as equivalent APL conditions. */
import { type Fix, replace, surround } from '../edits.ts';
import type { Problem } from '../problems.ts';
import type { Between, InExpression, QueryTree } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';

/** Rewrites negated conditions except `!has_all` as `not(…)`, and `x has_all (a, b)` as `(x has a and x has b)`. */
export function conditionsInstead({ statements, text }: QueryTree, problem: Problem): Fix[] {
  let found: Between | InExpression | undefined;
  walk(statements, (node) => {
    if (node.kind !== 'Between' && node.kind !== 'InExpression') return;
    if (node.operatorSpan.start === problem.start) found = node;
  });
  if (found === undefined) return [];
  const { operator, operatorSpan, left } = found;
  if (operator === 'has_all' && found.kind === 'InExpression') {
    const subject = text.slice(left.start, left.end);
    const terms = found.items.map((item) => `${subject} has ${text.slice(item.start, item.end)}`);
    const joined = terms.length === 1 ? (terms[0] as string) : `(${terms.join(' and ')})`;
    return [{ title: 'Use one has for each term', edits: [replace(found, joined)] }];
  }
  if (!operator.startsWith('!') || operator === '!has_all') return [];
  const edits = [...surround(found, 'not(', ')'), replace(operatorSpan, operator.slice(1))];
  return [{ title: `Use not(… ${operator.slice(1)} …)`, edits }];
}
