/** Adds a `sort` after the stage that makes a column, and converts `sort` with `take` to and from `top`. */
import { itemsOf } from '../binding/visit.ts';
import { insert, replace } from '../edits.ts';
import { quoteName } from '../names.ts';
import { factsOfNode } from '../operators/facts.ts';
import type { Operator, Stage } from '../syntax/tree.ts';
import {
  boundStageOf,
  commentEnd,
  gapAt,
  hasComment,
  neighbour,
  newLineAt,
  type Place,
  type Refactoring,
  rewrite,
  stageOf,
  textOf,
} from './refactoring.ts';

/** Returns whether an operator sets the row order or groups the rows, so that a sort before it is rarely useful. */
function endsOrder(operator: Operator): boolean {
  const { rows, order } = factsOfNode(operator);
  return order === 'set' || rows === 'grouped';
}

export function sortBy(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage === undefined) return [];
  const name = columnAt(place, stage);
  const next = neighbour(place, 1);
  if (name === undefined || factsOfNode(stage.operator).order === 'set') return [];
  if (next !== undefined && endsOrder(next.operator)) return [];
  const { text } = place;
  const column = quoteName(name);
  const end = commentEnd(text, stage.end);
  // If a comment ends the line, the new stage must start on the next line.
  const line = end > stage.end ? newLineAt(text, stage.start) : gapAt(text, stage);
  return rewrite(`Sort by ${column} desc`, insert(end, `${line}| sort by ${column} desc`));
}

function columnAt(place: Place, stage: Stage): string | undefined {
  const bound = boundStageOf(place, stage);
  if (bound === undefined) return undefined;
  const { span, analysis } = place;
  const { operator, output } = bound;
  // Exclude the aggregates of a make-series, because they are arrays.
  const items = operator.kind === 'make-series' ? operator.groups : itemsOf(operator);
  const item = items.find(({ start, end }) => start <= span.start && span.end <= end);
  // Don't offer to sort by an invalid expression, because the expression's column name is unknown.
  if (item !== undefined && !item.named && item.expression.kind === 'error') return undefined;
  const named = analysis.bound.references.find(
    ({ start, end, meaning }) =>
      meaning.kind === 'column' && start <= span.start && span.end <= end,
  );
  const name = item?.name ?? named?.name;
  return output.list.some((column) => column.name === name) ? name : undefined;
}

/** Offers to convert `sort by x | take n` to `top n by x`, and back. */
export function sortAndTake(place: Place): readonly Refactoring[] {
  const stage = stageOf(place);
  if (stage === undefined) return [];
  if (stage.operator.kind === 'TopOperator') {
    const { count, keys, keyword } = stage.operator;
    const [first] = keys;
    if (first === undefined || hasComment(place.analysis.tree, stage)) return [];
    const written = keys.map((key) => textOf(place, key)).join(', ');
    const text = `sort by ${written}${gapAt(place.text, stage)}| take ${textOf(place, count)}`;
    const edit = { start: keyword.start, end: stage.operator.end, text };
    return rewrite('Convert to sort and take', edit);
  }
  return toTop(place, stage);
}

function toTop(place: Place, stage: Stage): readonly Refactoring[] {
  const [sort, take] =
    stage.operator.kind === 'LimitOperator'
      ? [neighbour(place, -1), stage]
      : [stage, neighbour(place, 1)];
  if (sort?.operator.kind !== 'SortOperator' || take?.operator.kind !== 'LimitOperator') return [];
  const { keys } = sort.operator;
  const span = { start: sort.operator.start, end: take.end };
  if (keys.length === 0 || hasComment(place.analysis.tree, span)) return [];
  const written = keys.map((key) => textOf(place, key)).join(', ');
  const text = `top ${textOf(place, take.operator.count)} by ${written}`;
  return rewrite('Convert to top', replace(span, text));
}
