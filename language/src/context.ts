/**
 * What may stand at an offset of a query: the question behind completion and signature help. It is
 * asked of half-typed text, so the answer comes from the tokens before the offset, and from the bound
 * stages for the columns there.
 */
import type { BoundQuery, BoundStage, Column, Columns } from './binding/bound.ts';
import { anyColumns, noColumns } from './binding/columns.ts';
import { operatorNamed } from './catalog/index.ts';
import type { ScalarType, WordRow } from './catalog/types.ts';
import { type CallSlot, callAround, callOf } from './context/calls.ts';
import { comparedName, isAfterOperand, nameAt, pathBefore } from './context/operands.ts';
import { type InString, type Level, type Place, placeAt, textAt } from './context/place.ts';
import { type OperatorSlots, operatorSlots, type Slot, statementSlots } from './context/slots.ts';
import type { Span } from './text.ts';

export type { CallSlot } from './context/calls.ts';

/** What may stand at an offset. `replace` is the word there, whose place is taken by what is chosen. */
export type Context =
  /** Only a comment, a number, a text or a new name. */
  | { readonly kind: 'nothing' }
  /** The start of a pipeline: a dataset, a let, `print` …; where `statements` is true, `let` too. */
  | { readonly kind: 'source'; readonly replace: Span; readonly statements: boolean }
  /** A dataset, view or tabular let; a wildcard too, where `wildcards` is true. */
  | {
      readonly kind: 'dataset';
      readonly replace: Span;
      readonly wildcards: boolean;
      readonly words: readonly WordRow[];
    }
  /** An operator after a pipe. */
  | { readonly kind: 'operator'; readonly replace: Span; readonly columns: Columns }
  /** An operand: a column, a function, a literal. */
  | {
      readonly kind: 'expression';
      readonly replace: Span;
      readonly columns: Columns;
      /** The columns of the right side, in the conditions of a join. */
      readonly right?: Columns;
      /** `allowed` where aggregates stand and columns do not; `inside` in an aggregate's arguments. */
      readonly aggregates: 'refused' | 'allowed' | 'inside';
      readonly expected?: ScalarType;
      /** The column that the operand is compared with. */
      readonly compared?: Column;
      readonly call?: CallSlot;
      /** Options and words that may stand here as well, such as `kind`. */
      readonly words: readonly WordRow[];
      /** Whether a table may stand here too, as behind `in (` and `let x =`. */
      readonly tables: boolean;
    }
  /** Behind an operand: a scalar operator, or one of the words. `type` is the operand's. */
  | {
      readonly kind: 'afterExpression';
      readonly replace: Span;
      readonly type: ScalarType;
      readonly operators: boolean;
      readonly words: readonly WordRow[];
    }
  /** A column by its name alone, or a wildcard over columns where `wildcards` is true. */
  | {
      readonly kind: 'column';
      readonly replace: Span;
      readonly columns: Columns;
      readonly wildcards: boolean;
    }
  /** Behind a dot: a property of `path`. `whole` is the span from the path's start to the word's end. */
  | {
      readonly kind: 'member';
      readonly replace: Span;
      readonly whole: Span;
      readonly path: string;
      readonly columns: Columns;
    }
  /** One of the words and nothing else. */
  | { readonly kind: 'word'; readonly replace: Span; readonly words: readonly WordRow[] }
  /** A type's name. */
  | { readonly kind: 'type'; readonly replace: Span }
  /** Inside a text that is one of `values`, or that is compared with a column. */
  | {
      readonly kind: 'text';
      readonly replace: Span;
      readonly values: readonly string[];
      readonly compared?: Column;
    };

const nothing: Context = { kind: 'nothing' };

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

// ── Stages ────────────────────────────────────────────────────────────────────────────────────────

/** What an expression may name. */
interface Names {
  readonly columns: Columns;
  readonly right?: Columns;
  readonly tables?: boolean;
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

/** How many of the tokens spell the operator: three for `project-away`. */
function operatorLength(place: Place, tokens: readonly number[]): number {
  let length = Math.min(1, tokens.length);
  while (isDash(place, tokens, length) && place.tokens[tokens[length + 1] ?? -1]?.kind === 'word') {
    length += 2;
  }
  return length;
}

/** Whether the token at `at` is a dash that touches the one before it. */
function isDash(place: Place, tokens: readonly number[], at: number): boolean {
  if (at === 0 || textAt(place, tokens[at]) !== '-') return false;
  const dash = place.tokens[tokens[at] as number];
  return dash?.start === place.tokens[tokens[at - 1] as number]?.end;
}

/** Whether the offset is still in the operator's name, or in a dash that goes on with it. */
function endsInOperator(place: Place, tokens: readonly number[], length: number): boolean {
  if (tokens.length === 0) return true;
  const dash = place.tokens[tokens[length] ?? -1];
  return (
    tokens.length === length + 1 &&
    isDash(place, tokens, length) &&
    dash?.end === place.replace.start
  );
}

/** The stage whose pipe the place is behind. */
function stageAt(bound: BoundQuery, place: Place): BoundStage | undefined {
  const pipe = place.tokens[(place.levels.at(-1) as Level).opener];
  if (!place.inStage || pipe === undefined) return undefined;
  const { stages } = bound;
  let low = 0;
  let high = stages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stages[middle] as BoundStage).start < pipe.start) low = middle + 1;
    else high = middle;
  }
  const stage = stages[low];
  return stage?.start === pipe.start ? stage : undefined;
}

function columnsAt(bound: BoundQuery, place: Place): Columns {
  return stageAt(bound, place)?.input ?? anyColumns;
}

// ── Inside an operator ────────────────────────────────────────────────────────────────────────────

/** What may stand among `tokens`, which follow the name of an operator or source. */
function inSlots(
  place: Place,
  name: string,
  slots: OperatorSlots,
  tokens: readonly number[],
  names: Names,
): Context {
  const { replace } = place;
  const option = optionAt(place, name, tokens);
  if (option !== undefined) return { kind: 'word', replace, words: option };
  const clauses = Object.keys(slots.clauses ?? {});
  let from = 0;
  let slot = slots.first;
  let passed = -1;
  for (const [at, index] of tokens.entries()) {
    const clause = clauses.indexOf(textAt(place, index));
    if (clause < 0 || place.tokens[index]?.kind !== 'word') continue;
    from = at + 1;
    passed = Math.max(passed, clause);
    slot = slots.clauses?.[clauses[clause] as string] as Slot;
  }
  const rest = tokens.slice(from);
  const words = clauses.slice(passed + 1).map((word) => ({ name: word, summary: '' }));
  const options = from === 0 && rest.length === 0 ? optionWords(name) : [];
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
    case 'names':
    case 'options':
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
        slot,
        rest,
        names,
        words,
        options,
        slot === 'constant' ? [] : modifiersOf(name),
      );
  }
}

const typeofWord: WordRow = { name: 'typeof', summary: 'A type, as in typeof(long).' };

/** The words that `name=` takes right before the offset, when it is an option of the operator. */
function optionAt(
  place: Place,
  operator: string,
  tokens: readonly number[],
): readonly WordRow[] | undefined {
  if (textAt(place, tokens.at(-1)) !== '=') return undefined;
  const name = textAt(place, tokens.at(-2));
  return operatorNamed(operator)?.options?.find((option) => option.name === name)?.values;
}

function optionWords(operator: string): readonly WordRow[] {
  const options = operatorNamed(operator)?.options ?? [];
  return options
    .filter((option) => option.place !== 'with')
    .map(({ name, summary }) => ({ name: `${name}=`, summary }));
}

function modifiersOf(operator: string): readonly WordRow[] {
  return operatorNamed(operator)?.modifiers ?? [];
}

/** Where the query makes up names, only their types are chosen from something. */
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
  const afterOption = endsInOption(place, operator, rest);
  if (place.levels.length > 1) {
    // Brackets hold a pipeline, or the list of tables that are searched.
    const fresh = inner.tokens.length === 0 || textAt(place, inner.tokens.at(-1)) === ',';
    if (!fresh) return nothing;
    if (operator === 'search') return { kind: 'dataset', replace, wildcards: true, words: [] };
    return { kind: 'source', replace, statements: false };
  }
  if (!afterOption && isAfterOperand(place, rest)) {
    return words.length === 0 ? nothing : { kind: 'word', replace, words };
  }
  return { kind: 'dataset', replace, wildcards: slot === 'tables', words: options };
}

/** Whether the tokens end with `option=value`, which is no operand. */
function endsInOption(place: Place, operator: string, tokens: readonly number[]): boolean {
  const name = textAt(place, tokens.at(-3));
  if (textAt(place, tokens.at(-2)) !== '=') return false;
  return operatorNamed(operator)?.options?.some((option) => option.name === name) === true;
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

/** The tokens since the last comma. */
function lastItem(place: Place, tokens: readonly number[]): readonly number[] {
  const comma = tokens.findLastIndex((index) => textAt(place, index) === ',');
  return tokens.slice(comma + 1);
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

function inExpression(
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

function comparedColumn(
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
