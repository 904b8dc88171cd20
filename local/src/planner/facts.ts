/**
 * Analyzes the SQL that the program itself writes: templates and macro bodies. Names and literals from a query only
 * fill holes and are never parsed.
 */
import { type Macro, macros } from './macros.ts';

/** Bits for constructs that DuckDB accepts only in some positions. */
export const holding = {
  /** A sub-query, which isn't allowed inside TRY or a lambda. */
  select: 1,
  /** A lambda. Some lambdas inside TRY crash the process. */
  lambda: 2,
  try: 4,
  /** `random()`, which TRY rejects. */
  volatile: 8,
  /** A construct in a position that doesn't allow it, or a volatile expression written more than once. */
  misplaced: 16,
} as const;

/** A position in a template that another piece of SQL fills. */
interface Hole {
  /** How often the piece occurs after macro expansion. */
  readonly times: number;
  /** The enclosing constructs, TRY or a lambda, as bits of `holding`. */
  readonly within: number;
}

export interface Notes {
  /** Bits of `holding`. */
  readonly holds: number;
  /** One bit per macro used directly or by another macro. */
  readonly macros: bigint;
  /** The number of words in the template, including its macros. */
  readonly weight: number;
  readonly holes: readonly Hole[];
}

const sensitive = holding.select | holding.lambda | holding.volatile;

/** Returns the bits that a piece adds to the result when it fills a hole. */
export function held(holds: number, { times, within }: Hole): number {
  if ((holds & sensitive) === 0) return holds;
  const select = within !== 0 && (holds & holding.select) !== 0;
  const tried = (within & holding.try) !== 0 && (holds & (holding.lambda | holding.volatile)) !== 0;
  const repeated = times > 1 && (holds & holding.volatile) !== 0;
  return select || tried || repeated ? holds | holding.misplaced : holds;
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

/** Returns the names of macros, in the order of creation. */
export function macroNames(bits: bigint): readonly string[] {
  const names: string[] = [];
  // Scans in 32-bit numbers, because one bigint per macro takes longer than planning a small query.
  for (let first = 0, rest = bits; rest !== 0n; first += 32, rest >>= 32n) {
    for (let some = Number(BigInt.asUintN(32, rest)); some !== 0; ) {
      const bit = 31 - Math.clz32(some & -some);
      names.push((macros[first + bit] as Macro).name);
      some = (some & (some - 1)) >>> 0;
    }
  }
  return names;
}

const ofMacros = new Map<string, Notes>();

/** Returns the notes of a macro's body, with its parameters as the holes. */
function notesOfMacro(name: string): Notes {
  const known = ofMacros.get(name);
  if (known !== undefined) return known;
  const found = macroOf(name);
  if (found === undefined) throw new Error(`The macro ${name} does not exist.`);
  const { body, parameters } = found.macro;
  const notes = read(body, parameters);
  const own = { ...notes, macros: notes.macros | found.bit };
  ofMacros.set(name, own);
  return own;
}

/** Separates the strings of a template; never occurs in SQL. */
const gap = '\0';

/** Returns the notes of a template, given the strings around its holes. */
export function notesOfTemplate(strings: readonly string[]): Notes {
  return read(strings.join(gap), strings.length - 1);
}

const callNotes = new Map<string, Notes>();

/** Returns the notes of a call of a function or macro with `count` arguments. */
export function notesOfCall(name: string, count: number): Notes {
  const key = `${name} ${count}`;
  const known = callNotes.get(key);
  if (known !== undefined) return known;
  const notes = read(`${name}(${Array(count).fill(gap).join(', ')})`, count);
  callNotes.set(key, notes);
  return notes;
}

/**
 * Tokens of SQL. Quoted text is a single token and is ignored. `:` ends the parameters of a lambda, but `::` is a cast.
 */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|apl\.\w+\(|\bTRY\(|[A-Za-z_]\w*|::|[()[\]{},:]|\0/g;

/** The state inside an open bracket. */
interface Level {
  readonly times: number;
  readonly within: number;
  /** The called macro; `argument` is the index of the current argument. */
  readonly macro?: Notes;
  argument: number;
  lambda: 'none' | 'parameters' | 'body';
}

/** Analyzes the program's own SQL. Holes are gaps, or names of parameters. */
function read(text: string, gaps: number | readonly string[]): Notes {
  const names = typeof gaps === 'number' ? [] : gaps;
  const holes = Array.from({ length: typeof gaps === 'number' ? gaps : names.length }, () => ({
    times: 0,
    within: 0,
  }));
  let holds = 0;
  let needed = 0n;
  let weight = 0;
  let nextGap = 0;
  const levels: Level[] = [{ times: 1, within: 0, argument: 0, lambda: 'none' }];
  for (const [word] of text.matchAll(token)) {
    const level = levels.at(-1) as Level;
    const [times, within] = inside(level);
    const hole = word === gap ? nextGap++ : names.indexOf(word);
    if (hole >= 0) {
      const at = holes[hole] as { times: number; within: number };
      at.times += times;
      at.within |= within;
    } else if (word.startsWith('apl.')) {
      const macro = notesOfMacro(word.slice(4, -1));
      holds |= held(macro.holds, { times, within });
      needed |= macro.macros;
      weight += times * macro.weight;
      levels.push({ times, within, macro, argument: 0, lambda: 'none' });
    } else if (word === 'TRY(') {
      holds |= holding.try;
      levels.push({ times, within: within | holding.try, argument: 0, lambda: 'none' });
    } else if ('([{'.includes(word)) {
      levels.push({ times, within, argument: 0, lambda: 'none' });
    } else if (')]}'.includes(word)) {
      levels.pop();
    } else if (word === ',') {
      if (level.lambda === 'body') level.lambda = 'none';
      if (level.lambda === 'none') level.argument++;
    } else if (word === ':') {
      if (level.lambda === 'parameters') level.lambda = 'body';
    } else if (word === 'lambda') {
      holds |= held(holding.lambda, { times, within });
      level.lambda = 'parameters';
    } else {
      if (word === 'SELECT') holds |= held(holding.select, { times, within });
      if (word === 'random') holds |= held(holding.volatile, { times, within });
      weight += times;
    }
  }
  return { holds, macros: needed, weight, holes };
}

/** Returns the repetitions and enclosing constructs of the next token in a bracket. */
function inside({ times, within, macro, argument, lambda }: Level): readonly [number, number] {
  const body = lambda === 'body' ? within | holding.lambda : within;
  const hole = macro?.holes[argument];
  return hole === undefined ? [times, body] : [times * hole.times, body | hole.within];
}
