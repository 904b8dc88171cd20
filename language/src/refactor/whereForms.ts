/**
 * Converts `where a and b` to one `where` stage for each operand, and merges two `where` stages. Both forms keep the
 * same rows, because only true passes.
 */
import type { Edit } from '../edits.ts';
import type { WhereOperator } from '../operators/where.ts';
import type { Binary, Expression, Stage } from '../syntax/tree.ts';
import { hasLineBreak } from '../syntax/trivia.ts';
import {
  hasComment,
  indentAt,
  neighbour,
  newlineOf,
  type Place,
  type Refactoring,
  stageOf,
  startsLine,
} from './refactoring.ts';

export function splitWhere(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage?.operator.kind !== 'WhereOperator') return [];
  const ands: Binary[] = [];
  collectAnds(stage.operator.predicate, ands);
  if (ands.length === 0) return [];
  const edits = ands.map((and) => splitAt(place, stage, and));
  const title = `Split into ${ands.length + 1} where stages`;
  return [{ kind: 'rewrite', title, edits }];
}

/** Collects the `and` nodes of the condition. Brackets are left alone. */
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
    return { start: operatorSpan.start, end: operatorSpan.end, text: '| where' };
  }
  const { start } = stage.pipe;
  const line = startsLine(text, start) ? newlineOf(text) + indentAt(text, start) : ' ';
  return { ...gap, text: `${line}| where ` };
}

export function joinWheres(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage?.operator.kind !== 'WhereOperator') return [];
  const next = neighbour(place, 1);
  const above = neighbour(place, -1);
  if (next?.operator.kind === 'WhereOperator') {
    return [joined(place, stage.operator, next, next.operator, 'Merge with the following where')];
  }
  if (above?.operator.kind === 'WhereOperator') {
    return [joined(place, above.operator, stage, stage.operator, 'Merge with the preceding where')];
  }
  return [];
}

function joined(
  { analysis }: Place,
  first: WhereOperator,
  stage: Stage,
  second: WhereOperator,
  title: string,
): Refactoring {
  const gap = { start: first.predicate.end, end: second.predicate.start };
  const kept = hasComment(analysis.tree, gap);
  const between = kept ? { start: stage.pipe.start, end: second.keyword.end } : gap;
  const edits = [
    ...around(first.predicate),
    { ...between, text: kept ? 'and' : ' and ' },
    ...around(second.predicate),
  ];
  return { kind: 'rewrite', title, edits };
}

/** Returns the edits that add brackets around an operand that binds less tightly than `and`. */
function around(predicate: Expression): Edit[] {
  if (predicate.kind !== 'Binary' || predicate.operator !== 'or') return [];
  const { start, end } = predicate;
  return [
    { start, end: start, text: '(' },
    { start: end, end, text: ')' },
  ];
}
