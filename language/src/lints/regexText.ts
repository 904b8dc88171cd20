/** Reading regular expressions just far enough to tell what RE2 refuses and what is a plain text. */

/** What RE2 refuses: a construct it lacks, or a mistake in any dialect. */
export interface RegexFault {
  readonly code: 'regex-unsupported' | 'regex-broken';
  readonly what: string;
}

const lacking: readonly (readonly [opening: string, what: string])[] = [
  ['(?=', 'look-ahead, as in (?=…)'],
  ['(?!', 'look-ahead, as in (?!…)'],
  ['(?<=', 'look-behind, as in (?<=…)'],
  ['(?<!', 'look-behind, as in (?<!…)'],
  ['(?>', 'atomic groups, as in (?>…)'],
  ['(?#', 'comments, as in (?#…)'],
  ['(?(', 'conditions, as in (?(1)…)'],
  ['(?|', 'branch resets, as in (?|…)'],
];

/** The first thing in a pattern that RE2 refuses. */
export function regexFault(pattern: string): RegexFault | undefined {
  let depth = 0;
  /** Whether something stands before the current place that can be repeated. */
  let repeatable = false;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern.charAt(i);
    switch (c) {
      case '\\': {
        const next = pattern.charAt(i + 1);
        if (next === '') return broken('it ends in a single \\');
        if (/[1-9]/.test(next)) return unsupported(`reference to a group, as in \\${next}`);
        if (next === 'k' || next === 'g')
          return unsupported(`reference to a group, as in \\${next}`);
        if (next === 'Q') {
          const close = pattern.indexOf('\\E', i + 2);
          if (close < 0) return undefined;
          i = close;
        }
        i++;
        repeatable = true;
        break;
      }
      case '[': {
        const close = classEnd(pattern, i);
        if (close < 0) return broken('a [ is not closed');
        i = close;
        repeatable = true;
        break;
      }
      case '(': {
        const found = lacking.find(([opening]) => pattern.startsWith(opening, i));
        if (found !== undefined) return unsupported(found[1]);
        depth++;
        // Flags and names of a group are no part of what it matches.
        const head = /^\(\?(?:P?<\w+>|[a-zA-Z-]*[:)])/.exec(pattern.slice(i, i + 80))?.[0] ?? '(';
        if (head.endsWith(')')) depth--;
        i += head.length - 1;
        repeatable = false;
        break;
      }
      case ')':
        if (--depth < 0) return broken('a ) closes nothing');
        repeatable = true;
        break;
      case '*':
      case '+':
      case '?':
        if (!repeatable) return broken(`nothing stands before ${c} that it could repeat`);
        // A mark of laziness may follow; a second + would be possessive.
        if (pattern.charAt(i + 1) === '?') i++;
        else if (pattern.charAt(i + 1) === '+') return unsupported(`possessive ${c}+`);
        else if (pattern.charAt(i + 1) === '*') return broken(`${c}* repeats twice`);
        repeatable = false;
        break;
      case '|':
        repeatable = false;
        break;
      default:
        // RE2 lets ^ and $ be repeated, and braces that count nothing stand for themselves.
        repeatable = true;
    }
  }
  return depth > 0 ? broken('a ( is not closed') : undefined;
}

function unsupported(what: string): RegexFault {
  return { code: 'regex-unsupported', what };
}

function broken(what: string): RegexFault {
  return { code: 'regex-broken', what };
}

/** The index of the bracket that closes the class at `start`, or -1. */
function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern.charAt(i) === '^') i++;
  // A bracket at the very start of a class stands for itself.
  if (pattern.charAt(i) === ']') i++;
  for (; i < pattern.length; i++) {
    const c = pattern.charAt(i);
    if (c === '\\') i++;
    else if (c === '[' && pattern.charAt(i + 1) === ':') {
      const close = pattern.indexOf(':]', i + 2);
      if (close >= 0) i = close + 1;
    } else if (c === ']') return i;
  }
  return -1;
}

/** A pattern that matches one text and no other. */
export interface PlainPattern {
  readonly text: string;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly caseless: boolean;
}

/** What a pattern looks for, when that is a plain text at a plain place. */
export function plainPattern(pattern: string): PlainPattern | undefined {
  const caseless = pattern.startsWith('(?i)');
  let body = caseless ? pattern.slice(4) : pattern;
  const atStart = body.startsWith('^');
  if (atStart) body = body.slice(1);
  const atEnd = /(^|[^\\])\$$/.test(body);
  if (atEnd) body = body.slice(0, -1);
  const anyBefore = !atStart && body.startsWith('.*');
  if (anyBefore) body = body.slice(2);
  const anyBehind = !atEnd && /(^|[^\\])\.\*$/.test(body);
  if (anyBehind) body = body.slice(0, -2);
  let text = '';
  for (let i = 0; i < body.length; i++) {
    const c = body.charAt(i);
    if (c === '\\') {
      const next = body.charAt(++i);
      if (next === '' || /[\p{L}\p{N}]/u.test(next)) return undefined;
      text += next;
    } else if ('.*+?()[]{}|^$'.includes(c)) return undefined;
    else text += c;
  }
  return text === '' ? undefined : { text, atStart, atEnd, caseless };
}
