/** Finds the known name closest to a misspelled one. All "did you mean" hints use it. */
import { getOrCreate } from '../maps.ts';

/** The maximum number of edits between a name and its match. */
const maxMistakes = 3;

/** Returns the maximum number of edits for a name of this length. Short names allow fewer, to avoid wrong guesses. */
function allowance(length: number): number {
  if (length <= 2) return 0;
  if (length <= 4) return 1;
  return length <= 8 ? 2 : maxMistakes;
}

/** The maximum length of a name. Longer names have no match, and longer candidates are ignored. */
const longestName = 256;

/**
 * Returns the candidate closest to `name`, or undefined if none is close. A missing, extra, changed or swapped letter
 * counts as one edit. A difference in case and separators counts as half an edit. A tie goes to the longest common
 * prefix, then to alphabetical order, so the order of candidates doesn't matter.
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

/** Names indexed by length, so that repeated searches compare only the names of a similar length. */
export class NameIndex {
  readonly #byLength = new Map<number, string[]>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      getOrCreate(this.#byLength, bareOf(name).text.length, (): string[] => []).push(name);
    }
  }

  /** Yields the names of similar length, which include all possible results of `closest`. */
  *near(name: string): Iterable<string> {
    const { length } = bareOf(name).text;
    for (let one = length - maxMistakes; one <= length + maxMistakes; one++) {
      yield* this.#byLength.get(one) ?? [];
    }
  }
}

/** Returns at most `most` candidates: the closest, then candidates nearly as close. */
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

/** The maximum difference in edits between the closest candidate and other results. */
const closeBehind = 0.5;

/** Returns whether two names differ only in case and separators, as `UserId` and `user_id` do. */
export function differsInFormOnly(a: string, b: string): boolean {
  return strip(a) === strip(b);
}

function strip(name: string): string {
  return name.toLowerCase().replace(/[_\-.\s]/g, '');
}

/** A normalized name, and its letters as a bit set. Comparing bit sets quickly rules out most pairs. */
interface Bare {
  readonly text: string;
  readonly letters: number;
}

/** Normalized names, cached because most candidates are compared many times. */
const known = new Map<string, Bare>();
/** The maximum number of cached names, several times the number of fields of a large dataset. */
const maxKnown = 50_000;

function bareOf(candidate: string): Bare {
  let bare = known.get(candidate);
  if (bare === undefined) {
    const text = strip(candidate);
    bare = { text, letters: lettersOf(text) };
    if (known.size >= maxKnown) known.clear();
    known.set(candidate, bare);
  }
  return bare;
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Returns the number of edits between names, or undefined if above `limit`. Different case or separators cost 0.5. */
function costOf(name: string, bare: Bare, candidate: string, limit: number): number | undefined {
  const other = bareOf(candidate);
  // A name made only of separators has no close match.
  if (other.text === '' || bare.text === '') return undefined;
  if (other.text === bare.text) return 0.5;
  const most = Math.min(limit, allowance(Math.max(bare.text.length, other.text.length)));
  // An edit changes at most two bits: a changed letter removes one letter and adds another.
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

/** Returns the optimal string alignment distance of two strings, or undefined if it exceeds `most`. */
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
    // No later row can cost less than `least`, even after a swap. The 1 is a safety margin.
    if (least > most + 1) return undefined;
    beforeLast = last;
    last = current;
  }
  const found = last[b.length] as number;
  return found <= most ? found : undefined;
}
