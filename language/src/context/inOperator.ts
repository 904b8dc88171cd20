/** Finds the syntax allowed in an operator or source, as the tables in `slots.ts` describe it. */
import { operatorNamed } from '../catalog/index.ts';
import type { WordRow } from '../catalog/types.ts';
import { proseOf } from '../prose/index.ts';
import { type Context, type Names, nothing } from './answer.ts';
import { inExpression } from './inExpression.ts';
import { isAfterOperand } from './operands.ts';
import { type Level, lastItem, type Place, textAt } from './place.ts';
import type { OperatorSlots, Slot } from './slots.ts';

/**
 * Returns the syntax allowed at the cursor inside an operator or source. `tokens`: the indexes of the tokens after the
 * operator's or source's name.
 */
export function inSlots(
  place: Place,
  name: string,
  slots: OperatorSlots,
  tokens: readonly number[],
  names: Names,
): Context {
  const { replace } = place;
  const option = optionAt(place, name, (place.levels[0] as Level).tokens);
  if (option === 'name') return nothing;
  if (option !== undefined) return { kind: 'word', replace, words: option };
  const clauses = Object.keys(slots.clauses ?? {});
  let from = 0;
  let slot = slots.first;
  let passed = -1;
  let clauseWord = '';
  for (const [at, index] of tokens.entries()) {
    const clause = clauses.indexOf(textAt(place, index));
    if (clause < 0 || place.tokens[index]?.kind !== 'word') continue;
    from = at + 1;
    passed = Math.max(passed, clause);
    clauseWord = clauses[clause] as string;
    slot = slots.clauses?.[clauseWord] as Slot;
  }
  const rest = from === 0 ? afterOptions(place, name, tokens) : tokens.slice(from);
  const words = clauses.slice(passed + 1).map((word) => ({ name: word, summary: '' }));
  const given = tokens.slice(0, tokens.length - rest.length).map((index) => textAt(place, index));
  const options =
    from === 0 && rest.length === 0
      ? optionWords(name).filter((option) => !given.includes(option.name.slice(0, -1)))
      : [];
  const inBrackets = place.levels.length > 1;
  switch (slot) {
    case 'nothing':
      return nothing;
    case 'words':
      return { kind: 'word', replace, words };
    case 'typed':
      return inBrackets
        ? { kind: 'type', replace }
        : { kind: 'word', replace, words: [typeofWord] };
    case 'options':
      return inBrackets ? inWith(place, name) : { kind: 'word', replace, words };
    case 'names':
      return inNames(place, rest, words);
    case 'table':
    case 'tables':
      return inTables(place, slot, name, rest, words, options);
    case 'pattern':
    case 'rename':
      return inPatterns(place, slot, name, rest, words, names);
    default:
      return inExpression(
        place,
        isDefault(place, slot, rest) ? 'constant' : slot,
        rest,
        names,
        words,
        options,
        modifiersIn(slot, slots, name),
        slots.likely?.[clauseWord],
      );
  }
}

const typeofWord: WordRow = { name: 'typeof', summary: 'A type, as in typeof(long).' };

/** Returns the accepted values of the option before the cursor. `'name'` means any text. */
function optionAt(
  place: Place,
  operator: string,
  tokens: readonly number[],
): readonly WordRow[] | 'name' | undefined {
  if (textAt(place, tokens.at(-1)) !== '=') return undefined;
  const name = textAt(place, tokens.at(-2));
  const option = operatorNamed(operator)?.options?.find((one) => one.name === name);
  if (option?.type === 'name') return 'name';
  return option?.type === 'string' ? undefined : option?.values;
}

/** Returns the options allowed in the brackets of `with` or directly after the operator's name. */
function optionWords(operator: string, where?: 'with'): readonly WordRow[] {
  const options = operatorNamed(operator)?.options ?? [];
  return options
    .filter((option) => option.place === where)
    .map(({ name, summary }) => ({ name: `${name}=`, summary }));
}

function afterOptions(place: Place, operator: string, tokens: readonly number[]) {
  const options = operatorNamed(operator)?.options ?? [];
  let from = 0;
  while (
    textAt(place, tokens[from + 1]) === '=' &&
    tokens.length >= from + 3 &&
    options.some(({ name }) => name === textAt(place, tokens[from]))
  ) {
    from += 3;
  }
  return tokens.slice(from);
}

/** Returns the option names allowed at the cursor in the brackets of `with`. Option values can't be completed. */
function inWith(place: Place, operator: string): Context {
  const { replace } = place;
  const { tokens } = place.levels[0] as Level;
  if (tokens.length > 0 && textAt(place, tokens.at(-1)) !== ',') return nothing;
  return { kind: 'word', replace, words: optionWords(operator, 'with') };
}

/** Returns whether the cursor is in the value of `default=`, as in `count() default=0`. */
function isDefault(place: Place, slot: Slot, rest: readonly number[]): boolean {
  if (slot !== 'aggregates' || place.levels.length > 1 || rest.length < 3) return false;
  return textAt(place, rest.at(-1)) === '=' && textAt(place, rest.at(-2)) === 'default';
}

function modifiersIn(slot: Slot, slots: OperatorSlots, name: string): readonly WordRow[] {
  if (
    slot === 'constant' ||
    slot === 'amount' ||
    (slots.modified !== undefined && slots.modified !== slot)
  )
    return [];
  return modifiersOf(name);
}

function modifiersOf(operator: string): readonly WordRow[] {
  const row = operatorNamed(operator);
  return (row && proseOf(row).modifiers) ?? [];
}

/** Returns the types or clause keywords allowed at the cursor in a list of new names. The names can't be completed. */
function inNames(place: Place, rest: readonly number[], words: readonly WordRow[]): Context {
  const { replace } = place;
  const inner = place.levels[0] as Level;
  if (textAt(place, inner.tokens.at(-1)) === ':') return { kind: 'type', replace };
  if (place.levels.length > 1 || rest.length === 0 || words.length === 0) return nothing;
  return { kind: 'word', replace, words };
}

function inTables(
  place: Place,
  slot: 'table' | 'tables',
  operator: string,
  rest: readonly number[],
  words: readonly WordRow[],
  options: readonly WordRow[],
): Context {
  const { replace } = place;
  const inner = place.levels[0] as Level;
  if (place.levels.length > 1) {
    // A table may start after `(` or `,`. Only the brackets of `search` list datasets.
    const fresh = inner.tokens.length === 0 || textAt(place, inner.tokens.at(-1)) === ',';
    if (!fresh) return nothing;
    if (operator === 'search') return { kind: 'dataset', replace, wildcards: true, words: [] };
    return { kind: 'source', replace, statements: false };
  }
  if (isAfterOperand(place, rest)) {
    return words.length === 0 ? nothing : { kind: 'word', replace, words };
  }
  return { kind: 'dataset', replace, wildcards: slot === 'tables', words: options };
}

function inPatterns(
  place: Place,
  slot: 'pattern' | 'rename',
  operator: string,
  rest: readonly number[],
  words: readonly WordRow[],
  names: Names,
): Context {
  const { replace } = place;
  const { columns } = names;
  const item = lastItem(place, rest);
  if (slot === 'rename' && textAt(place, item.at(-1)) !== '=') return nothing;
  if (isAfterOperand(place, item)) {
    const all = [...words, ...modifiersOf(operator)];
    return all.length === 0 ? nothing : { kind: 'word', replace, words: all };
  }
  return { kind: 'column', replace, columns, wildcards: slot === 'pattern' };
}
