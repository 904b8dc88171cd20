/** Replaces one use of a tabular let with its pipeline. */
import type { Edit } from '../edits.ts';
import type { LetStatement } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import { boundStageOf, type Place, textOf } from './refactoring.ts';

/** Returns the edit for the use at the end of a path, or undefined if a pipeline isn't allowed there. */
export function inlinedTable(
  place: Place,
  { value }: LetStatement,
  path: readonly AnyNode[],
): Edit | undefined {
  const use = path.at(-1);
  if (use === undefined) return undefined;
  const pipeline = textOf(place, value);
  const { start, end } = use;
  // A dataset name is allowed in every position that allows the let's name, so no brackets are needed.
  if (value.kind === 'NameReference') return { start, end, text: pipeline };
  // In `in (rows)`, the list's brackets enclose the pipeline.
  if (use.kind === 'NameReference') {
    const list = path.at(-2);
    const alone = list?.kind === 'InExpression' && list.items.length === 1 && list.left !== use;
    return alone && isBracketed(place, use) ? { start, end, text: pipeline } : undefined;
  }
  if (use.kind === 'DatasetPattern') return { start, end, text: `(${pipeline})` };
  const [around, owner] = [path.at(-3), path.at(-4)];
  if (use.kind !== 'Name' || path.at(-2)?.kind !== 'DatasetSource') return undefined;
  if (around?.kind !== 'Pipeline' || cutsGroups(place, value, around)) return undefined;
  const open = owner?.kind === 'QueryStatement' || owner?.kind === 'LetStatement';
  const text = open || isBracketed(place, around) ? pipeline : `(${pipeline})`;
  return { start, end, text };
}

/** Returns whether brackets directly enclose a span. */
function isBracketed({ analysis, text }: Place, { start, end }: AnyNode): boolean {
  const { tokens } = analysis.tree;
  const first = tokens.findIndex((token) => token.start >= start);
  const behind = tokens.find((token) => token.start >= end);
  const before = tokens[first - 1];
  return (
    before !== undefined &&
    behind !== undefined &&
    text.slice(before.start, before.end) === '(' &&
    text.slice(behind.start, behind.end) === ')'
  );
}

/** Returns whether a limit counts rows after the name but would count groups of a time series after inlining. */
function cutsGroups(place: Place, value: AnyNode, around: AnyNode): boolean {
  if (value.kind !== 'Pipeline' || around.kind !== 'Pipeline') return false;
  const last = value.stages.at(-1);
  const operator = last && boundStageOf(place, last)?.operator;
  const next = around.stages[0]?.operator.kind;
  return (
    operator?.kind === 'summarize' &&
    operator.timeGroup !== undefined &&
    (next === 'LimitOperator' || next === 'TopOperator')
  );
}
