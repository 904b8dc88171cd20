/**
 * Directives: comments that suppress problems.
 *   // aplomb-disable-next-line CODE, CODE -- reason
 *   // aplomb-disable-file CODE -- reason
 * Without codes, a directive applies to every problem. Text after `--` is ignored.
 */
import { closest } from './catalog/closest.ts';
import {
  didYouMean,
  isProblemCode,
  type Problem,
  type ProblemCode,
  problem,
  problemCodes,
} from './problems.ts';
import { isNewline } from './syntax/characters.ts';
import { endOfLine, lineBelow } from './syntax/lines.ts';
import { triviaIn } from './syntax/trivia.ts';
import type { Span } from './text.ts';

/** A directive's name or one of its codes. */
interface Word extends Span {
  readonly text: string;
}

/** A directive comment. Its span excludes the reason after `--`. */
export interface Directive extends Span {
  readonly name: Word;
  /** The directive's scope: the next line or the entire file. Undefined for an unknown name. */
  readonly kind: 'next-line' | 'file' | undefined;
  /** The known codes, without duplicates. */
  readonly codes: readonly ProblemCode[];
  readonly unknown: readonly Word[];
}

const kinds: ReadonlyMap<string, Directive['kind']> = new Map([
  ['aplomb-disable-next-line', 'next-line'],
  ['aplomb-disable-file', 'file'],
]);

export const directiveMark = 'aplomb-';

export function covers({ codes, unknown }: Directive, code: ProblemCode): boolean {
  return codes.length === 0 ? unknown.length === 0 : codes.includes(code);
}

/** Returns the directives in the comments of a span between two tokens or two queries. */
export function directivesIn(text: string, gap: Span): Directive[] {
  const found: Directive[] = [];
  for (const piece of triviaIn(text, gap)) {
    const directive = piece.kind === 'comment' ? readDirective(text, piece) : undefined;
    if (directive !== undefined) found.push(directive);
  }
  return found;
}

const start = /\/\/+[ \t]*/y;
const word = /[^\s,]+/g;

function readDirective(text: string, comment: Span): Directive | undefined {
  start.lastIndex = comment.start;
  start.test(text);
  const from = start.lastIndex;
  if (!text.startsWith(directiveMark, from)) return undefined;
  const written = text.slice(from, comment.end);
  const words: Word[] = [];
  for (const match of written.matchAll(word)) {
    if (match[0] === '--') break;
    const at = from + match.index;
    words.push({ start: at, end: at + match[0].length, text: match[0] });
  }
  const [name, ...rest] = words as [Word, ...Word[]];
  const codes = new Set<ProblemCode>();
  for (const { text: code } of rest) if (isProblemCode(code)) codes.add(code);
  return {
    start: comment.start,
    end: (rest.at(-1) ?? name).end,
    name,
    kind: kinds.get(name.text),
    codes: [...codes],
    unknown: rest.filter((one) => !isProblemCode(one.text)),
  };
}

export function problemsOfDirective({ name, kind, unknown }: Directive): Problem[] {
  if (kind === undefined) {
    const meant = closest(name.text, kinds.keys());
    return [
      problem('unknown-directive', name, { name: name.text, hint: didYouMean(meant) }, meant),
    ];
  }
  return unknown.map((code) => {
    const meant = closest(code.text, problemCodes);
    return problem('unknown-code', code, { name: code.text, hint: didYouMean(meant) }, meant);
  });
}

export function unusedDirective(
  text: string,
  directive: Directive,
  idle: readonly ProblemCode[],
): Problem {
  const kept = directive.codes.filter((code) => !idle.includes(code));
  const { start, end, name } = directive;
  if (kept.length === 0) {
    const edit = { ...lineOf(text, start), text: '' };
    return {
      ...problem('unused-directive', { start, end }, { what: 'this comment' }),
      fix: { title: 'Remove comment', edits: [edit] },
    };
  }
  const left = [...kept, ...directive.unknown.map((one) => one.text)];
  return {
    ...problem('unused-directive', { start, end }, { what: idle.join(', ') }),
    fix: {
      title: `Remove ${idle.join(', ')}`,
      edits: [{ start: name.end, end, text: ` ${left.join(', ')}` }],
    },
  };
}

/**
 * Returns the span to delete: the comment and the whitespace before it, or its entire line if the line is otherwise
 * empty.
 */
function lineOf(text: string, comment: number): Span {
  let start = comment;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const end = endOfLine(text, comment);
  const alone = start === 0 || isNewline(text.charCodeAt(start - 1));
  return { start, end: alone ? lineBelow(text, end) : end };
}
