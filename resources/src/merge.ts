// Merges two changes of one document by member, and arrays whose items have identifiers by item. A change made on one
// side only is taken. Different changes on both sides are a conflict, marked in the text as in version control.
import { documentText, sortMembers } from './documents.ts';
import { equal, isMembers, type Members } from './value.ts';

/** A member changed on both sides, with the base. A side without the member is undefined. */
class Conflict {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;

  constructor(base: unknown, mine: unknown, theirs: unknown) {
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
  }
}

export interface MergeResult {
  /** The text, with marks around each conflict. A document without conflicts is valid JSON. */
  readonly text: string;
  readonly conflicts: number;
}

/** The names of the sides shown in the marks. */
export interface SideNames {
  readonly mine: string;
  readonly base: string;
  readonly theirs: string;
}

export function mergeDocuments(
  base: Members,
  mine: Members,
  theirs: Members,
  names: SideNames,
): MergeResult {
  const merged = mergeMembers(base, mine, theirs);
  const conflicts = countConflicts(merged);
  if (conflicts === 0) return { text: documentText(merged), conflicts };
  return { text: `${print(sortMembers(merged), '', names)}\n`, conflicts };
}

/** Merges two changes of one document; undefined if both sides changed the same member differently. */
export function mergeDisjoint(base: Members, mine: Members, theirs: Members): Members | undefined {
  const merged = mergeMembers(base, mine, theirs);
  return countConflicts(merged) === 0 ? merged : undefined;
}

/** Merges two changes of one document. Keeps my side of members that both sides changed. */
export function mergeKeepingMine(base: Members, mine: Members, theirs: Members): Members {
  return resolveToMine(mergeMembers(base, mine, theirs)) as Members;
}

function resolveToMine(value: unknown): unknown {
  if (value instanceof Conflict) return value.mine;
  if (Array.isArray(value)) return value.map(resolveToMine).filter((item) => item !== undefined);
  if (!isMembers(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, resolveToMine(member)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Merges two changes of one text, which is treated as a single value. */
export function mergeStrings(
  base: string,
  mine: string,
  theirs: string,
  names: SideNames,
): MergeResult {
  const merged = mergeValues(base, mine, theirs);
  if (typeof merged === 'string') return { text: merged, conflicts: 0 };
  return { text: withMarkers({ base, mine, theirs }, names), conflicts: 1 };
}

const MARKER_LENGTH = 7;
const marker = (character: string) => character.repeat(MARKER_LENGTH);

/** Marks a conflict in Git's diff3 style, which VS Code colors. */
function withMarkers(
  sides: Readonly<Record<'base' | 'mine' | 'theirs', string>>,
  names: SideNames,
) {
  const line = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const [mine, base, theirs] = [sides.mine, sides.base, sides.theirs].map(line);
  return `${marker('<')} ${names.mine}\n${mine}${marker('|')} ${names.base}\n${base}${marker('=')}\n${theirs}${marker('>')} ${names.theirs}\n`;
}

/** Returns whether a text still contains conflict marks. */
export function hasConflictMarkers(text: string): boolean {
  return /^<{7} .*\n[\s\S]*^={7}$[\s\S]*^>{7} /m.test(text);
}

/** A marked conflict with the sides to choose from. Offsets include the marks. */
export interface MarkedConflict {
  readonly start: number;
  readonly end: number;
  readonly mine: string;
  readonly theirs: string;
}

/** Returns the marked conflicts of a document, in order. */
export function markedConflicts(text: string): MarkedConflict[] {
  const marks =
    /^<{7} .*\r?\n([\s\S]*?)(?:^\|{7} .*\r?\n[\s\S]*?)?^={7}\r?\n([\s\S]*?)^>{7} .*(?:\r?\n|$)/gm;
  return [...text.matchAll(marks)].map(({ index, 0: all, 1: mine = '', 2: theirs = '' }) => ({
    start: index,
    end: index + all.length,
    mine,
    theirs,
  }));
}

function mergeValues(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (equal(mine, theirs) || equal(base, theirs)) return mine;
  if (equal(base, mine)) return theirs;
  if (isMembers(mine) && isMembers(theirs)) {
    return mergeMembers(isMembers(base) ? base : {}, mine, theirs);
  }
  const lists = [base, mine, theirs].map(itemsById);
  const [before, own, other] = lists;
  if (before && own && other) return mergeItems(before, own, other);
  return new Conflict(base, mine, theirs);
}

function mergeMembers(base: Members, mine: Members, theirs: Members): Members {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const member = (side: Members, name: string) =>
    Object.hasOwn(side, name) ? side[name] : undefined;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = mergeValues(member(base, name), member(mine, name), member(theirs, name));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Returns an array's items by identifier, if each has a different one, such as charts and their positions. */
export function itemsById(value: unknown): ReadonlyMap<string, Members> | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = new Map<string, Members>();
  for (const item of value) {
    if (!isMembers(item)) return undefined;
    const id = item.id ?? item.i;
    if (typeof id !== 'string' || items.has(id)) return undefined;
    items.set(id, item);
  }
  return items;
}

/**
 * Merges items in the order of the side that reordered them, mine if both did. The other side's additional items
 * follow.
 */
function mergeItems(
  base: ReadonlyMap<string, Members>,
  mine: ReadonlyMap<string, Members>,
  theirs: ReadonlyMap<string, Members>,
): unknown[] {
  const isTheirs = !isReordered(base, mine) && isReordered(base, theirs);
  const sides = isTheirs ? [theirs, mine] : [mine, theirs];
  const ids = [...new Set(sides.flatMap((side) => [...side.keys()]))];
  return ids
    .map((id) => mergeValues(base.get(id), mine.get(id), theirs.get(id)))
    .filter((item) => item !== undefined);
}

/** Returns whether the common items are in another order. */
function isReordered(
  base: ReadonlyMap<string, Members>,
  side: ReadonlyMap<string, Members>,
): boolean {
  const before = [...base.keys()].filter((id) => side.has(id));
  const now = [...side.keys()].filter((id) => base.has(id));
  return before.some((id, index) => id !== now[index]);
}

function countConflicts(value: unknown): number {
  if (value instanceof Conflict) return 1;
  if (Array.isArray(value)) return sum(value.map(countConflicts));
  return isMembers(value) ? sum(Object.values(value).map(countConflicts)) : 0;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

interface Entry {
  /** A member's name with its colon; empty for an item. */
  readonly label: string;
  readonly value: unknown;
}

function print(value: unknown, indent: string, names: SideNames): string {
  if (countConflicts(value) === 0) return indentValue(value, indent);
  const isList = Array.isArray(value);
  const entries: Entry[] = isList
    ? value.map((item) => ({ label: '', value: item }))
    : Object.entries(value as Members).map(([name, member]) => ({
        label: `${JSON.stringify(name)}: `,
        value: member,
      }));
  // Removals come first, so that removing the last member leaves no trailing comma to fix.
  const sorted = entries.toSorted(
    (a, b) => Number(isRemoval(b.value)) - Number(isRemoval(a.value)),
  );
  const inner = `${indent}  `;
  const lines = sorted.map(({ label, value: member }, index) => {
    const comma = index < sorted.length - 1 ? ',' : '';
    if (!(member instanceof Conflict)) {
      return `${inner}${label}${print(member, inner, names)}${comma}\n`;
    }
    const side = (one: unknown) =>
      one === undefined ? '' : `${inner}${label}${indentValue(one, inner)}${comma}\n`;
    const { base, mine, theirs } = member;
    return withMarkers({ base: side(base), mine: side(mine), theirs: side(theirs) }, names);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function isRemoval(value: unknown): boolean {
  return value instanceof Conflict && (value.mine === undefined || value.theirs === undefined);
}

function indentValue(value: unknown, indent: string): string {
  // Formats the value as a member, because only objects can be formatted.
  const text = documentText({ value } as Members);
  const inside = text.slice('{\n  "value": '.length, -'\n}\n'.length);
  return inside.replaceAll('\n  ', `\n${indent}`);
}
