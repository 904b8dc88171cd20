/** Checks that a rename preserves the meaning of every name and the result columns, and causes no new problem. */
import type { QueryAnalysis } from '../analysis.ts';
import type { BoundQuery } from '../binding/bound.ts';
import type { Edit } from '../edits.ts';
import { getOrCreate } from '../maps.ts';
import { inQuotes, quoteName } from '../names.ts';
import { inTextOrder } from '../text.ts';
import { identitiesOf, type Use } from './identity.ts';
import type { RenameTarget } from './renameTarget.ts';

export interface Expected {
  readonly target: RenameTarget;
  readonly name: string;
  /** Whether a number that a join appends to the old name is also appended to the new name. */
  readonly numbered: 'kept' | 'dropped';
}

export function renamed(used: string, { target, name, numbered }: Expected): string {
  const number = used.startsWith(target.name) ? used.slice(target.name.length) : '';
  return /^\d+$/.test(number) && numbered === 'kept' ? `${name}${number}` : name;
}

/** Describes an unintended change in a sentence, or returns undefined if there is none. */
export function difference(
  before: QueryAnalysis,
  after: QueryAnalysis,
  edits: readonly Edit[],
  expected: Expected,
): string | undefined {
  return (
    otherMeaning(before.bound, after.bound, edits, expected) ??
    newProblem(before, after) ??
    otherColumns(before.bound, after.bound, expected)
  );
}

/** Returns a message if a name would change its meaning. Compares the names at each position before and after. */
function otherMeaning(
  before: BoundQuery,
  after: BoundQuery,
  edits: readonly Edit[],
  expected: Expected,
): string | undefined {
  const now = new Map<number, Use[]>();
  for (const use of identitiesOf(after).uses) getOrCreate(now, use.start, () => []).push(use);
  const move = follow(edits);
  const there = new Map<string, string>();
  const back = new Map<string, string>();
  for (const use of identitiesOf(before).uses) {
    const start = move(use.start);
    // Skip a join key that was split into two columns, because the uses of these columns are compared instead.
    if (start === undefined) continue;
    const isTarget = expected.target.keys.has(use.key);
    const name = isTarget ? renamed(use.reference.name, expected) : use.reference.name;
    const same = now.get(start)?.find(({ reference, key }) => {
      if (reference.name !== name || reference.meaning.kind !== use.reference.meaning.kind)
        return false;
      if (reference.definition !== use.reference.definition) return false;
      return (there.get(use.key) ?? key) === key && (back.get(key) ?? use.key) === use.key;
    });
    if (same === undefined) {
      return `${inQuotes(quoteName(name))} in "${excerpt(after, start)}" would refer to something else. Choose another name.`;
    }
    there.set(use.key, same.key);
    back.set(same.key, use.key);
  }
  return undefined;
}

function excerpt({ tree }: BoundQuery, at: number): string {
  const { text } = tree;
  const start = Math.max(text.lastIndexOf('|', at), text.lastIndexOf('\n', at)) + 1;
  const [line = ''] = text.slice(start, start + 60).split(/[\r\n]/, 1);
  return line.trim();
}

/** Returns a function that maps ascending offsets to offsets after the edits. Maps a split join key to undefined. */
function follow(edits: readonly Edit[]): (offset: number) => number | undefined {
  const ordered = inTextOrder([...edits]);
  let next = 0;
  let moved = 0;
  return (offset) => {
    for (let edit = ordered[next]; edit !== undefined; edit = ordered[++next]) {
      // A name at an insertion moves after the inserted text. A replaced name stays at its start.
      if (edit.start > offset || (edit.start === offset && edit.end > offset)) break;
      moved += edit.text.length - (edit.end - edit.start);
    }
    const edit = ordered[next];
    const apart = edit?.start === offset && edit.text.startsWith('$left');
    return apart ? undefined : offset + moved;
  };
}

function newProblem(before: QueryAnalysis, after: QueryAnalysis): string | undefined {
  const counts = new Map<string, number>();
  for (const { code } of before.problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const { code, message } of after.problems) {
    const left = (counts.get(code) ?? 0) - 1;
    if (left < 0) return `The new name would cause a problem: ${message}`;
    counts.set(code, left);
  }
  return undefined;
}

function otherColumns(
  before: BoundQuery,
  after: BoundQuery,
  expected: Expected,
): string | undefined {
  const identities = identitiesOf(before);
  for (const [i, { columns }] of before.pipelines.entries()) {
    const wanted = new Set<string>();
    for (const column of columns.list) {
      const isTarget =
        (column.definition ?? column.merged) !== undefined &&
        expected.target.keys.has(identities.keyOf(column));
      wanted.add(isTarget ? renamed(column.name, expected) : column.name);
    }
    const given = new Set(after.pipelines[i]?.columns.list.map(({ name }) => name));
    const lost = [...wanted].find((name) => !given.has(name));
    const found = [...given].find((name) => !wanted.has(name));
    if (found === expected.name && lost === undefined) {
      return `The result would contain both columns, because another column of the same name replaces this one. Use project-rename instead.`;
    }
    if (lost !== undefined || found !== undefined || wanted.size !== columns.list.length) {
      const name = lost ?? found;
      const state = lost === undefined ? 'new' : 'missing';
      const which = name === undefined ? '' : `: ${inQuotes(quoteName(name))} is ${state}`;
      return `The columns of the result would change${which}. Choose another name, or use project-rename.`;
    }
  }
  return undefined;
}
