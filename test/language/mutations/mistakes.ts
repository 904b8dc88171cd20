/**
 * Single typing mistakes. Each kind finds the positions in a query where it can happen, applies one chosen by
 * seed, and checks in the catalog whether the result is still valid.
 */
import {
  type AnyNode,
  accepts,
  functionNamed,
  operatorNamed,
  operators,
  parameterAt,
  type QueryAnalysis,
  type Span,
  scalarOperatorNamed,
  scalarTypeOf,
  type syntax,
  takes,
  walk,
} from '../../../language/src/index.ts';
import type { Random } from '../random.ts';
import { bodyOf, takesBody } from './bodies.ts';

export interface Mistake {
  readonly kind: MistakeKind;
  /** The query with the mistake. */
  readonly text: string;
  /** The changed range of `text`; empty after a deletion. */
  readonly at: Span;
  /** The replaced range of the original text. */
  readonly was: Span;
  /** The reason why the result is still valid according to the catalog. */
  readonly valid?: string;
  /** Set if the mistake replaces an operator with another one of the catalog. */
  readonly replaces?: 'operator';
}

export type MistakeKind = keyof typeof kinds;

/** A change of a query: `text` replaces the range. */
interface Change extends Span {
  readonly text: string;
  readonly valid?: string | undefined;
  readonly replaces?: 'operator';
}

/** Returns the changes of one kind that apply to a query, or a selection of them. */
type Kind = (query: QueryAnalysis, random: Random) => readonly Change[];

const kinds = {
  'letter of a function': (query, random) =>
    calls(query).map(({ name, arguments: args }) => {
      const text = withoutLetter(name, query, random);
      return { ...name, ...text, valid: validCall(text.text, args.length) };
    }),
  'letter of an operator': (query, random) =>
    operatorWords(query).map((word) => {
      const dropped = withoutLetter(word, query, random);
      return { ...dropped, valid: word.isValid(dropped.text) };
    }),
  'letter of a column': (query, random) =>
    knownColumns(query).map((name) => {
      const dropped = withoutLetter(name, query, random);
      return { ...dropped, valid: name.isValid(dropped.text) };
    }),
  'argument removed': (query, random) =>
    calls(query)
      .filter((call) => call.arguments.length > 0)
      .map((call) => withoutArgument(call, random)),
  'argument added': (query, random) =>
    calls(query).map((call) => withArgument(call, query, random)),
  'bracket removed': ({ tree }) =>
    tree.tokens
      .filter(({ start, end, kind }) => {
        return (
          kind === 'punctuation' && end === start + 1 && '()[]{}'.includes(tree.text[start] ?? '')
        );
      })
      .map(({ start, end }) => ({ start, end, text: '' })),
  'quote removed': ({ tree }) =>
    tree.tokens
      .filter(({ kind, flaw }) => kind === 'string' && flaw === undefined)
      .flatMap(({ start, end }) => {
        const open = tree.text.startsWith('@', start) ? start + 1 : start;
        return [
          { start: open, end: open + 1, text: '' },
          { start: end - 1, end, text: '' },
        ];
      }),
  'pipe doubled': (query) =>
    stagesOf(query).map(({ pipe }) => ({ start: pipe.end, end: pipe.end, text: '|' })),
  'keyword swapped': (query, random) => [
    ...swappedOperators(query, random),
    ...swappedClauses(query, random),
  ],
} as const satisfies Record<string, Kind>;

export const mistakeKinds = Object.keys(kinds) as readonly MistakeKind[];

/**
 * Makes one mistake of a kind in a query. Returns undefined if the query has no position for it.
 */
export function makeMistake(
  kind: MistakeKind,
  query: QueryAnalysis,
  random: Random,
): Mistake | undefined {
  const changes = kinds[kind](query, random);
  if (changes.length === 0) return undefined;
  const { start, end, text: put, valid, replaces } = random.pick<Change>(changes);
  const before = query.tree.text;
  const text = before.slice(0, start) + put + before.slice(end);
  const at = { start, end: start + put.length };
  return {
    kind,
    text,
    at,
    was: { start, end },
    ...(valid === undefined ? {} : { valid }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

// ── Letters ───────────────────────────────────────────────────────────────────────────────────────

/** A word of the query, with a check whether another word would also be valid there. */
interface Word extends Span {
  readonly isValid: (other: string) => string | undefined;
}

/** Removes one letter of the word. */
function withoutLetter(word: Span, { tree }: QueryAnalysis, random: Random): Change {
  const written = tree.text.slice(word.start, word.end);
  const letters = [...written].flatMap((letter, at) => (/[A-Za-z]/.test(letter) ? [at] : []));
  if (letters.length === 0) return { ...word, text: '' };
  const at = random.pick(letters);
  const text = written.slice(0, at) + written.slice(at + 1);
  return { start: word.start, end: word.end, text };
}

function nodesOf<Kind extends AnyNode['kind']>(
  { tree }: QueryAnalysis,
  ...kinds: Kind[]
): Extract<AnyNode, { kind: Kind }>[] {
  const found: AnyNode[] = [];
  walk(tree.statements, (node) => {
    if ((kinds as string[]).includes(node.kind)) found.push(node);
  });
  return found as Extract<AnyNode, { kind: Kind }>[];
}

function stagesOf(query: QueryAnalysis): syntax.Stage[] {
  return nodesOf(query, 'Stage');
}

function calls(query: QueryAnalysis): syntax.Call[] {
  return nodesOf(query, 'Call').filter(({ closed, name }) => closed && !name.quoted);
}

/** Returns tabular operators and the scalar operators that are words. */
function operatorWords(query: QueryAnalysis): Word[] {
  const { text } = query.tree;
  const tabular = stagesOf(query).map(({ operator }): Word => {
    const before = text.slice(operator.keyword.start, operator.keyword.end);
    const isValid = (other: string) =>
      operatorNamed(other) && takesBody(other, bodyOf(operator), before)
        ? 'another operator that takes the same'
        : undefined;
    return { ...operator.keyword, isValid };
  });
  const scalar = nodesOf(query, 'Binary', 'InExpression', 'Between')
    .map(({ operatorSpan }) => operatorSpan)
    .filter(({ start, end }) => /[a-z]/.test(text.slice(start, end)))
    .map(({ start, end }): Word => {
      const isValid = (other: string) => scalarOperatorNamed(other) && 'another scalar operator';
      return { start, end, isValid };
    });
  return [...tabular, ...scalar];
}

/** Returns the uses of known columns, except names in strings, which may be unknown. */
function knownColumns({ tree, bound }: QueryAnalysis): Word[] {
  const names = new Set<string>();
  for (const { list } of bound.stages.flatMap(({ input, output }) => [input, output])) {
    for (const { name } of list) names.add(name);
  }
  for (const { name } of [...bound.lets, ...bound.parameters]) names.add(name);
  return bound.references
    .filter(({ meaning, definition, start }) => {
      return meaning.kind === 'column' && !definition && !/['"@]/.test(tree.text[start] ?? '');
    })
    .map(({ start, end }): Word => {
      const isValid = (other: string) => {
        const name = other.startsWith('[') ? other.slice(2, -2) : other;
        return names.has(name) || name === 'true' || name === 'null' ? 'another column' : undefined;
      };
      return { start, end, isValid };
    });
}

// ── Arguments ─────────────────────────────────────────────────────────────────────────────────────

function withoutArgument(call: syntax.Call, random: Random): Change {
  const { arguments: args } = call;
  const index = random.below(args.length);
  const gone = args[index] as syntax.Expression;
  const before = args[index - 1];
  const after = args[index + 1];
  const start = before === undefined ? gone.start : before.end;
  const end = before === undefined && after !== undefined ? after.start : gone.end;
  const left = args.filter((_, i) => i !== index);
  return { start, end, text: '', valid: validArguments(call, left.map(typeOf)) };
}

/** Repeats the call's last argument or adds a number. */
function withArgument(call: syntax.Call, { tree }: QueryAnalysis, random: Random): Change {
  const last = call.arguments.at(-1);
  const twice = last !== undefined && random.below(2) === 0;
  const put = twice ? tree.text.slice(last.start, last.end) : '1';
  const at = call.parentheses.end - 1;
  const types = [...call.arguments.map(typeOf), twice ? typeOf(last) : ('long' as const)];
  const valid = validArguments(call, types);
  const text = last === undefined ? put : `, ${put}`;
  return { start: at, end: at, text, valid };
}

type Type = Parameters<typeof accepts>[1];

/** Returns the type of a constant, and `unknown` for any expression that depends on data. */
function typeOf(node: syntax.Expression): Type {
  if (node.kind === 'Literal') return node.type === 'null' ? 'unknown' : node.type;
  return node.kind === 'DynamicLiteral' ? 'dynamic' : 'unknown';
}

function validCall(name: string, count: number): string | undefined {
  const row = functionNamed(name);
  if (scalarTypeOf(name) !== undefined) return 'a typed literal';
  return row?.signatures.some((signature) => takes(signature, count))
    ? 'another function that takes as many'
    : undefined;
}

/** Reports whether a signature accepts arguments of these types in this order. */
function validArguments(call: syntax.Call, types: readonly Type[]): string | undefined {
  const row = functionNamed(call.name.name);
  const fits = row?.signatures.some((signature) => {
    if (!takes(signature, types.length)) return false;
    return types.every((type, index) => {
      const parameter = parameterAt(signature, index, types.length);
      return parameter === undefined || accepts(parameter.type, type);
    });
  });
  return fits ? 'as many arguments as the function may have' : undefined;
}

// ── Keywords ──────────────────────────────────────────────────────────────────────────────────────

const transforms = operators.filter(({ role }) => role !== 'source').map(({ name }) => name);

function swappedOperators(query: QueryAnalysis, random: Random): Change[] {
  return stagesOf(query).flatMap(({ operator }) => {
    const { start, end } = operator.keyword;
    const before = query.tree.text.slice(start, end);
    const text = random.pick(transforms);
    if (text === before) return [];
    const valid = takesBody(text, bodyOf(operator), before) ? 'takes the same' : undefined;
    return [{ start, end, text, valid, replaces: 'operator' as const }];
  });
}

const clauseWords = ['by', 'on', 'with', 'as', 'to', 'from', 'step'];
const swaps: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    clauseWords.map((word) => [word, clauseWords.filter((other) => other !== word)]),
  ),
  asc: ['desc', 'by', 'on'],
  desc: ['asc', 'by', 'with'],
  and: ['or', 'by', 'with'],
  or: ['and', 'on', 'as'],
};
const opposites = new Set(['asc desc', 'desc asc', 'and or', 'or and']);

/** Swaps clause keywords: the keyword tokens that are not names. */
function swappedClauses(query: QueryAnalysis, random: Random): Change[] {
  const { tree } = query;
  const names = new Set(
    nodesOf(query, 'Name', 'NameReference', 'ColumnPattern', 'DatasetPattern').map(
      ({ start }) => start,
    ),
  );
  return tree.tokens.flatMap(({ kind, start, end }) => {
    const word = tree.text.slice(start, end);
    if (kind !== 'word' || names.has(start) || !Object.hasOwn(swaps, word)) return [];
    const text = random.pick(swaps[word] as readonly string[]);
    return [
      { start, end, text, valid: opposites.has(`${word} ${text}`) ? 'its opposite' : undefined },
    ];
  });
}
