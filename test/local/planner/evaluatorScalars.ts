/**
 * The scalar operators and functions that the property tests try: what each takes and gives, how it is
 * written, and what the documents say it computes.
 */
import {
  Ambiguous,
  asDynamic,
  type Cell,
  compare,
  inRange,
  isBag,
  isList,
  type Json,
  type Type,
  textOf,
  Unordered,
  wrapped,
} from './evaluatorValues.ts';

export interface Operation {
  readonly result: Type;
  readonly takes: readonly Type[];
  readonly text: (...parts: readonly string[]) => string;
  readonly of: (...cells: readonly Cell[]) => Cell;
}

type Plain = Exclude<Type, 'dynamic' | 'mixed'>;
const plain: readonly Plain[] = ['bool', 'long', 'real', 'string', 'datetime', 'timespan'];

// biome-ignore lint/suspicious/noExplicitAny: each row knows the types that it takes.
type Compute = (...cells: any[]) => Cell;

function infix(name: string, left: Type, right: Type, result: Type, of: Compute): Operation {
  return { result, takes: [left, right], text: (a, b) => `(${a} ${name} ${b})`, of };
}

function call(name: string, takes: readonly Type[], result: Type, of: Compute): Operation {
  return { result, takes, text: (...parts) => `${name}(${parts.join(', ')})`, of };
}

/** Null where an operand is. */
function strict(of: Compute): Compute {
  return (...cells) => (cells.includes(null) ? null : of(...cells));
}

const equal: Compute = (a, b) => a !== null && b !== null && compare(a, b) === 0;
const unequal: Compute = (a, b) => !equal(a, b);

// ── Comparison ────────────────────────────────────────────────────────────────────────────────────

const pairs: readonly (readonly [Type, Type])[] = [
  ...plain.map((type) => [type, type] as const),
  ['long', 'real'],
  ['real', 'long'],
];

const comparisons = pairs.flatMap(([a, b]): Operation[] => [
  infix('==', a, b, 'bool', equal),
  infix('!=', a, b, 'bool', unequal),
  ...(a === 'bool'
    ? []
    : [
        infix(
          '<',
          a,
          b,
          'bool',
          strict((x, y) => compare(x, y) < 0),
        ),
        infix(
          '<=',
          a,
          b,
          'bool',
          strict((x, y) => compare(x, y) <= 0),
        ),
        infix(
          '>',
          a,
          b,
          'bool',
          strict((x, y) => compare(x, y) > 0),
        ),
        infix(
          '>=',
          a,
          b,
          'bool',
          strict((x, y) => compare(x, y) >= 0),
        ),
        between(a, b),
      ]),
]);

/** A false half settles it, whatever the other is. */
function between(of: Type, bounds: Type): Operation {
  return {
    result: 'bool',
    takes: [of, bounds, bounds],
    text: (x, a, b) => `(${x} between (${a} .. ${b}))`,
    of: (x, a, b) => {
      const halves = [reaches(x, a), reaches(b, x)];
      return halves.includes(false) ? false : halves.includes(null) ? null : true;
    },
  };
}

function reaches(of: Cell | undefined, least: Cell | undefined): boolean | null {
  if (of === undefined || of === null || least === undefined || least === null) return null;
  return compare(of, least) >= 0;
}

/** Fields of several types, and members of dynamic values: a text is no number, nor the reverse. */
const loose = (['mixed', 'dynamic'] as const).flatMap((type): Operation[] => [
  ...(['long', 'string'] as const).flatMap((other): Operation[] => {
    const kind = (of: Cell) => (typeof of === 'string' ? 'string' : isNumber(of) ? 'long' : '');
    const same: Compute = (a, b) => b !== null && kind(a) === other && compare(a, b) === 0;
    return [
      infix('==', type, other, 'bool', same),
      infix('!=', type, other, 'bool', (a, b) => !same(a, b)),
    ];
  }),
  ...(type === 'mixed'
    ? [
        infix('>', type, 'long', 'bool', (a, b) =>
          typeof a !== 'bigint' || b === null ? null : compare(a, b) > 0,
        ),
        infix(
          'contains',
          type,
          'string',
          'bool',
          (a, b) =>
            typeof a === 'string' && b !== null && a.toLowerCase().includes(b.toLowerCase()),
        ),
        infix('+', type, 'long', 'long', (a, b) =>
          typeof a !== 'bigint' || b === null ? null : wrapped(a + b),
        ),
        call('tostring', [type], 'string', (a) => textOf(a, 'mixed')),
        call('toint', [type], 'long', (a) => (typeof a === 'string' ? parsedLong(a) : a)),
      ]
    : []),
]);

function isNumber(of: Cell): of is number | bigint {
  return typeof of === 'number' || typeof of === 'bigint';
}

// ── Logic ─────────────────────────────────────────────────────────────────────────────────────────

const logic: readonly Operation[] = [
  infix('and', 'bool', 'bool', 'bool', (a, b) =>
    a === false || b === false ? false : a === null || b === null ? null : true,
  ),
  infix('or', 'bool', 'bool', 'bool', (a, b) =>
    a === true || b === true ? true : a === null || b === null ? null : false,
  ),
  call(
    'not',
    ['bool'],
    'bool',
    strict((a) => !a),
  ),
  ...[...plain, 'dynamic' as const, 'mixed' as const].flatMap((type): Operation[] => [
    call('isnull', [type], 'bool', (a) => a === null),
    call('isnotnull', [type], 'bool', (a) => a !== null),
  ]),
  call('isempty', ['string'], 'bool', (a) => a === null || a === ''),
  call('isnotempty', ['string'], 'bool', (a) => a !== null && a !== ''),
];

// ── Texts ─────────────────────────────────────────────────────────────────────────────────────────

type Test = (text: string, needle: string) => boolean;

const tests: Readonly<Record<string, Test>> = {
  contains: folded((text, needle) => text.includes(needle)),
  contains_cs: (text, needle) => text.includes(needle),
  startswith: folded((text, needle) => text.startsWith(needle)),
  startswith_cs: (text, needle) => text.startsWith(needle),
  endswith: folded((text, needle) => text.endsWith(needle)),
  endswith_cs: (text, needle) => text.endsWith(needle),
  has: folded(term(true, true)),
  has_cs: term(true, true),
  hasprefix: folded(term(true, false)),
  hasprefix_cs: term(true, false),
  hassuffix: folded(term(false, true)),
  hassuffix_cs: term(false, true),
};

function folded(test: Test): Test {
  return (text, needle) => test(text.toLowerCase(), needle.toLowerCase());
}

/** Whether the needle stands where its ends, if letters or digits, are the ends of terms. */
function term(head: boolean, tail: boolean): Test {
  const inTerm = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}]/u.test(c);
  return (text, needle) => {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      const start = !head || !inTerm(needle[0]) || !inTerm(text[at - 1]);
      const end = !tail || !inTerm(needle.at(-1)) || !inTerm(text[at + needle.length]);
      if (start && end) return true;
    }
    return false;
  };
}

/** Of a missing text every test fails, so that the negated ones hold. */
const texts: readonly Operation[] = [
  ...Object.entries(tests).flatMap(([name, test]): Operation[] => {
    const found: Compute = (a, b) => a !== null && b !== null && test(a, b);
    return [
      infix(name, 'string', 'string', 'bool', found),
      infix(`!${name}`, 'string', 'string', 'bool', (a, b) => !found(a, b)),
    ];
  }),
  infix('=~', 'string', 'string', 'bool', (a, b) => equal(lower(a), lower(b))),
  infix('!~', 'string', 'string', 'bool', (a, b) => !equal(lower(a), lower(b))),
  call(
    'tolower',
    ['string'],
    'string',
    strict((a) => a.toLowerCase()),
  ),
  call(
    'toupper',
    ['string'],
    'string',
    strict((a) => a.toUpperCase()),
  ),
  call(
    'strlen',
    ['string'],
    'long',
    strict((a) => BigInt([...a].length)),
  ),
  call('strcat', ['string', 'string'], 'string', (a, b) => `${a ?? ''}${b ?? ''}`),
  call('toint', ['string'], 'long', strict(parsedLong)),
  ...plain.map((type) => call('tostring', [type], 'string', (a) => textOf(a, type))),
  call('coalesce', ['string', 'string'], 'string', (a, b) => (a === null || a === '' ? b : a)),
];

function lower(of: string | null): string | null {
  return of === null ? null : of.toLowerCase();
}

function parsedLong(of: string): bigint | null {
  return /^[+-]?\d+$/.test(of) ? inRange(BigInt(of)) : null;
}

// ── Membership ────────────────────────────────────────────────────────────────────────────────────

const membership = plain
  .filter((type) => type !== 'bool')
  .flatMap((type): Operation[] => {
    const among: Compute = (x, ...items) => items.some((item) => equal(x, item));
    const takes = [type, type, type, type];
    const text =
      (name: string) =>
      (x: string | undefined, ...items: readonly string[]) =>
        `(${x} ${name} (${items.join(', ')}))`;
    return [
      { result: 'bool', takes, text: text('in'), of: among },
      { result: 'bool', takes, text: text('!in'), of: (...cells) => !among(...cells) },
    ];
  });
const foldedMembership: readonly Operation[] = [
  {
    result: 'bool',
    takes: ['string', 'string', 'string'],
    text: (x, a, b) => `(${x} in~ (${a}, ${b}))`,
    of: (x, ...items) => items.some((item) => equal(lower(x as string), lower(item as string))),
  },
];

// ── Numbers and times ─────────────────────────────────────────────────────────────────────────────

function modulo(a: bigint, b: bigint): bigint | null {
  const size = b < 0n ? -b : b;
  return b === 0n ? null : ((a % size) + size) % size;
}

/** Division cuts off towards zero, and by zero it is null. */
function wholes(type: 'long' | 'timespan'): Operation[] {
  const past = type === 'long' ? wrapped : inRange;
  const by = type === 'long' ? 'long' : 'timespan';
  return [
    infix(
      '+',
      type,
      by,
      type,
      strict((a: bigint, b: bigint) => past(a + b)),
    ),
    infix(
      '-',
      type,
      by,
      type,
      strict((a: bigint, b: bigint) => past(a - b)),
    ),
    infix(
      '*',
      type,
      'long',
      type,
      strict((a: bigint, b: bigint) => past(a * b)),
    ),
    infix(
      '/',
      type,
      'long',
      type,
      strict((a: bigint, b: bigint) => (b === 0n ? null : past(a / b))),
    ),
    { result: type, takes: [type], text: (a) => `(-${a})`, of: strict((a: bigint) => past(-a)) },
  ];
}

const numbers: readonly Operation[] = [
  ...wholes('long'),
  ...wholes('timespan'),
  infix('%', 'long', 'long', 'long', strict(modulo)),
  ...pairs
    .filter(([a, b]) => (a === 'real' || b === 'real') && a !== 'timespan')
    .flatMap(([a, b]) => [
      infix(
        '+',
        a,
        b,
        'real',
        strict((x, y) => Number(x) + Number(y)),
      ),
      infix(
        '-',
        a,
        b,
        'real',
        strict((x, y) => Number(x) - Number(y)),
      ),
      infix(
        '*',
        a,
        b,
        'real',
        strict((x, y) => Number(x) * Number(y)),
      ),
    ]),
  { result: 'real', takes: ['real'], text: (a) => `(${a} / 4.0)`, of: strict((a) => a / 4) },
  {
    result: 'real',
    takes: ['long'],
    text: (a) => `(${a} / -0.5)`,
    of: strict((a) => Number(a) / -0.5),
  },
  call(
    'todouble',
    ['long'],
    'real',
    strict((a) => Number(a)),
  ),
  infix(
    '-',
    'datetime',
    'datetime',
    'timespan',
    strict((a: bigint, b: bigint) => inRange(a - b)),
  ),
  infix(
    '+',
    'datetime',
    'timespan',
    'datetime',
    strict((a: bigint, b: bigint) => inRange(a + b)),
  ),
  infix(
    '-',
    'datetime',
    'timespan',
    'datetime',
    strict((a: bigint, b: bigint) => inRange(a - b)),
  ),
  {
    result: 'real',
    takes: ['timespan'],
    text: (a) => `(${a} / 2s)`,
    of: strict((a) => Number(a) / 2e9),
  },
];

// ── Choices ───────────────────────────────────────────────────────────────────────────────────────

/** A condition that is null is none that holds. */
const choices = plain.flatMap((type): Operation[] => [
  call('iff', ['bool', type, type], type, (test, a, b) => (test === true ? a : b)),
  call('case', ['bool', type, 'bool', type, type], type, (t, a, u, b, c) =>
    t === true ? a : u === true ? b : c,
  ),
  ...(type === 'string'
    ? []
    : [call('coalesce', [type, type, type], type, (a, b, c) => a ?? b ?? c)]),
]);

// ── Dynamic values ────────────────────────────────────────────────────────────────────────────────

const dynamics: readonly Operation[] = [
  {
    result: 'dynamic',
    takes: ['dynamic'],
    text: (a) => `${a}.k`,
    of: (a) => (isBag(a as Json) ? ((a as { k?: Json }).k ?? null) : null),
  },
  {
    result: 'dynamic',
    takes: ['dynamic'],
    text: (a) => `${a}[1]`,
    of: (a) => element(a ?? null, 1),
  },
  call('array_length', ['dynamic'], 'long', (a) => (isList(a) ? BigInt(a.length) : null)),
  ...(['long', 'string', 'bool', 'datetime', 'timespan', 'real'] as const).map((type) =>
    call('pack_array', [type, 'long'], 'dynamic', (a, b) => [asDynamic(a, type), b]),
  ),
  {
    result: 'dynamic',
    takes: ['long'],
    text: (a) => `bag_pack("k", ${a})`,
    of: (a) => ({ k: a ?? null }),
  },
];

function element(of: Cell, at: number): Json {
  if (of instanceof Unordered) throw new Ambiguous('an item of a list of no order');
  return isList(of) ? (of[at] ?? null) : null;
}

export const operations: readonly Operation[] = [
  ...comparisons,
  ...loose,
  ...logic,
  ...texts,
  ...membership,
  ...foldedMembership,
  ...numbers,
  ...choices,
  ...dynamics,
];
