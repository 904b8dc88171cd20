/** Candidate fixes for broken queries. The caller analyzes the changed text before it offers a fix. */
import type { QueryAnalysis } from '../analysis.ts';
import { partitionPoint } from '../append.ts';
import { kustoRenames } from '../catalog/kusto.ts';
import { exact, type Fix, insert, remove } from '../edits.ts';
import { inQuotes, isPlainName, quoteName, quoteText } from '../names.ts';
import type { Problem, ProblemCode } from '../problems.ts';
import { punctuationCode } from '../syntax/brackets.ts';
import { endOfLine } from '../syntax/lines.ts';
import type { Token } from '../syntax/tokens.ts';
import type { Binary, Call, QueryTree } from '../syntax/tree.ts';
import { timespanText, timespanUnits } from '../syntax/units.ts';
import { pathAt } from '../syntax/visit.ts';
import { inlinedFunction } from './inlineFunction.ts';
import { callInstead } from './kustoCalls.ts';
import { conditionsInstead } from './kustoForms.ts';
import { namedLater, stageRemoved } from './stages.ts';

type Guess = (problem: Problem, place: Place) => Fix[];

interface Place {
  readonly analysis: QueryAnalysis;
  readonly tree: QueryTree;
  readonly text: string;
  readonly marked: string;
  readonly values: Readonly<Record<string, string>>;
  /** The end offset of the last token before the problem. */
  readonly before: number;
}

/** Returns the candidate fixes for a problem, the most likely first. */
export function guessesOf(analysis: QueryAnalysis, problem: Problem): readonly Fix[] {
  const guess = guesses[problem.code];
  if (guess === undefined) return [];
  const { tree } = analysis;
  const { text } = tree;
  const marked = text.slice(problem.start, problem.end);
  const { code, start, end } = problem;
  const reported = tree.problems.find(
    (one) => one.code === code && one.start === start && one.end === end,
  );
  const values = reported?.values ?? {};
  const before = tokenBefore(tree, problem.start)?.end ?? 0;
  return guess(problem, { analysis, tree, text, marked, values, before });
}

const guesses: Partial<Record<ProblemCode, Guess>> = {
  'expected-closing': ({ start, end }, { text, values }) => {
    const closing = values['closing'] ?? ')';
    const places = [end, endOfLine(text, start), text.trimEnd().length];
    return places.map((at) => insertion(at, closing));
  },
  'missing-opening': ({ start }, { values }) => [insertion(start, values['opening'] ?? '(')],
  'unmatched-closing': ({ end }, { text }) => [removal(end - 1, end, text)],
  'missing-quote': ({ start, end }, { text, marked }) => {
    const quote = marked.includes('"') ? '"' : "'";
    const word = /[\w.-]+$/.exec(text.slice(start, end - 1))?.index ?? 0;
    return [insertion(start + word, quote), insertion(end, quote), removal(end - 1, end, text)];
  },
  'unterminated-string': ({ start, end }, { text, marked, values }) => {
    const quote = values['quote'] ?? "'";
    const trimmed = start + marked.trimEnd().length;
    const inner = start + (/[)\]}\s,;]*$/.exec(marked)?.index ?? marked.length);
    const word = start + (/^@?.[\w.*/-]*/.exec(marked)?.[0].length ?? 1);
    // Try the closing quote at several positions.
    return [inner, trimmed, word, end].map((at) =>
      at > start + 1 && text.charAt(at - 1) !== '\\' ? insertion(at, quote) : insertion(end, quote),
    );
  },
  'curly-quotes': ({ start, end }, { marked }) => {
    const inner = marked.slice(1, -1);
    const quote = '“”„"'.includes(marked.charAt(0)) ? '"' : "'";
    const plain = inner.includes(quote) || inner.includes('\\') ? quoteText(inner) : undefined;
    return [replacement(start, end, plain ?? `${quote}${inner}${quote}`)];
  },
  'expected-comma': (problem, place) => [
    ...timespanWithUnit(problem, place),
    insertion(place.before, ','),
  ],
  'expected-semicolon': (_, { before }) => [insertion(before, ';')],
  'stray-semicolon': ({ start, end }, { text }) => [removal(start, end, text)],
  'missing-pipe': ({ start }) => [insertion(start, '| ')],
  'double-pipe': ({ start }, { tree, text }) => {
    const pipe = tree.tokens.find(
      (token) => token.start >= start && punctuationCode(text, token) === 124,
    );
    return pipe === undefined ? [] : [removal(pipe.start, pipe.end, text)];
  },
  'missing-operator': ({ start }, { tree, text }) => {
    const pipe = tokenBefore(tree, start);
    return pipe === undefined ? [] : [removal(pipe.start, pipe.end, text)];
  },
  'expected-word': ({ start }, { values }) => {
    const word = values['word'] ?? '';
    return /^([a-z_]+|=|:|\.\.)$/.test(word) ? [insertion(start, `${word} `)] : [];
  },
  'single-equals': ({ start, end }) => exact([replacement(start, end, '==')]),
  'name-behind': ({ end }, { tree, before, values }) => {
    const name = values['name'] ?? '';
    const item = pathAt(tree, before).findLast(({ kind }) => kind === 'Assignment');
    if (item === undefined) return [];
    const edits = [insert(item.start, `${name} = `), remove(before, end)];
    return [{ title: `Move ${inQuotes(name)} to the front`, edits }];
  },
  'foreign-operator': ({ start, end }, { tree, values }) => {
    const instead = values['instead'] ?? '';
    const test = /^is(not)?null(?=\(…\)$)/.exec(instead)?.[0];
    if (test !== undefined) return nullTest(tree, start, test);
    return instead.includes('…') ? [] : [replacement(start, end, instead)];
  },
  'bare-not': ({ end }, { tree, text }) => [wrap(text, end, operandEnd(tree, end), '(')],
  'bare-dynamic': ({ start }, { tree, text }) => {
    const close = closingOf(tree, start);
    return close === undefined ? [] : [wrap(text, start, close.end, 'dynamic(')];
  },
  'no-functions': (problem, { tree }) => exact(inlinedFunction(tree, problem)),
  'lone-expression': ({ start }) => [insertion(start, 'print ')],
  'quote-name': ({ start, end }, { marked }) =>
    isPlainName(marked) ? [] : exact([replacement(start, end, quoteName(marked))]),
  'dropped-column': (problem, { analysis, marked }) => namedLater(analysis, problem, marked),
  'argument-count': tooMany,
  'kusto-function': (problem, place) => {
    const instead = callInstead(place.analysis, problem);
    return instead.length > 0 ? instead : renamed(problem, place);
  },
  'kusto-operator': (problem, place) => [
    ...renamed(problem, place),
    ...stageRemoved(place.analysis, problem, place.marked),
  ],
  'kusto-scalar-operator': (problem, place) => [
    ...conditionsInstead(place.tree, problem),
    ...renamed(problem, place),
  ],
  'unexpected-text': (problem, place) => [
    ...timespanWithUnit(problem, place),
    insertion(place.before, ';'),
  ],
  'sample-ratio': ({ start }, { tree, text }) => {
    const word = tokenBefore(tree, start);
    return word === undefined || text.slice(word.start, word.end) !== 'sample'
      ? []
      : [replacement(word.start, word.end, 'take')];
  },
};

function renamed({ start, end, code }: Problem, { marked }: Place): Fix[] {
  const name = kustoRenames(code).get(marked);
  return name === undefined ? [] : [replacement(start, end, name)];
}

/** Returns a fix that replaces `x is null` with `test(x)`. `start` is the offset of `is`. */
function nullTest(tree: QueryTree, start: number, test: string): Fix[] {
  const found = pathAt(tree, start).findLast(
    (node): node is Binary => node.kind === 'Binary' && node.operatorSpan.start === start,
  );
  if (found === undefined) return [];
  const subject = tree.text.slice(found.left.start, found.left.end);
  return [replacement(found.start, found.end, `${test}(${subject})`)];
}

function tooMany({ start, end }: Problem, { tree, text, marked }: Place): Fix[] {
  const comma = tokenBefore(tree, start);
  const close = tree.tokens.find((token) => token.start >= end);
  const call = pathAt(tree, start).findLast((node): node is Call => node.kind === 'Call');
  if (comma === undefined || close === undefined || call?.end !== close.end) return [];
  const removed = remove(comma.start, end);
  const name = call.name.name;
  if (name === 'count') return isRow(marked) ? exact([removal(start, end, text)]) : [];
  if (name === 'dcount' || name === 'dcountif')
    return [{ title: `Remove ${inQuotes(marked)}`, edits: [removed] }];
  if (name !== 'split' || text.slice(comma.start, comma.end) !== ',') return [];
  const edits = [removed, insert(close.end, `[${marked}]`)];
  return [{ title: `Index the result with [${marked}]`, edits }];
}

/** Returns whether the argument of SQL's `count()` counts every row: a star or a number. */
const isRow = (argument: string) => /^(?:\*|\d+)$/.test(argument);

/** Returns a fix that joins a number and the unit after it, as in `15 minutes`, into a timespan. */
function timespanWithUnit({ start, end }: Problem, { tree, text, marked }: Place): Fix[] {
  const number = tokenBefore(tree, start);
  if (number?.kind !== 'long') return [];
  const unit = timespanUnits.get(marked.toLowerCase());
  if (unit === undefined) return [];
  const timespan = timespanText(BigInt(text.slice(number.start, number.end)) * unit);
  return exact([replacement(number.start, end, timespan)]);
}

// ── Building the fixes ────────────────────────────────────────────────────────────────────────────

function insertion(at: number, text: string): Fix {
  return { title: `Insert ${inQuotes(text.trim())}`, edits: [insert(at, text)] };
}

function replacement(start: number, end: number, text: string): Fix {
  return { title: `Replace with ${inQuotes(text)}`, edits: [{ start, end, text }] };
}

/** Returns a fix that removes text, and also the spaces after the text if whitespace precedes the text. */
function removal(start: number, end: number, text: string): Fix {
  const gap = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const blankBefore = start === 0 || /\s/.test(text.charAt(start - 1));
  const edits = [remove(start, blankBefore ? end + gap : end)];
  return { title: `Remove ${inQuotes(text.slice(start, end))}`, edits };
}

function wrap(text: string, start: number, end: number, before: string): Fix {
  const blank = /^\s*/.exec(text.slice(start, end))?.[0].length ?? 0;
  const edits = [{ start, end: start + blank, text: before }, insert(end, ')')];
  return { title: `Wrap in ${before}…)`, edits };
}

// ── Finding brackets and operands ─────────────────────────────────────────────────────────────────

function tokenBefore(tree: QueryTree, offset: number): Token | undefined {
  return tree.tokens.findLast((token) => token.kind !== 'end' && token.end <= offset);
}

const isOpening = (code: number) => code === 40 || code === 91 || code === 123;
const isClosing = (code: number) => code === 41 || code === 93 || code === 125;

function closingOf({ tokens, text }: QueryTree, start: number): Token | undefined {
  let depth = 0;
  return tokens.slice(partitionPoint(tokens, (token) => token.start < start)).find((token) => {
    const code = punctuationCode(text, token);
    if (isOpening(code)) depth++;
    return isClosing(code) && --depth === 0;
  });
}

function operandEnd({ tokens, text }: QueryTree, from: number): number {
  let depth = 0;
  let end = from;
  for (const token of tokens) {
    if (token.start < from) continue;
    if (token.kind === 'end') return end;
    const code = punctuationCode(text, token);
    const word = token.kind === 'word' ? text.slice(token.start, token.end) : '';
    const closes = isClosing(code);
    if (depth === 0 && (closes || code === 44 || code === 124 || word === 'and' || word === 'or'))
      return end;
    if (isOpening(code)) depth++;
    if (closes) depth--;
    end = token.end;
  }
  return end;
}
