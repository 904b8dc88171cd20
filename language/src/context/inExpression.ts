/** What may stand inside an expression: an operand with the type that is wanted, or what follows one. */
import type { Column, Columns } from '../binding/bound.ts';
import { noColumns } from '../binding/columns.ts';
import type { ScalarType, WordRow } from '../catalog/types.ts';
import type { Context, Names } from './answer.ts';
import { callAround, callOf } from './calls.ts';
import { comparedName, isAfterOperand, nameAt, pathBefore } from './operands.ts';
import { type Level, lastItem, type Place, textAt } from './place.ts';
import type { Slot } from './slots.ts';

/** What may stand behind `rest`, the tokens of the slot so far; inside brackets their tokens count. */
export function inExpression(
  place: Place,
  slot: Slot,
  rest: readonly number[],
  names: Names,
  words: readonly WordRow[] = [],
  options: readonly WordRow[] = [],
  modifiers: readonly WordRow[] = [],
): Context {
  const { replace } = place;
  const inBrackets = place.levels.length > 1;
  const inner = place.levels[0] as Level;
  const tokens = lastItem(place, inBrackets ? inner.tokens : rest);
  const columns = slot === 'constant' ? noColumns : names.columns;
  const path = pathBefore(place, tokens);
  if (path !== undefined) return memberOf(place, path, names, columns);
  if (isTypeof(place, inner)) return { kind: 'type', replace };
  const second = inBrackets ? [] : secondWords(place, tokens, modifiers);
  if (second.length > 0) return { kind: 'word', replace, words: second };
  if (isAfterOperand(place, tokens)) {
    const type = operandType(place, tokens, columns);
    const outside = inBrackets ? [] : [...words, ...modifiers];
    const fresh = !inBrackets && isModifier(place, tokens, modifiers);
    return { kind: 'afterExpression', replace, type, operators: !fresh, words: outside };
  }
  const call = callAround(place);
  const expected = expectedType(place, slot, tokens, columns);
  const compared = comparedColumn(place, tokens, columns);
  return {
    kind: 'expression',
    replace,
    columns,
    ...(slot === 'on' && names.right !== undefined ? { right: names.right } : {}),
    aggregates: slot === 'aggregates' ? aggregatesAt(place) : 'refused',
    ...(expected === undefined ? {} : { expected }),
    ...(compared === undefined ? {} : { compared }),
    ...(call === undefined ? {} : { call }),
    words: options,
    tables: (names.tables === true && rest.length === 0 && !inBrackets) || isList(place, inner),
  };
}

/** A property: of `$left` and `$right` the columns of that side. */
function memberOf(
  place: Place,
  { path, start }: { readonly path: string; readonly start: number },
  names: Names,
  columns: Columns,
): Context {
  const { replace } = place;
  if (names.right !== undefined && (path === '$left' || path === '$right')) {
    const side = path === '$left' ? columns : names.right;
    return { kind: 'column', replace, columns: side, wildcards: false };
  }
  return { kind: 'member', replace, whole: { start, end: replace.end }, path, columns };
}

function isTypeof(place: Place, level: Level): boolean {
  return textAt(place, level.opener) === '(' && textAt(place, level.opener - 1) === 'typeof';
}

/** Whether a level is the list of `in (…)`, where a table may stand as well. */
function isList(place: Place, level: Level): boolean {
  if (textAt(place, level.opener) !== '(' || level.tokens.length > 0) return false;
  return /^!?in~?$/.test(textAt(place, level.opener - 1));
}

/** Whether the last token is a word such as `asc`, behind which no operator stands. */
function isModifier(
  place: Place,
  tokens: readonly number[],
  modifiers: readonly WordRow[],
): boolean {
  const last = textAt(place, tokens.at(-1));
  return tokens.length > 1 && modifiers.some((modifier) => modifier.name === last);
}

/** What follows the first word of a modifier of two words, such as `nulls`. */
function secondWords(
  place: Place,
  tokens: readonly number[],
  modifiers: readonly WordRow[],
): readonly WordRow[] {
  const first = `${textAt(place, tokens.at(-1))} `;
  if (tokens.length < 2 || place.tokens[tokens.at(-1) as number]?.kind !== 'word') return [];
  return modifiers
    .filter(({ name }) => name.startsWith(first))
    .map(({ name, summary }) => ({ name: name.slice(first.length), summary }));
}

/** Inside an aggregate's own arguments no other may stand. */
function aggregatesAt(place: Place): 'allowed' | 'inside' {
  const inside = place.levels
    .slice(0, -1)
    .some((level) => callOf(place, level)?.row?.kind === 'aggregate');
  return inside ? 'inside' : 'allowed';
}

function expectedType(
  place: Place,
  slot: Slot,
  tokens: readonly number[],
  columns: Columns,
): ScalarType | undefined {
  const compared = comparedColumn(place, tokens, columns);
  if (compared !== undefined) return compared.type === 'unknown' ? undefined : compared.type;
  const fresh = tokens.length === 0;
  const call = callOf(place, place.levels[0] as Level);
  if (call !== undefined) {
    const type = call.parameter?.type;
    return fresh && isScalarType(type) ? type : undefined;
  }
  const last = textAt(place, tokens.at(-1));
  return slot === 'condition' && (fresh || last === 'and' || last === 'or') ? 'bool' : undefined;
}

const scalarTypes: ReadonlySet<unknown> = new Set<ScalarType>([
  'bool',
  'datetime',
  'dynamic',
  'long',
  'real',
  'string',
  'timespan',
]);

function isScalarType(type: unknown): type is ScalarType {
  return scalarTypes.has(type);
}

/** The column that the operand at the place is compared with. */
export function comparedColumn(
  place: Place,
  tokens: readonly number[],
  columns: Columns,
): Column | undefined {
  const [level] = place.levels;
  // The list of `x in (…)` is compared with what stands before the bracket.
  const list = level !== undefined && /^!?in~?$/.test(textAt(place, level.opener - 1));
  const name = list ? nameAt(place, level.opener - 2) : comparedName(place, tokens);
  return name === undefined ? undefined : columns.list.find((column) => column.name === name);
}

function operandType(place: Place, tokens: readonly number[], columns: Columns): ScalarType {
  const name = nameAt(place, tokens.at(-1));
  const column = columns.list.find((one) => one.name === name);
  if (column !== undefined) return column.type;
  const kind = place.tokens[tokens.at(-1) as number]?.kind;
  return isScalarType(kind) ? kind : 'unknown';
}
