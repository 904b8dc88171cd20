/** Replaces one use of a tabular `let` statement with its pipeline. */
import { type Edit, replace } from '../edits.ts';
import type { LetStatement } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import { isLimit, isTimeSeries, type Place, textOf } from './refactoring.ts';

/** Returns the edit that inlines the use at the end of `path`. Returns undefined if this use can't be inlined. */
export function inlinedTable(
  place: Place,
  { value }: LetStatement,
  path: readonly AnyNode[],
): Edit | undefined {
  const use = path.at(-1);
  if (use === undefined) return undefined;
  const pipeline = textOf(place, value);
  // A dataset name is valid wherever a `let` name is valid, so it needs no brackets.
  if (value.kind === 'NameReference') return replace(use, pipeline);
  // In `in (rows)`, the list's brackets enclose the pipeline, so add no brackets.
  if (use.kind === 'NameReference') {
    const list = path.at(-2);
    const alone = list?.kind === 'InExpression' && list.items.length === 1 && list.left !== use;
    return alone && isBracketed(place, use) ? replace(use, pipeline) : undefined;
  }
  if (use.kind === 'DatasetPattern') return replace(use, `(${pipeline})`);
  const [around, owner] = [path.at(-3), path.at(-4)];
  if (use.kind !== 'Name' || path.at(-2)?.kind !== 'DatasetSource') return undefined;
  if (around?.kind !== 'Pipeline') return undefined;
  // Don't inline a time series if a limit follows, because the limit would count groups instead of rows.
  const last = value.kind === 'Pipeline' ? value.stages.at(-1) : undefined;
  if (isTimeSeries(place, last) && isLimit(around.stages[0])) return undefined;
  const open = owner?.kind === 'QueryStatement' || owner?.kind === 'LetStatement';
  return replace(use, open || isBracketed(place, around) ? pipeline : `(${pipeline})`);
}

function isBracketed({ analysis, text }: Place, { start, end }: AnyNode): boolean {
  const { tokens } = analysis.tree;
  const before = tokens.findLast((token) => token.start < start);
  const after = tokens.find((token) => token.start >= end);
  return text.charAt(before?.start ?? -1) === '(' && text.charAt(after?.start ?? -1) === ')';
}
