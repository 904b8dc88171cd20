/** Properties that hold for every formatted text, stated independently of the formatter. */
import assert from 'node:assert/strict';
import { type FormatOptions, format } from '../../language/src/editing.ts';
import {
  analyze,
  applyEdits,
  type Edit,
  lex,
  type Span,
  splitQueries,
  triviaIn,
} from '../../language/src/index.ts';

const blank = /[\s\u0085\u200B\u2060]/g;

/** Returns the text without whitespace. */
function dense(text: string): string {
  return text.replace(blank, '');
}

/**
 * Splits the text into queries, each a list of its tokens and comments, without whitespace after comments.
 */
function pieces(text: string): string[][] {
  return splitQueries(text).map((span) => {
    const query = text.slice(span.start, span.end);
    const found: string[] = [];
    let end = 0;
    for (const token of lex(query)) {
      found.push(...commentsIn(query, { start: end, end: token.start }));
      found.push(query.slice(token.start, token.end));
      end = token.end;
    }
    return found;
  });
}

function commentsIn(text: string, gap: Span): string[] {
  return triviaIn(text, gap)
    .filter(({ kind }) => kind === 'comment')
    .map(({ start, end }) => text.slice(start, end).trimEnd());
}

/** Returns the queries and problems of a text, with offsets that ignore whitespace. */
function said(text: string): unknown {
  const before = new Int32Array(text.length + 1);
  for (let at = 0; at < text.length; at++) {
    before[at + 1] = (before[at] as number) + dense(text.charAt(at)).length;
  }
  const place = ({ start, end }: Span) => [before[start], before[end]];
  const { problems, queries } = analyze(text);
  return {
    queries: queries.map(place),
    problems: problems.map((problem) => [problem.code, problem.severity, ...place(problem)]),
  };
}

/**
 * Asserts that edits change only whitespace and keep tokens, comments and problems. Returns the edited text.
 */
export function checkEdits(text: string, edits: readonly Edit[]): string {
  for (const { start, end, text: wanted } of edits) {
    assert.equal(dense(text.slice(start, end)) + dense(wanted), '');
    assert.notEqual(text.slice(start, end), wanted);
  }
  const changed = applyEdits(text, edits);
  if (edits.length === 0) return changed;
  assert.deepEqual(pieces(changed), pieces(text));
  assert.deepEqual(said(changed), said(text));
  return changed;
}

/** Asserts every guarantee for a text and its formatted text. Returns the formatted text. */
export function checkFormat(text: string, options: Partial<FormatOptions> = {}): string {
  const formatted = checkEdits(text, format(text, options));
  assert.deepEqual(format(formatted, options), [], `formatted again: ${JSON.stringify(text)}`);
  return formatted;
}
