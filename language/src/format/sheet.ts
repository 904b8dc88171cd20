/**
 * The input for laying out a query's lines: the spacing of each gap between tokens, and the groups of gaps at which
 * lines may break together. A gap is identified by the index of the token after it.
 */
import { directivesIn } from '../directives.ts';
import { isNewline } from '../syntax/characters.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import type { Span } from '../text.ts';

/** The whitespace between two tokens that stay on one line. */
export const spacing = {
  usual: 0,
  none: 1,
  blank: 2,
  /** The default spacing, but only if the author wrote whitespace, because whitespace in names may be significant. */
  written: 3,
  /** The original whitespace, including comments and line breaks. */
  kept: 4,
} as const;

type Spacing = (typeof spacing)[keyof typeof spacing];

/** Whether a line may (`free`), must (`forced`) or must not (`none`) end at a gap, depending on comments. */
export const lineEnd = { free: 0, forced: 1, none: 2 } as const;

/** A gap at which a line starts if its group breaks. `indent` is the number of steps relative to the group's line. */
export interface Break {
  readonly gap: number;
  readonly indent: number;
}

/** The tokens `[first, end)`. If they don't fit on one line, lines break at the gaps in `breaks`. */
export interface Group {
  readonly first: number;
  readonly end: number;
  readonly breaks: readonly Break[];
  /** Whether the group breaks even if it fits. */
  broken: boolean;
  /** Whether inner gaps break only if the line would otherwise be too long. */
  readonly filled: boolean;
}

export interface GroupRules {
  /** Gaps at which a line break by the author breaks the entire group. */
  readonly sticky?: readonly number[];
  readonly broken?: boolean;
  readonly filled?: boolean;
}

export class Sheet {
  readonly tree: QueryTree;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly groups: Group[] = [];
  readonly lineEnds: Uint8Array;
  readonly #spacing: Uint8Array;
  /** For each offset, the index of the first token that starts there or later. */
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

  /** Forces a line break after a comment. Prevents line breaks in the line that a suppression comment applies to. */
  #readComments(gap: number): void {
    const span = this.gap(gap);
    if (span.end - span.start < 2) return;
    if (!triviaIn(this.text, span).some(({ kind }) => kind === 'comment')) return;
    this.lineEnds[gap] = lineEnd.forced;
    if (!directivesIn(this.text, span).some(({ kind }) => kind === 'next-line')) return;
    let end = gap + 1;
    while (end < this.tokens.length && !this.hasLineBreak(end)) this.lineEnds[end++] = lineEnd.none;
    if (end < this.tokens.length - 1) this.lineEnds[end] = lineEnd.forced;
  }

  at(offset: number): number {
    return this.#tokenAt[offset] as number;
  }

  token(index: number): Token {
    return this.tokens[index] as Token;
  }

  reads(index: number, written: string): boolean {
    const token = this.tokens[index];
    return (
      token !== undefined &&
      token.end - token.start === written.length &&
      this.text.startsWith(written, token.start)
    );
  }

  gap(index: number): Span {
    return { start: this.tokens[index - 1]?.end ?? 0, end: this.token(index).start };
  }

  spacingOf(gap: number): Spacing {
    return this.#spacing[gap] as Spacing;
  }

  /** Sets the spacing of a gap, unless it is `kept`. */
  mark(gap: number, what: Spacing): void {
    if (this.#spacing[gap] !== spacing.kept) this.#spacing[gap] = what;
  }

  markInside(first: number, end: number, what: Spacing): void {
    for (let gap = first + 1; gap < end; gap++) this.mark(gap, what);
  }

  hasLineBreak(index: number): boolean {
    const { start, end } = this.gap(index);
    for (let at = start; at < end; at++) if (isNewline(this.text.charCodeAt(at))) return true;
    return false;
  }

  mustBreak(first: number, end: number): boolean {
    return this.lineEnds.subarray(first, end).includes(lineEnd.forced);
  }

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

function tokenIndexes({ text, tokens }: QueryTree): Int32Array {
  const found = new Int32Array(text.length + 1);
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { start } = tokens[i] as Token;
    while (at <= start) found[at++] = i;
  }
  return found;
}
