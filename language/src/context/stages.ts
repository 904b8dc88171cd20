/** Finds the stage at the cursor, its operator's name and its input columns. */
import { partitionPoint } from '../append.ts';
import type { BoundQuery, BoundStage, Columns } from '../binding/bound.ts';
import { anyColumns } from '../binding/columns.ts';
import { type Level, type Place, textAt } from './place.ts';

export function operatorLength(place: Place, tokens: readonly number[]): number {
  let length = Math.min(1, tokens.length);
  while (isDash(place, tokens, length) && place.tokens[tokens[length + 1] ?? -1]?.kind === 'word') {
    length += 2;
  }
  return length;
}

function isDash(place: Place, tokens: readonly number[], at: number): boolean {
  if (at === 0 || textAt(place, tokens[at]) !== '-') return false;
  const dash = place.tokens[tokens[at] as number];
  return dash?.start === place.tokens[tokens[at - 1] as number]?.end;
}

/** Returns whether the offset is in the operator's name, including a dash at its end. */
export function endsInOperator(place: Place, tokens: readonly number[], length: number): boolean {
  if (tokens.length === 0) return true;
  const dash = place.tokens[tokens[length] ?? -1];
  return (
    tokens.length === length + 1 &&
    isDash(place, tokens, length) &&
    dash?.end === place.replace.start
  );
}

export function stageAt(bound: BoundQuery, place: Place): BoundStage | undefined {
  const pipe = place.tokens[(place.levels.at(-1) as Level).opener];
  if (!place.inStage || pipe === undefined) return undefined;
  const { stages } = bound;
  const stage = stages[partitionPoint(stages, ({ start }) => start < pipe.start)];
  return stage?.start === pipe.start ? stage : undefined;
}

export function columnsAt(bound: BoundQuery, place: Place): Columns {
  return stageAt(bound, place)?.input ?? anyColumns;
}
