/** Splits `where a and b` and merges two `where` stages. The rows stay the same, because null counts as false. */
import { type Edit, replace, surround } from '../edits.ts';
import type { WhereOperator } from '../operators/where.ts';
import type { Binary, Expression, Stage } from '../syntax/tree.ts';
import { hasLineBreak } from '../syntax/trivia.ts';
import {
  gapAt,
  hasComment,
  neighbour,
  type Place,
  type Refactoring,
  rewrite,
  stageOf,
} from './refactoring.ts';

export function splitWhere(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage?.operator.kind !== 'WhereOperator') return [];
  const ands: Binary[] = [];
  collectAnds(stage.operator.predicate, ands);
  if (ands.length === 0) return [];
  const edits = ands.map((and) => splitAt(place, stage, and));
  return rewrite(`Split into ${ands.length + 1} where stages`, ...edits);
}

/** Collects the `and` nodes of a condition, except those inside brackets. */
function collectAnds(node: Expression, found: Binary[]): void {
  if (node.kind !== 'Binary' || node.operator !== 'and') return;
  collectAnds(node.left, found);
  found.push(node);
  collectAnds(node.right, found);
}

function splitAt(place: Place, stage: Stage, { left, right, operatorSpan }: Binary): Edit {
  const { text, analysis } = place;
  const gap = { start: left.end, end: right.start };
  // Keep existing line breaks and comments by replacing only the operator.
  if (hasLineBreak(text, gap) || hasComment(analysis.tree, gap)) {
    return replace(operatorSpan, '| where');
  }
  return replace(gap, `${gapAt(text, stage)}| where `);
}

export function joinWheres(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage?.operator.kind !== 'WhereOperator') return [];
  const next = neighbour(place, 1);
  const above = neighbour(place, -1);
  if (next?.operator.kind === 'WhereOperator') {
    return joined(place, stage.operator, next, next.operator, 'following');
  }
  if (above?.operator.kind === 'WhereOperator') {
    return joined(place, above.operator, stage, stage.operator, 'preceding');
  }
  return [];
}

function joined(
  { analysis }: Place,
  first: WhereOperator,
  stage: Stage,
  second: WhereOperator,
  neighbour: 'following' | 'preceding',
): readonly Refactoring[] {
  const gap = { start: first.predicate.end, end: second.predicate.start };
  const kept = hasComment(analysis.tree, gap);
  const between = kept ? { start: stage.pipe.start, end: second.keyword.end } : gap;
  return rewrite(
    `Merge with the ${neighbour} where`,
    ...bracketed(first.predicate),
    replace(between, kept ? 'and' : ' and '),
    ...bracketed(second.predicate),
  );
}

function bracketed(predicate: Expression): Edit[] {
  const isOr = predicate.kind === 'Binary' && predicate.operator === 'or';
  return isOr ? surround(predicate, '(', ')') : [];
}
