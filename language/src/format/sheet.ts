/**
 * What the formatter knows of one query before it decides on lines: for each gap between two tokens
 * whether a blank stands there, and the groups of places where lines may break together. Only gaps are
 * described, so that whatever is decided, the tokens stay as they are.
 *
 * A gap is known by the index of the token behind it.
 */
import { directivesIn } from '../directives.ts';
import { isNewline } from '../syntax/characters.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { type Trivia, triviaIn } from '../syntax/trivia.ts';
import type { Span } from '../text.ts';

/** What stands in a gap on one line. */
export const spacing = {
  /** What the two tokens ask for. */
  usual: 0,
  none: 1,
  blank: 2,
  /** Nothing if nothing was written, else a blank: inside names, where a blank has a meaning. */
  written: 3,
  /** Exactly what was written, comments and line breaks too. */
  kept: 4,
} as const;

export type Spacing = (typeof spacing)[keyof typeof spacing];

/** What a comment asks of a gap. */
export const lineEnd = { free: 0, forced: 1, none: 2 } as const;

/** A place where a line breaks when its group does; `indent` steps deeper than the group's own line. */
export interface Break {
  readonly gap: number;
  readonly indent: number;
}

/** Tokens `[first, end)` that stand on one line, or break at all their places. */
export interface Group {
  readonly first: number;
  readonly end: number;
  readonly breaks: readonly Break[];
  /** Whether it breaks even if it fits. */
  broken: boolean;
  /** Whether between its first and last place it breaks only where a line would become too long. */
  readonly filled: boolean;
}

/** How a group differs from the plain one. */
export interface GroupRules {
  /** Gaps that break the group when a line break is written there: the author's own layout. */
  readonly sticky?: readonly number[];
  readonly broken?: boolean;
  readonly filled?: boolean;
}

export class Sheet {
  readonly tree: QueryTree;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly groups: Group[] = [];
  /** By gap: whether a line ends there, whatever the groups say, or must not. */
  readonly lineEnds: Uint8Array;
  readonly #spacing: Uint8Array;
  /** By offset: the first token that starts there or later. */
  readonly #tokenAt: Int32Array;

  constructor(tree: QueryTree) {
    this.tree = tree;
    this.text = tree.text;
    this.tokens = tree.tokens;
    this.#spacing = new Uint8Array(tree.tokens.length + 1);
    this.#tokenAt = tokenIndexes(tree);
    this.lineEnds = new Uint8Array(tree.tokens.length);
    for (let gap = 0; gap < tree.tokens.length; gap++) this.#readComments(gap);
  }

  /** A comment ends its line. The line below a comment that silences it stays one line. */
  #readComments(gap: number): void {
    const span = this.gap(gap);
    if (span.end - span.start < 2) return;
    if (!triviaIn(this.text, span).some(isComment)) return;
    this.lineEnds[gap] = lineEnd.forced;
    if (!directivesIn(this.text, span).some(({ kind }) => kind === 'next-line')) return;
    let end = gap + 1;
    while (end < this.tokens.length && !this.hasLineBreak(end)) this.lineEnds[end++] = lineEnd.none;
    if (end < this.tokens.length - 1) this.lineEnds[end] = lineEnd.forced;
  }

  /** The index of the first token that starts at an offset or behind it. */
  at(offset: number): number {
    return this.#tokenAt[offset] as number;
  }

  token(index: number): Token {
    return this.tokens[index] as Token;
  }

  /** Whether a token reads exactly so. */
  reads(index: number, written: string): boolean {
    const token = this.tokens[index];
    return (
      token !== undefined &&
      token.end - token.start === written.length &&
      this.text.startsWith(written, token.start)
    );
  }

  /** The span of the gap before a token. */
  gap(index: number): Span {
    return { start: this.tokens[index - 1]?.end ?? 0, end: this.token(index).start };
  }

  spacingOf(gap: number): Spacing {
    return this.#spacing[gap] as Spacing;
  }

  /** Says what stands in a gap; what is kept stays so. */
  mark(gap: number, what: Spacing): void {
    if (this.#spacing[gap] !== spacing.kept) this.#spacing[gap] = what;
  }

  /** The same for all gaps inside tokens `[first, end)`. */
  markInside(first: number, end: number, what: Spacing): void {
    for (let gap = first + 1; gap < end; gap++) this.mark(gap, what);
  }

  /** Whether a line break is written in the gap before a token. */
  hasLineBreak(index: number): boolean {
    const { start, end } = this.gap(index);
    for (let at = start; at < end; at++) if (isNewline(this.text.charCodeAt(at))) return true;
    return false;
  }

  /** Whether a comment ends a line in one of the gaps `[first, end)`. */
  mustBreak(first: number, end: number): boolean {
    return this.lineEnds.subarray(first, end).includes(lineEnd.forced);
  }

  /** Adds a group; one without places to break is none. */
  group(first: number, end: number, breaks: readonly Break[], rules: GroupRules = {}): void {
    if (breaks.length === 0 || end <= first) return;
    const { sticky = [], broken = false, filled = false } = rules;
    this.groups.push({
      first,
      end,
      breaks: [...breaks].sort((a, b) => a.gap - b.gap),
      broken: broken || sticky.some((gap) => this.hasLineBreak(gap)),
      filled,
    });
  }
}

export function isComment({ kind }: Trivia): boolean {
  return kind === 'comment';
}

function tokenIndexes({ text, tokens }: QueryTree): Int32Array {
  const found = new Int32Array(text.length + 1);
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { start } = tokens[i] as Token;
    while (at <= start) found[at++] = i;
  }
  return found;
}
