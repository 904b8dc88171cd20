/** What holds of every formatted text, whatever it was, stated without a look into the formatter. */
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

/** The text without any white space. */
function dense(text: string): string {
  return text.replace(blank, '');
}

/** Queries in order, each as its tokens and comments, comments without the blanks behind them. */
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

/** What is said of a text: its queries, and each problem with the characters that it stands on. */
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

/** Asserts that edits change white space alone, and keep tokens, comments and what is said of the text. */
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

/** Asserts all that holds of a text and its formatted text, which it answers. */
export function checkFormat(text: string, options: Partial<FormatOptions> = {}): string {
  const formatted = checkEdits(text, format(text, options));
  assert.deepEqual(format(formatted, options), [], `formatted again: ${JSON.stringify(text)}`);
  return formatted;
}
