/** Finds the syntax allowed at an offset. Uses the tokens before the offset, because the text is usually incomplete. */
import type { BoundQuery, Columns } from './binding/bound.ts';
import { anyColumns, noColumns } from './binding/columns.ts';
import { operatorNamed } from './catalog/index.ts';
import { type Context, nothing } from './context/answer.ts';
import { type CallSlot, callAround, callOf } from './context/calls.ts';
import { comparedColumn, inExpression } from './context/inExpression.ts';
import { inSlots } from './context/inOperator.ts';
import { type Path, pathEndingAt } from './context/operands.ts';
import {
  type InString,
  isTerminated,
  type Level,
  type Place,
  placeAt,
  textAt,
} from './context/place.ts';
import { operatorSlots, statementSlots } from './context/slots.ts';
import { columnsAt, endsInOperator, operatorLength, stageAt } from './context/stages.ts';
import { defined } from './defined.ts';
import { setOptions } from './prose/words.ts';

export type { Comparison, Context } from './context/answer.ts';
export type { CallSlot } from './context/calls.ts';

export function contextAt(bound: BoundQuery, offset: number): Context {
  const found = placeAt(bound.tree, offset);
  if ('kind' in found) return found.kind === 'string' ? inString(bound, found, offset) : nothing;
  const context = found.inStage ? inStage(bound, found) : inStatement(found);
  return context.kind === 'member' ? { ...context, keys: keysOf(bound, context.path) } : context;
}

/** Returns the call whose argument list contains the offset, even in a literal. */
export function callAt(bound: BoundQuery, offset: number): CallSlot | undefined {
  const place = placeAround(bound, offset);
  return place && callAround(place);
}

function inString(bound: BoundQuery, { token, place }: InString, offset: number): Context {
  const [level] = place.levels as readonly [Level, ...Level[]];
  const columns = columnsAt(bound, place);
  const verbatim = place.text.charAt(token.start) === '@';
  const from = token.start + (verbatim ? 2 : 1);
  if (offset < from) return nothing;
  const closed = isTerminated(token);
  // An unterminated string includes the code after the cursor, so replace the string only up to the cursor.
  const replace = { start: from, end: closed ? token.end - 1 : Math.max(from, place.replace.end) };
  const quote: '"' | "'" = place.text.charAt(from - 1) === '"' ? '"' : "'";
  const text = { kind: 'text', replace, quote, verbatim, closed } as const;
  const indexed = indexedPath(place, level);
  if (indexed !== undefined) {
    const { path, start } = indexed;
    const side = path === '$left' || path === '$right' ? sideOf(bound, place, path) : undefined;
    const keys = side?.list.map(({ name }) => name) ?? keysOf(bound, path);
    if (keys.length > 0) return { ...text, values: keys, tables: false };
    const bracket = closed && textAt(place, place.next + 1) === ']' ? 1 : 0;
    const whole = { start, end: bracket === 1 ? endOf(place, place.next + 1) : replace.end };
    return { kind: 'member', replace, whole, path, columns, keys };
  }
  const call = callOf(place, level);
  const parameter = call?.parameter;
  const values =
    parameter?.names === 'column'
      ? columns.list.map(({ name }) => name)
      : (parameter?.values ?? optionWords(place));
  const tables = call?.name === 'table';
  const compared = comparedColumn(place, level.tokens, columns);
  if (values.length === 0 && compared === undefined && !tables) return nothing;
  return { ...text, values, tables, ...defined({ compared }) };
}

/** Returns the accepted values of the option at the cursor, such as `format="csv"`. */
function optionWords(place: Place): readonly string[] {
  const inner = (place.levels[0] as Level).tokens;
  const outer = (place.levels.at(-1) as Level).tokens;
  const length = place.inStage ? operatorLength(place, outer) : 1;
  const operator = operatorNamed(nameOf(place, outer.slice(0, length)));
  if (textAt(place, inner.at(-1)) !== '=') return [];
  const option = operator?.options?.find(({ name }) => name === textAt(place, inner.at(-2)));
  return option?.values?.map(({ name }) => name) ?? [];
}

function endOf(place: Place, index: number): number {
  return place.tokens[index]?.end ?? place.replace.end;
}

/** Returns the path to the left of a `[` at the cursor, such as `geo` in `geo[`. */
function indexedPath(place: Place, level: Level): Path | undefined {
  if (textAt(place, level.opener) !== '[' || level.tokens.length > 0) return undefined;
  return pathEndingAt(place, level.opener - 1);
}

function sideOf(bound: BoundQuery, place: Place, side: '$left' | '$right'): Columns | undefined {
  const stage = stageAt(bound, place);
  if (stage?.operator.kind !== 'join') return undefined;
  return side === '$left' ? stage.input : stage.operator.right.columns;
}

/** Returns the keys of a `let` statement's constant property bag. */
function keysOf(bound: BoundQuery, name: string): readonly string[] {
  const value = bound.lets.find((one) => one.name === name)?.value;
  if (value?.kind !== 'dynamic') return [];
  const bag = value.value;
  return bag === null || typeof bag !== 'object' || Array.isArray(bag) ? [] : Object.keys(bag);
}

/** Returns the `Place` at an offset, even inside a string or number. Returns undefined inside a comment. */
function placeAround(bound: BoundQuery, offset: number): Place | undefined {
  const found = placeAt(bound.tree, offset);
  if (!('kind' in found)) return found;
  return found.kind === 'comment' ? undefined : found.place;
}

/** The operator or source at an offset, and the clause at that offset. */
export interface OperatorSlot {
  readonly name: string;
  /** The keyword of the clause at the offset, such as `by`. Absent before the first clause. */
  readonly clause?: string;
  readonly clauses: readonly string[];
  /** Whether signature help opens automatically after the operator's name. Set if the syntax is hard to remember. */
  readonly opensHelp?: true;
}

/** Returns the operator or source whose arguments contain the offset. Returns undefined inside an operator's name. */
export function operatorAt(bound: BoundQuery, offset: number): OperatorSlot | undefined {
  const place = placeAround(bound, offset);
  if (place === undefined) return undefined;
  const outer = place.levels.at(-1) as Level;
  const length = place.inStage ? operatorLength(place, outer.tokens) : 1;
  if (outer.tokens.length === 0 || endsInOperator(place, outer.tokens, length)) return undefined;
  const name = nameOf(place, outer.tokens.slice(0, length));
  const slots = (place.inStage ? operatorSlots : statementSlots).get(name);
  if (slots === undefined) return undefined;
  const clauses = Object.keys(slots.clauses ?? {});
  const clause = outer.tokens
    .slice(length)
    .filter((index) => place.tokens[index]?.kind === 'word')
    .map((index) => textAt(place, index))
    .findLast((word) => clauses.includes(word));
  const { opensHelp } = slots;
  return { name, clauses, ...(clause && { clause }), ...(opensHelp && { opensHelp }) };
}

function nameOf(place: Place, tokens: readonly number[]): string {
  return tokens.map((index) => textAt(place, index)).join('');
}

// ── Statements and sources ────────────────────────────────────────────────────────────────────────

function inStatement(place: Place): Context {
  const outer = place.levels.at(-1) as Level;
  const { replace } = place;
  const word = textAt(place, outer.tokens[0]);
  if (outer.tokens.length === 0) {
    // Offer statements only outside brackets, because inside brackets, only a pipeline can start.
    if (place.levels.length === 1) return { kind: 'source', replace, statements: true };
    return startOfBrackets(place) ? { kind: 'source', replace, statements: false } : nothing;
  }
  if (word === 'let') return inLet(place, outer);
  if (word === 'set') return { kind: 'word', replace, words: setOptions };
  const slots = statementSlots.get(word);
  if (slots === undefined) return nothing;
  return inSlots(place, word, slots, outer.tokens.slice(1), {
    columns: word === 'search' ? anyColumns : noColumns,
  });
}

function startOfBrackets(place: Place): boolean {
  return place.levels.slice(0, -1).every((level) => {
    return textAt(place, level.opener) === '(' && level.tokens.length === 0;
  });
}

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
  const name = nameOf(place, outer.tokens.slice(0, length));
  const slots = operatorSlots.get(name) ?? { first: 'expression' };
  const right = stageAt(bound, place)?.operator;
  return inSlots(place, name, slots, outer.tokens.slice(length), {
    columns,
    ...(right?.kind === 'join' ? { right: right.right.columns } : {}),
  });
}
