/**
 * What may stand at an offset of a query: the question behind completion and signature help. It is
 * asked of half-typed text, so the answer comes from the tokens before the offset, and from the bound
 * stages for the columns there.
 */
import type { BoundQuery } from './binding/bound.ts';
import { anyColumns, noColumns } from './binding/columns.ts';
import type { WordRow } from './catalog/types.ts';
import { type Context, nothing } from './context/answer.ts';
import { type CallSlot, callAround, callOf } from './context/calls.ts';
import { comparedColumn, inExpression } from './context/inExpression.ts';
import { inSlots } from './context/inOperator.ts';
import { type InString, type Level, type Place, placeAt, textAt } from './context/place.ts';
import { operatorSlots, statementSlots } from './context/slots.ts';
import { columnsAt, endsInOperator, operatorLength, stageAt } from './context/stages.ts';

export type { Context } from './context/answer.ts';
export type { CallSlot } from './context/calls.ts';

/** What may stand at `offset` of the bound query's text. */
export function contextAt(bound: BoundQuery, offset: number): Context {
  const found = placeAt(bound.tree, offset);
  if ('kind' in found) return found.kind === 'string' ? inString(bound, found) : nothing;
  return found.inStage ? inStage(bound, found) : inStatement(found);
}

/** The call whose arguments the offset stands in, also inside one of its texts or numbers. */
export function callAt(bound: BoundQuery, offset: number): CallSlot | undefined {
  const found = placeAt(bound.tree, offset);
  if (!('kind' in found)) return callAround(found);
  return found.kind === 'string' ? callAround(found.place) : undefined;
}

function inString(bound: BoundQuery, { token, place }: InString): Context {
  const [level] = place.levels as readonly [Level, ...Level[]];
  const verbatim = place.text.charAt(token.start) === '@' ? 1 : 0;
  const closed = token.flaw === undefined ? 1 : 0;
  const replace = { start: token.start + 1 + verbatim, end: token.end - closed };
  const values = callOf(place, level)?.parameter?.values ?? [];
  const compared = comparedColumn(place, level.tokens, columnsAt(bound, place));
  if (values.length === 0 && compared === undefined) return nothing;
  return { kind: 'text', replace, values, ...(compared === undefined ? {} : { compared }) };
}

// ── Statements and sources ────────────────────────────────────────────────────────────────────────

function inStatement(place: Place): Context {
  const outer = place.levels.at(-1) as Level;
  const { replace } = place;
  const word = textAt(place, outer.tokens[0]);
  if (outer.tokens.length === 0) {
    // A pipeline may also start inside brackets.
    if (place.levels.length === 1) return { kind: 'source', replace, statements: true };
    return startOfBrackets(place) ? { kind: 'source', replace, statements: false } : nothing;
  }
  if (word === 'let') return inLet(place, outer);
  if (word === 'set') return { kind: 'word', replace, words: [stricttypes] };
  const slots = statementSlots.get(word);
  if (slots === undefined) return nothing;
  return inSlots(place, word, slots, outer.tokens.slice(1), {
    columns: word === 'search' ? anyColumns : noColumns,
  });
}

const stricttypes: WordRow = {
  name: 'stricttypes',
  summary: 'Refuse values of a type other than the one that is asked for.',
};

function startOfBrackets(place: Place): boolean {
  return place.levels.slice(0, -1).every((level) => {
    return textAt(place, level.opener) === '(' && level.tokens.length === 0;
  });
}

/** `let name = `: a value or a table. */
function inLet(place: Place, outer: Level): Context {
  const equals = outer.tokens.findIndex((index) => textAt(place, index) === '=');
  if (equals < 0) return nothing;
  const tokens = outer.tokens.slice(equals + 1);
  const word = textAt(place, tokens[0]);
  const slots = statementSlots.get(word);
  if (slots !== undefined && word !== 'table') {
    return inSlots(place, word, slots, tokens.slice(1), { columns: noColumns });
  }
  return inExpression(place, 'constant', tokens, { columns: noColumns, tables: true });
}

function inStage(bound: BoundQuery, place: Place): Context {
  const outer = place.levels.at(-1) as Level;
  const columns = columnsAt(bound, place);
  const length = operatorLength(place, outer.tokens);
  if (place.levels.length === 1 && endsInOperator(place, outer.tokens, length)) {
    const first = outer.tokens[0];
    const start = first === undefined ? place.replace.start : place.tokens[first]?.start;
    const replace = { start: start ?? place.replace.start, end: place.replace.end };
    return { kind: 'operator', replace, columns };
  }
  const name = outer.tokens
    .slice(0, length)
    .map((index) => textAt(place, index))
    .join('');
  const slots = operatorSlots.get(name) ?? { first: 'expression' };
  const right = stageAt(bound, place)?.operator;
  return inSlots(place, name, slots, outer.tokens.slice(length), {
    columns,
    ...(right?.kind === 'join' ? { right: right.right.columns } : {}),
  });
}
