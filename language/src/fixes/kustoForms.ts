/** Rewrites Kusto conditions that APL doesn't support as equivalent APL conditions. */
import { exact, type Fix, replace, surround } from '../edits.ts';
import { inQuotes } from '../names.ts';
import type { Problem } from '../problems.ts';
import type { Between, Binary, InExpression, QueryTree } from '../syntax/tree.ts';
import { walk } from '../syntax/visit.ts';
import { likeInstead } from './likePattern.ts';

/**
 * Rewrites negated conditions except `!has_all` as `not(…)`, `x has_all (a, b)` as `(x has a and x has b)`, and `like` as
 * an operator without wildcards.
 */
export function conditionsInstead({ statements, text }: QueryTree, problem: Problem): Fix[] {
  let found: Between | InExpression | Binary | undefined;
  walk(statements, (node) => {
    if (node.kind !== 'Between' && node.kind !== 'InExpression' && node.kind !== 'Binary') return;
    if (node.operatorSpan.start === problem.start) found = node;
  });
  if (found === undefined) return [];
  if (found.kind === 'Binary') return likeFix(found);
  const { operator, operatorSpan, left } = found;
  if (operator === 'has_all' && found.kind === 'InExpression') {
    const subject = text.slice(left.start, left.end);
    const terms = found.items.map((item) => `${subject} has ${text.slice(item.start, item.end)}`);
    const joined = terms.length === 1 ? (terms[0] as string) : `(${terms.join(' and ')})`;
    return exact([{ title: 'Use one has for each term', edits: [replace(found, joined)] }]);
  }
  if (!operator.startsWith('!') || operator === '!has_all') return [];
  const edits = [...surround(found, 'not(', ')'), replace(operatorSpan, operator.slice(1))];
  return exact([{ title: `Use not(… ${operator.slice(1)} …)`, edits }]);
}

function likeFix({ operator, operatorSpan, right }: Binary): Fix[] {
  if (right.kind !== 'Literal' || typeof right.value !== 'string') return [];
  const instead = likeInstead(operator, right.value);
  if (instead === undefined) return [];
  const edits = [replace({ start: operatorSpan.start, end: right.end }, instead)];
  return [{ title: `Replace with ${inQuotes(instead)}`, edits }];
}
