/**
 * Splits text into queries line by line. It checks only lines and brackets and doesn't parse, so it is cheap on every
 * keystroke, and an edit never moves a distant query boundary.
 *
 * - A blank line ends a query. The query continues if the next line starts with `|` or a stray `;`, or if a `let`,
 *   `set` or `declare` statement above ends in `;`.
 * - Inside an open bracket, a blank line ends the query only if the next line looks like the start of another query.
 * - A `;` after a pipeline ends its query.
 * - Comments directly above or below a query belong to it. Other comments belong to no query.
 */
import { classAt, isNewline, spaceClass } from './syntax/characters.ts';
import { endOfLine, lineBelow } from './syntax/lines.ts';
import { stringEnd, verbatimEnd } from './syntax/stringTokens.ts';
import type { Span } from './text.ts';

/** One query of a document as a half-open span. The span includes adjacent comments. */
export interface QuerySpan extends Span {
  /**
   * The cursor offsets that select this query: its lines and a blank line below them, including the end. Relative to
   * `start`, so moving the query doesn't change the range.
   */
  readonly reach: Span;
}

/** Consecutive comment lines. `line` is the start of the first line. */
interface Comments extends Span {
  readonly line: number;
}

interface Draft {
  readonly start: number;
  readonly line: number;
  end: number;
  lineEnd: number;
  readonly indent: number;
  depth: number;
  /** The state: before any statement, in a `let`, `set` or `declare`, in a pipeline, or after the pipeline's `;`. */
  statement: 'none' | 'preamble' | 'pipeline' | 'over';
}

function newDraft(start: number, line: number, lineEnd: number, indent: number): Draft {
  return { start, line, end: start, lineEnd, indent, depth: 0, statement: 'none' };
}

/** Reads queries until `known` returns true for a line's offset, which means that a known query starts there. */
export function readQueries(text: string, known: (line: number) => boolean): QuerySpan[] {
  const queries: QuerySpan[] = [];
  let draft: Draft | undefined;
  let comments: Comments | undefined;
  let blank = true;
  const close = () => {
    if (draft === undefined) return;
    queries.push({ start: draft.start, end: draft.end, reach: reachOf(text, draft) });
    draft = undefined;
  };
  const closeParagraph = () => {
    if (draft !== undefined && comments !== undefined && !blank) {
      draft.end = comments.end;
      draft.lineEnd = comments.end;
    }
    comments = undefined;
    blank = true;
  };
  for (let line = 0; line < text.length; ) {
    const end = endOfLine(text, line);
    const first = skipSpace(text, line, end);
    if (first === end) {
      closeParagraph();
    } else if (text.startsWith('//', first)) {
      comments = { start: comments?.start ?? first, line: comments?.line ?? line, end };
    } else {
      if (draft !== undefined && !goesOn(text, draft, first, first - line, blank)) close();
      if (draft === undefined) {
        draft = newDraft(comments?.start ?? first, comments?.line ?? line, end, first - line);
        if (known(draft.line)) return queries;
      }
      draft.lineEnd = end;
      for (let at = scan(text, draft, first); at >= 0; at = scan(text, draft, at)) {
        close();
        draft = newDraft(at, at, end, first - line);
      }
      comments = undefined;
      blank = false;
    }
    line = lineBelow(text, end);
  }
  closeParagraph();
  close();
  return queries;
}

const preamble = /(?:let|set|declare)[ \t]+[\p{L}_[]/uy;
/** Matches words that start a query if more text follows on the line. */
const starter =
  /(?:(?:let|set|declare|print|union|search)[ \t]|(?:datatable|externaldata|table)[ \t]*\()/y;
/** Matches a dataset name that is alone on its line or precedes a pipe, `;` or comment. */
const dataset = /(?:[\p{L}\p{N}_.-]+|\[(?:'[^'\r\n]*'|"[^"\r\n]*")\])[ \t]*(?:$|\||;|\/\/)/muy;

/** Returns whether a line continues the current query. `first` is the offset of its first nonblank character. */
function goesOn(
  text: string,
  draft: Draft,
  first: number,
  indent: number,
  blank: boolean,
): boolean {
  const character = text.charAt(first);
  if (character === '|' || character === ';') return true;
  if (draft.statement === 'over') return false;
  if (!blank || draft.statement === 'none') return true;
  if (draft.depth === 0) return false;
  return (
    indent > draft.indent || !(matchesAt(starter, text, first) || matchesAt(dataset, text, first))
  );
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Marks the characters that the reader has to interpret: brackets, quotes, `;`, `@` and `/`. */
const telling = new Uint8Array(128);
for (const c of '()[]{}\'";@/') telling[c.charCodeAt(0)] = 1;

/** Reads the rest of a line into the draft. Returns the offset at which another query starts on the line, or -1. */
function scan(text: string, draft: Draft, from: number): number {
  const { lineEnd } = draft;
  let at = from;
  while (at < lineEnd) {
    const code = text.charCodeAt(at);
    if (draft.statement === 'none' || draft.statement === 'over') {
      if (code === 32 || code === 9) {
        at++;
        continue;
      }
      const comment = code === 47 && text.charCodeAt(at + 1) === 47;
      if (code !== 59 && !comment) {
        if (draft.statement === 'over' && code !== 124) return at;
        draft.statement = matchesAt(preamble, text, at) ? 'preamble' : 'pipeline';
      }
    }
    if (code >= 128 || telling[code] === 0) at++;
    else if (code === 47) at = text.charCodeAt(at + 1) === 47 ? lineEnd : at + 1;
    else at = scanTelling(text, draft, at, code);
    // End the query at this `;`, because another query may follow on the line.
    if (code === 59) draft.end = at;
  }
  draft.end = trimmedEnd(text, lineEnd);
  return -1;
}

function trimmedEnd(text: string, lineEnd: number): number {
  let end = lineEnd;
  while (end > 0 && isSpace(text, end - 1)) end--;
  return end;
}

/** Interprets one bracket or `;`, or an entire string. Returns the offset after it. */
function scanTelling(text: string, draft: Draft, at: number, code: number): number {
  switch (code) {
    case 34:
    case 39:
      return positive(stringEnd(text, at));
    case 64: {
      const quote = text.charCodeAt(at + 1);
      return quote === 34 || quote === 39 ? positive(verbatimEnd(text, at)) : at + 1;
    }
    case 40:
    case 91:
    case 123:
      draft.depth++;
      return at + 1;
    case 41:
    case 93:
    case 125:
      draft.depth = Math.max(0, draft.depth - 1);
      return at + 1;
    case 59:
      // A `;` never occurs inside brackets, so treat all open brackets as closed.
      draft.depth = 0;
      if (draft.statement === 'preamble') draft.statement = 'none';
      else if (draft.statement === 'pipeline') draft.statement = 'over';
      return at + 1;
    default:
      return at + 1;
  }
}

function positive(end: number): number {
  return end >= 0 ? end : ~end;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : classAt(text, at) === spaceClass;
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text, at)) at++;
  return at;
}

function reachOf(text: string, { start, line, lineEnd }: Draft): Span {
  const below = lineBelow(text, lineEnd);
  const belowEnd = endOfLine(text, below);
  const isBelow = below > lineEnd && isNewline(text.charCodeAt(below - 1));
  const blank = isBelow && skipSpace(text, below, belowEnd) === belowEnd;
  return { start: line - start, end: (blank ? belowEnd : lineEnd) - start };
}
