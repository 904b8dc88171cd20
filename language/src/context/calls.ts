/** The call whose arguments an offset stands in, for signature help and for what an argument takes. */
import { functionNamed } from '../catalog/index.ts';
import { parameterAt, takes } from '../catalog/signatures.ts';
import type { FunctionRow, Parameter } from '../catalog/types.ts';
import type { Token } from '../syntax/tokens.ts';
import { type Level, type Place, textAt } from './place.ts';

export interface CallSlot {
  readonly name: string;
  /** The catalog's row, when the function is known. */
  readonly row?: FunctionRow;
  /** The offset of its opening bracket. */
  readonly opening: number;
  /** The index of the argument at the offset. */
  readonly argument: number;
  /** How many arguments there are, those behind the offset included; the one at the offset may be empty. */
  readonly count: number;
  /** The parameter that the argument belongs to. */
  readonly parameter?: Parameter;
}

/** The call that a level is the arguments of, when its bracket opens some. */
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
  return { name, row, opening, argument, count, ...(parameter === undefined ? {} : { parameter }) };
}

/** How far behind the place the rest of a call is looked through. */
const farthest = 2_000;

/** The commas between the place and the bracket that closes the level; none where no bracket does. */
function commasBehind(place: Place, level: Level): number {
  // Levels further in close first.
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

/** The name before an opening bracket; a word with a space behind it is a call only if a function has that name. */
function calledName(place: Place, level: Level): string | undefined {
  if (textAt(place, level.opener) !== '(') return undefined;
  const token = place.tokens[level.opener - 1];
  if (token?.kind !== 'word') return undefined;
  const name = textAt(place, level.opener - 1);
  const touches = token.end === place.tokens[level.opener]?.start;
  return functionNamed(name) !== undefined || (touches && !listWords.has(name)) ? name : undefined;
}

/** Words that a list or bounds in brackets follow. */
const listWords: ReadonlySet<string> = new Set([
  'and',
  'between',
  'by',
  'has_any',
  'has_any_cs',
  'in',
  'join',
  'lookup',
  'on',
  'or',
  'query_parameters',
  'union',
  'where',
  'with',
]);

/** The innermost call around the offset, through brackets that only group. */
export function callAround(place: Place): CallSlot | undefined {
  for (const level of place.levels.slice(0, -1)) {
    const call = callOf(place, level);
    if (call !== undefined) return call;
  }
  return undefined;
}
