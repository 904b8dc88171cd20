/** Finds the call whose argument list contains an offset, for signature help and completion. */
import { functionNamed } from '../catalog/index.ts';
import { parameterAt, takes } from '../catalog/signatures.ts';
import type { FunctionRow, Parameter } from '../catalog/types.ts';
import { defined } from '../defined.ts';
import type { Token } from '../syntax/tokens.ts';
import { type Level, type Place, textAt } from './place.ts';

export interface CallSlot {
  readonly name: string;
  readonly row?: FunctionRow;
  readonly opening: number;
  readonly argument: number;
  /**
   * The number of arguments, including an empty argument at the offset. If the bracket isn't closed, arguments after
   * the offset don't count.
   */
  readonly count: number;
  readonly parameter?: Parameter;
}

export function callOf(place: Place, level: Level): CallSlot | undefined {
  const name = calledName(place, level);
  if (name === undefined) return undefined;
  const argument = level.tokens.filter((index) => textAt(place, index) === ',').length;
  const row = functionNamed(name);
  const opening = (place.tokens[level.opener] as Token).start;
  const count = argument + 1 + commasBehind(place, level);
  if (row === undefined) return { name, opening, argument, count };
  const signature = row.signatures.find((one) => takes(one, count)) ?? row.signatures[0];
  const parameter = signature === undefined ? undefined : parameterAt(signature, argument, count);
  return { name, row, opening, argument, count, ...defined({ parameter }) };
}

const farthest = 2_000;

/** Returns the number of commas after the cursor in the call, or 0 if the call isn't closed. */
function commasBehind(place: Place, level: Level): number {
  // Skip the closing brackets of the levels inside this one.
  let depth = place.levels.indexOf(level);
  let commas = 0;
  const last = Math.min(place.tokens.length, place.next + farthest);
  for (let index = place.next; index < last; index++) {
    if (place.tokens[index]?.kind !== 'punctuation') continue;
    const text = textAt(place, index);
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') {
      if (depth === 0) return commas;
      depth--;
    } else if (text === ',' && depth === 0) commas++;
    else if ((text === '|' || text === ';') && depth === 0) return 0;
  }
  return 0;
}

/** Returns the name before an opening bracket. A name before whitespace must be a known function. */
function calledName(place: Place, level: Level): string | undefined {
  if (textAt(place, level.opener) !== '(') return undefined;
  const token = place.tokens[level.opener - 1];
  if (token?.kind !== 'word') return undefined;
  const name = textAt(place, level.opener - 1);
  const touches = token.end === place.tokens[level.opener]?.start;
  return functionNamed(name) !== undefined || (touches && !listWords.has(name)) ? name : undefined;
}

/** Words before brackets that don't contain arguments, such as `in`. */
const listWords: ReadonlySet<string> = new Set([
  ...'and between by has_any has_any_cs in join lookup on or query_parameters union'.split(' '),
  ...'where with'.split(' '),
]);

/** Returns the innermost call around the offset. Ignores grouping brackets. */
export function callAround(place: Place): CallSlot | undefined {
  for (const level of place.levels.slice(0, -1)) {
    const call = callOf(place, level);
    if (call !== undefined) return call;
  }
  return undefined;
}
