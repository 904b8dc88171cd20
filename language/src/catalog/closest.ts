/** Finds the name that someone most likely meant: the answer behind every "did you mean". */

/** The most mistakes that any name may have. */
const mostMistakes = 3;

/** How many mistakes a name of some length may have: a short name with two of them could be any other. */
function allowance(length: number): number {
  if (length <= 2) return 0;
  if (length <= 4) return 1;
  return length <= 8 ? 2 : mostMistakes;
}

/** Longer names are not compared: a whole text stands there by accident, and no candidate is so long. */
const longestName = 256;

/**
 * The candidate nearest to `name`, or undefined when none is near. Letters left out, added, changed or
 * swapped with their neighbour count one each; case and underscores count less. Among equals the one with
 * the longest common start wins, then the alphabet, so that the order of the candidates does not matter.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longestName) return undefined;
  const bare = bareOf(name);
  let best:
    | { readonly candidate: string; readonly cost: number; readonly start: number }
    | undefined;
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > longestName) continue;
    const limit = best?.cost ?? allowance(Math.max(bare.text.length, 1)) + 1;
    const cost = costOf(name, bare, candidate, limit);
    if (cost === undefined) continue;
    const start = commonStart(name, candidate);
    const better =
      best === undefined ||
      cost < best.cost ||
      (cost === best.cost &&
        (start > best.start || (start === best.start && candidate < best.candidate)));
    if (better) best = { candidate, cost, start };
  }
  return best?.candidate;
}

/** Names that are searched for again and again, by their length, so that few of them are compared. */
export class NameIndex {
  readonly #byLength = new Map<number, string[]>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const { length } = bareOf(name).text;
      const same = this.#byLength.get(length);
      if (same === undefined) this.#byLength.set(length, [name]);
      else same.push(name);
    }
  }

  /** All names that `closest` may find for this one, and some others. */
  *near(name: string): Iterable<string> {
    const { length } = bareOf(name).text;
    for (let one = length - mostMistakes; one <= length + mostMistakes; one++) {
      yield* this.#byLength.get(one) ?? [];
    }
  }
}

/**
 * The candidates that `name` may stand for, the nearest first: the one that `closest` gives, and others
 * that are hardly farther from it. At most `most` of them, none when nothing is near.
 */
export function closestFew(name: string, candidates: Iterable<string>, most: number): string[] {
  if (name.length === 0 || name.length > longestName) return [];
  const bare = bareOf(name);
  const limit = allowance(Math.max(bare.text.length, 1)) + 1;
  const near: { readonly candidate: string; readonly cost: number; readonly start: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name || candidate.length > longestName) continue;
    const cost = costOf(name, bare, candidate, limit);
    if (cost !== undefined) near.push({ candidate, cost, start: commonStart(name, candidate) });
  }
  near.sort((a, b) => a.cost - b.cost || b.start - a.start || (a.candidate < b.candidate ? -1 : 1));
  const [best] = near;
  if (best === undefined) return [];
  return near
    .filter(({ cost }) => cost <= best.cost + closeBehind)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** How much farther than the nearest name another may be to be offered beside it. */
const closeBehind = 0.5;

/** A name as one hears it: without case and without what only joins its words. */
function strip(name: string): string {
  return name.toLowerCase().replace(/[_\-.\s]/g, '');
}

/** A name as it is compared, and its letters as bits, which tell most pairs of names apart at once. */
interface Bare {
  readonly text: string;
  readonly letters: number;
}

/** What was made of candidates. Nearly all are names of the catalog and fields, which come again and again. */
const known = new Map<string, Bare>();
/** Several times the fields of a large dataset: a cache that they overflow is made again for every query. */
const mostKnown = 50_000;

function bareOf(candidate: string): Bare {
  let bare = known.get(candidate);
  if (bare === undefined) {
    const text = strip(candidate);
    bare = { text, letters: lettersOf(text) };
    if (known.size >= mostKnown) known.clear();
    known.set(candidate, bare);
  }
  return bare;
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

/** How many bits are set. */
function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** How far `candidate` is from the name; undefined beyond `limit`. Half a point stands for case and joints. */
function costOf(name: string, bare: Bare, candidate: string, limit: number): number | undefined {
  const other = bareOf(candidate);
  // A name of joints only is near to none.
  if (other.text === '' || bare.text === '') return undefined;
  if (other.text === bare.text) return 0.5;
  const most = Math.min(limit, allowance(Math.max(bare.text.length, other.text.length)));
  // A changed letter takes one bit away and brings another, and no other mistake does as much.
  if (countBits(bare.letters ^ other.letters) > 2 * most) return undefined;
  const edits = distance(bare.text, other.text, most);
  if (edits === undefined) return undefined;
  const cost = edits + (name.length === candidate.length || edits > 0 ? 0 : 0.5);
  return cost <= limit ? cost : undefined;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/**
 * The number of letters left out, added, changed or swapped between two texts, each letter touched once
 * (optimal string alignment); undefined when there are more than `most`.
 */
export function distance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
      if (cost < least) least = cost;
    }
    // A swap reaches back over one row, so only two rows beyond the bound end the search.
    if (least > most + 1) return undefined;
    beforeLast = last;
    last = current;
  }
  const found = last[b.length] as number;
  return found <= most ? found : undefined;
}
