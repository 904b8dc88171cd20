/**
 * Decides where lines break between tokens. A group stays on one line if it contains no required line break, and fits
 * there together with the text up to the next possible break.
 */
import type { FormatOptions } from './options.ts';
import { type Group, lineEnd, type Sheet, spacing } from './sheet.ts';
import { textBetween } from './spacing.ts';

export interface Layout {
  /** For each gap between tokens, the indentation level of the line that starts there, or -1 if none does. */
  readonly levels: Int32Array;
  /** For each gap, the indentation level of a line that starts there because a comment ended the preceding line. */
  readonly forced: Int32Array;
}

/** A group that contains the current token. */
interface Open {
  readonly group: Group;
  /** The indentation level of the line on which the group starts. */
  readonly base: number;
  readonly broken: boolean;
  /** The next gap after the group where the line may break. The text up to this gap must fit too. */
  readonly limit: number;
  next: number;
}

export function layOut(sheet: Sheet, options: FormatOptions): Layout {
  const { tokens } = sheet;
  const groups = nested(sheet);
  const owners = ownersOf(groups, sheet);
  const flat = flatWidths(sheet);
  const levels = new Int32Array(tokens.length).fill(-1);
  const forced = new Int32Array(tokens.length);
  const open: Open[] = [];
  const opened: Open[] = [];
  let column = 0;
  let line = 0;
  /** The indentation level of the last line started by a group, not by a comment. */
  let level = 0;
  for (let i = 0; i < tokens.length; i++) {
    while ((open.at(-1)?.group.end ?? Infinity) <= i) open.pop();
    const owner = opened[owners[i] as number];
    const ended = sheet.lineEnds[i] === lineEnd.forced;
    // If a comment ends the line, no token fits after the comment.
    const room = ended ? 0 : options.width - column;
    const indent = owner === undefined ? undefined : breakAt(owner, i, flat, room);
    forced[i] = indent ?? (i === 0 || sheet.reads(i, ';') ? 0 : level + 1);
    if (sheet.spacingOf(i) === spacing.kept) {
      const written = textBetween(sheet, i);
      const lineStart = Math.max(written.lastIndexOf('\n'), written.lastIndexOf('\r'));
      column = lineStart < 0 ? column + written.length : written.length - lineStart - 1;
    } else if (indent !== undefined || (ended && i > 0)) {
      line = forced[i] as number;
      column = line * options.tabSize;
      if (indent !== undefined) level = levels[i] = indent;
    } else if (i > 0) {
      column += (flat.start[i] as number) - (flat.end[i - 1] as number);
    }
    for (; groups[opened.length]?.first === i; ) {
      const group = groups[opened.length] as Group;
      const around = open.at(-1);
      const limit = around === undefined ? tokens.length - 1 : limitOf(around, group.end);
      const end = flat.end[Math.max(limit, group.end) - 1] as number;
      const fits = column + end - (flat.start[i] as number) <= options.width;
      // Don't break the line if the indentation alone would fill the new line.
      const helps = !fits && (line + 1) * options.tabSize < options.width;
      const broken = around?.broken !== false && (group.broken || helps);
      const found = { group, base: line, broken, limit, next: 0 };
      open.push(found);
      opened.push(found);
    }
    column += (flat.end[i] as number) - (flat.start[i] as number);
  }
  return { levels, forced };
}

/** Returns, for each gap, the index of the outermost group that may break there, or -1. */
function ownersOf(groups: readonly Group[], { tokens, lineEnds }: Sheet): Int32Array {
  const owners = new Int32Array(tokens.length).fill(-1);
  groups.forEach(({ breaks }, i) => {
    for (const { gap } of breaks) {
      if (owners[gap] === -1 && lineEnds[gap] !== lineEnd.none) owners[gap] = i;
    }
  });
  return owners;
}

type Flat = ReturnType<typeof flatWidths>;

/** Returns the start and end columns of the tokens, as if the query were on one line. */
function flatWidths(sheet: Sheet) {
  const { length } = sheet.tokens;
  const start = new Float64Array(length);
  const end = new Float64Array(length);
  let at = 0;
  for (let i = 0; i < length; i++) {
    const token = sheet.token(i);
    at += textBetween(sheet, i).length;
    start[i] = at;
    at += token.end - token.start;
    end[i] = at;
  }
  return { start, end };
}

function breakAt(open: Open, gap: number, flat: Flat, room: number): number | undefined {
  const { breaks, filled } = open.group;
  while ((breaks[open.next]?.gap ?? gap) < gap) open.next++;
  const place = breaks[open.next];
  if (!open.broken || place?.gap !== gap) return undefined;
  if (filled && open.next > 0 && open.next < breaks.length - 1) {
    const behind = breaks[open.next + 1]?.gap ?? gap + 1;
    const length = (flat.end[behind - 1] as number) - (flat.end[gap - 1] as number);
    if (length <= room) return undefined;
  }
  return open.base + place.indent;
}

function limitOf(around: Open, end: number): number {
  const { breaks } = around.group;
  while ((breaks[around.next]?.gap ?? end) < end) around.next++;
  return breaks[around.next]?.gap ?? around.limit;
}

/** Returns the groups, outer first. Breaks each group that contains a broken group, or a forced or kept line break. */
function nested(sheet: Sheet): readonly Group[] {
  const groups = sheet.groups.toSorted((a, b) => a.first - b.first || b.end - a.end);
  const open: Group[] = [];
  const closeUpTo = (end: number) => {
    while ((open.at(-1)?.end ?? Infinity) <= end) {
      const closed = open.pop() as Group;
      const around = open.at(-1);
      if (closed.broken && around !== undefined) around.broken = true;
    }
  };
  let nextGroup = 0;
  for (let i = 0; i < sheet.tokens.length; i++) {
    closeUpTo(i);
    const kept = sheet.spacingOf(i) === spacing.kept && sheet.hasLineBreak(i);
    const top = open.at(-1);
    if ((kept || sheet.lineEnds[i] === lineEnd.forced) && top !== undefined) top.broken = true;
    for (; groups[nextGroup]?.first === i; nextGroup++) open.push(groups[nextGroup] as Group);
  }
  closeUpTo(sheet.text.length + 1);
  return groups;
}
