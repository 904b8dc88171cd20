/** Finds the syntax allowed in an expression: an operand, or an operator after an operand. */
import type { Columns } from '../binding/bound.ts';
import { noColumns } from '../binding/columns.ts';
import type { ParameterType, ScalarType, WordRow } from '../catalog/types.ts';
import { defined } from '../defined.ts';
import { type Comparison, type Context, type Names, nothing } from './answer.ts';
import { callAround, callOf } from './calls.ts';
import { comparedType } from './comparedType.ts';
import { likelyFirst, likelyIn } from './likely.ts';
import {
  comparedName,
  isAfterOperand,
  listedName,
  nameAt,
  type Path,
  pathBefore,
} from './operands.ts';
import { type Level, lastItem, type Place, textAt } from './place.ts';
import { isScalarType, returnedBy } from './scalarTypes.ts';
import type { Slot } from './slots.ts';

/** Returns the syntax allowed at the cursor in an expression. `rest` contains the slot's tokens before the cursor. */
export function inExpression(
  place: Place,
  slot: Slot,
  rest: readonly number[],
  names: Names,
  words: readonly WordRow[] = [],
  options: readonly WordRow[] = [],
  modifiers: readonly WordRow[] = [],
  likely: readonly string[] = [],
): Context {
  const { replace } = place;
  const inBrackets = place.levels.length > 1;
  const inner = place.levels[0] as Level;
  const tokens = lastItem(place, inBrackets ? inner.tokens : rest);
  const columns = slot === 'constant' || slot === 'amount' ? noColumns : names.columns;
  const path = pathBefore(place, tokens);
  if (path !== undefined) return memberOf(place, path, names, columns);
  if (isTypeof(place, inner)) return { kind: 'type', replace };
  if (isTimeLiteral(place, inner)) return nothing;
  const second = inBrackets ? [] : secondWords(place, tokens, modifiers);
  if (second.length > 0) return { kind: 'word', replace, words: second };
  if (isAfterOperand(place, tokens)) {
    const type = operandType(place, tokens, columns);
    const outside = inBrackets ? [] : [...words, ...modifiers];
    const operators = inBrackets || !isModifier(place, tokens, modifiers);
    const lone = type !== 'bool' && isLoneOperand(place, tokens);
    const unfinished = slot === 'condition' && lone;
    return { kind: 'afterExpression', replace, type, operators, lone, unfinished, words: outside };
  }
  const call = callAround(place);
  const expected = expectedType(place, slot, tokens, columns);
  const compared = comparedColumn(place, tokens, columns);
  const following = compared === undefined ? comparedType(place) : undefined;
  return {
    kind: 'expression',
    replace,
    columns,
    ...(slot === 'on' && names.right !== undefined ? { right: names.right } : {}),
    aggregates: slot === 'aggregates' ? aggregatesAt(place) : 'refused',
    ...defined({ expected, compared, following, call }),
    words: options,
    tables: (names.tables === true && rest.length === 0 && !inBrackets) || isList(place, inner),
    likely:
      tokens.length === 0 && !inBrackets
        ? likelyFirst(likely, place, rest, columns)
        : likelyIn(call, place, inner, columns),
    amount: slot === 'amount' && !inBrackets,
  };
}

/** Returns the properties after a dot, or the columns after `$left` or `$right`. */
function memberOf(place: Place, { path, start }: Path, names: Names, columns: Columns): Context {
  const { replace } = place;
  if (names.right !== undefined && (path === '$left' || path === '$right')) {
    const side = path === '$left' ? columns : names.right;
    return { kind: 'column', replace, columns: side, wildcards: false };
  }
  return { kind: 'member', replace, whole: { start, end: replace.end }, path, columns, keys: [] };
}

/** Returns whether the last operand is an entire item or an entire side of `and` or `or`. */
function isLoneOperand(place: Place, tokens: readonly number[]): boolean {
  const last = tokens.length - 1;
  // A level excludes nested tokens, so a call consists of its name and its closing bracket.
  const isCall =
    textAt(place, tokens[last]) === ')' && place.tokens[tokens[last - 1] ?? -1]?.kind === 'word';
  const before = textAt(place, tokens[isCall ? last - 2 : last - 1]);
  return before === '' || before === '=' || before === 'and' || before === 'or';
}

function isTypeof(place: Place, level: Level): boolean {
  return textAt(place, level.opener) === '(' && textAt(place, level.opener - 1) === 'typeof';
}

function isTimeLiteral(place: Place, level: Level): boolean {
  if (textAt(place, level.opener) !== '(') return false;
  return /^date(?:time)?$/.test(textAt(place, level.opener - 1));
}

/** Returns whether the cursor is at the start of the list in `in (…)`, where a table is also allowed. */
function isList(place: Place, level: Level): boolean {
  if (textAt(place, level.opener) !== '(' || level.tokens.length > 0) return false;
  return /^!?in~?$/.test(textAt(place, level.opener - 1));
}

/** Returns whether the last token is a modifier such as `asc`, which an operator can't follow. */
function isModifier(
  place: Place,
  tokens: readonly number[],
  modifiers: readonly WordRow[],
): boolean {
  const last = textAt(place, tokens.at(-1));
  return tokens.length > 1 && modifiers.some((modifier) => modifier.name === last);
}

/** Returns the words that complete a two-word modifier, such as `first` after `nulls`. */
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
): ParameterType | undefined {
  const compared = comparedColumn(place, tokens, columns);
  if (compared !== undefined) {
    const { type } = compared.column;
    return type === 'unknown' ? undefined : type;
  }
  const fresh = tokens.length === 0;
  const call = callOf(place, place.levels[0] as Level);
  if (call !== undefined) {
    const type = call.parameter?.type;
    return fresh && (Array.isArray(type) || type === 'numeric' || isScalarType(type))
      ? type
      : undefined;
  }
  const last = textAt(place, tokens.at(-1));
  return slot === 'condition' && (fresh || last === 'and' || last === 'or') ? 'bool' : undefined;
}

/** Returns the comparison whose right operand is at the cursor. */
export function comparedColumn(
  place: Place,
  tokens: readonly number[],
  columns: Columns,
): Comparison | undefined {
  // The list of `x in (…)` is compared with the operand before the bracket.
  const found = listedName(place, place.levels[0] as Level) ?? comparedName(place, tokens);
  const column = found && columns.list.find(({ name }) => name === found.name);
  return found === undefined || column === undefined
    ? undefined
    : { column, operator: found.operator };
}

/** Returns the type of the operand that ends with the last token. */
function operandType(place: Place, tokens: readonly number[], columns: Columns): ScalarType {
  const last = tokens.at(-1);
  const name = nameAt(place, last);
  const column = columns.list.find((one) => one.name === name);
  if (column !== undefined) return column.type;
  const kind = place.tokens[last ?? -1]?.kind;
  if (isScalarType(kind)) return kind;
  const called = tokens.at(-2);
  if (textAt(place, last) !== ')' || place.tokens[called ?? -1]?.kind !== 'word') return 'unknown';
  return returnedBy(textAt(place, called));
}
