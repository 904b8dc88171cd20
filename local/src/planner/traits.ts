/**
 * The traits of SQL templates and macro bodies, each analyzed once. A fragment's traits are combined from its template
 * and the fragments that fill the template's holes, so a complete statement is never analyzed.
 */
import type { Macro } from './macros.ts';

/** Bits for constructs that DuckDB accepts only in some positions, and for TRY, which rejects some constructs. */
export const construct = {
  /** A sub-query, which isn't allowed inside TRY or a lambda. */
  select: 1,
  /** A lambda expression. DuckDB crashes on some lambdas inside TRY. */
  lambda: 2,
  try: 4,
  /** A call of `random()`, which isn't allowed inside TRY, or a sample. */
  volatile: 8,
  /** A construct in a position that DuckDB rejects, or a volatile expression or lambda that is repeated. */
  misplaced: 16,
} as const;

/** A position in a template that another fragment fills. */
interface Hole {
  /** How often the fragment occurs after macro expansion. */
  readonly times: number;
  /** The enclosing SQL constructs (TRY or a lambda), as bits of `construct`. */
  readonly within: number;
}

export interface TemplateTraits {
  readonly constructs: number;
  /** The macros used directly or indirectly, as a bit set. */
  readonly macros: bigint;
  /** The number of words in the template after macro expansion. */
  readonly weight: number;
  readonly holes: readonly Hole[];
}

const volatileWords: ReadonlySet<string> = new Set(['random', 'TABLESAMPLE']);

const sensitive = construct.select | construct.lambda | construct.volatile;

/** Returns the constructs that a fragment adds to a template when it fills a hole. */
export function constructsInHole(constructs: number, { times, within }: Hole): number {
  if ((constructs & sensitive) === 0) return constructs;
  const select = within !== 0 && (constructs & construct.select) !== 0;
  const tried =
    (within & construct.try) !== 0 && (constructs & (construct.lambda | construct.volatile)) !== 0;
  const repeated = times > 1 && (constructs & construct.volatile) !== 0;
  return select || tried || repeated ? constructs | construct.misplaced : constructs;
}

let macros: readonly Macro[] = [];

/** Sets the known macros. `macros.ts` calls this, because an import here would be circular. */
export function registerMacros(all: readonly Macro[]): void {
  macros = all;
}

const byName = new Map<string, { readonly macro: Macro; readonly bit: bigint }>();

function macroOf(name: string) {
  if (byName.size === 0) {
    for (const [i, macro] of macros.entries()) {
      byName.set(macro.name, { macro, bit: 1n << BigInt(i) });
    }
  }
  return byName.get(name);
}

export function macroNames(bits: bigint): readonly string[] {
  const names: string[] = [];
  // Scan 32 bits at a time, because a bigint per macro would take longer than planning a small query.
  for (let first = 0, rest = bits; rest !== 0n; first += 32, rest >>= 32n) {
    for (let some = Number(BigInt.asUintN(32, rest)); some !== 0; ) {
      const bit = 31 - Math.clz32(some & -some);
      names.push((macros[first + bit] as Macro).name);
      some = (some & (some - 1)) >>> 0;
    }
  }
  return names;
}

const knownMacros = new Map<string, TemplateTraits>();

/** Returns a macro's traits. The holes of the body are the macro's parameters. */
function macroTraits(name: string): TemplateTraits {
  const known = knownMacros.get(name);
  if (known !== undefined) return known;
  const found = macroOf(name);
  if (found === undefined) throw new Error(`The macro ${name} does not exist.`);
  const { body, parameters } = found.macro;
  const traits = analyze(body, parameters);
  const own = { ...traits, macros: traits.macros | found.bit };
  knownMacros.set(name, own);
  return own;
}

/** Replaces the holes of a template. This character never occurs in SQL. */
const gap = '\0';

/** Returns a template's traits. `strings` are the parts between the holes. */
export function templateTraits(strings: readonly string[]): TemplateTraits {
  return analyze(strings.join(gap), strings.length - 1);
}

const knownCalls = new Map<string, TemplateTraits>();

export function callTraits(name: string, count: number): TemplateTraits {
  const key = `${name} ${count}`;
  const known = knownCalls.get(key);
  if (known !== undefined) return known;
  const traits = analyze(`${name}(${Array(count).fill(gap).join(', ')})`, count);
  knownCalls.set(key, traits);
  return traits;
}

/** Matches tokens of SQL. Quoted text is a single token. `:` ends the parameters of a lambda, but `::` is a cast. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|apl\.\w+\(|\bTRY\(|[A-Za-z_]\w*|::|[()[\]{},:]|\0/g;

interface Bracket {
  readonly times: number;
  readonly within: number;
  /** `argument` is the index of the current argument. */
  readonly macro?: TemplateTraits;
  argument: number;
  lambda: 'none' | 'parameters' | 'body';
}

/** Returns the traits of SQL. `gaps` is the number of holes, or the list of parameters that are holes. */
function analyze(text: string, gaps: number | readonly string[]): TemplateTraits {
  const names = typeof gaps === 'number' ? [] : gaps;
  const holes = Array.from({ length: typeof gaps === 'number' ? gaps : names.length }, () => ({
    times: 0,
    within: 0,
  }));
  let constructs = 0;
  let usedMacros = 0n;
  let weight = 0;
  let nextGap = 0;
  const brackets: Bracket[] = [{ times: 1, within: 0, argument: 0, lambda: 'none' }];
  for (const [word] of text.matchAll(token)) {
    const bracket = brackets.at(-1) as Bracket;
    const [times, within] = positionIn(bracket);
    const hole = word === gap ? nextGap++ : names.indexOf(word);
    if (hole >= 0) {
      const at = holes[hole] as { times: number; within: number };
      at.times += times;
      at.within |= within;
    } else if (word.startsWith('apl.')) {
      const macro = macroTraits(word.slice(4, -1));
      constructs |= constructsInHole(macro.constructs, { times, within });
      usedMacros |= macro.macros;
      weight += times * macro.weight;
      brackets.push({ times, within, macro, argument: 0, lambda: 'none' });
    } else if (word === 'TRY(') {
      constructs |= construct.try;
      brackets.push({ times, within: within | construct.try, argument: 0, lambda: 'none' });
    } else if ('([{'.includes(word)) {
      brackets.push({ times, within, argument: 0, lambda: 'none' });
    } else if (')]}'.includes(word)) {
      brackets.pop();
    } else if (word === ',') {
      if (bracket.lambda === 'body') bracket.lambda = 'none';
      if (bracket.lambda === 'none') bracket.argument++;
    } else if (word === ':') {
      if (bracket.lambda === 'parameters') bracket.lambda = 'body';
    } else if (word === 'lambda') {
      constructs |= constructsInHole(construct.lambda, { times, within });
      bracket.lambda = 'parameters';
    } else {
      if (word === 'SELECT') constructs |= constructsInHole(construct.select, { times, within });
      if (volatileWords.has(word))
        constructs |= constructsInHole(construct.volatile, { times, within });
      weight += times;
    }
  }
  return { constructs, macros: usedMacros, weight, holes };
}

/** Returns how often the next token occurs after macro expansion, and the constructs that enclose it. */
function positionIn({
  times,
  within,
  macro,
  argument,
  lambda,
}: Bracket): readonly [number, number] {
  const body = lambda === 'body' ? within | construct.lambda : within;
  const hole = macro?.holes[argument];
  return hole === undefined ? [times, body] : [times * hole.times, body | hole.within];
}
