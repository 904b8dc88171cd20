/** Inspects regular expressions: constructs that RE2 rejects, group names, and patterns equal to plain strings. */

/** The reason why RE2 rejects a pattern: syntax that RE2 doesn't support, or syntax that is invalid everywhere. */
export interface RegexFault {
  readonly code: 'regex-unsupported' | 'regex-broken';
  readonly what: string;
}

const lacking: readonly (readonly [opening: string, what: string])[] = [
  ['(?=', 'lookahead, as in (?=…)'],
  ['(?!', 'lookahead, as in (?!…)'],
  ['(?<=', 'lookbehind, as in (?<=…)'],
  ['(?<!', 'lookbehind, as in (?<!…)'],
  ['(?>', 'atomic groups, as in (?>…)'],
  ['(?#', 'comments, as in (?#…)'],
  ['(?(', 'conditionals, as in (?(1)…)'],
  ['(?|', 'branch resets, as in (?|…)'],
];

export function regexFault(pattern: string): RegexFault | undefined {
  let depth = 0;
  /** Whether the preceding item can have a quantifier. */
  let repeatable = false;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern.charAt(i);
    switch (c) {
      case '\\': {
        const next = pattern.charAt(i + 1);
        if (next === '') return broken('trailing \\');
        if (/[1-9gk]/.test(next)) return unsupported(`backreferences, as in \\${next}`);
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
        if (close < 0) return broken('unclosed [');
        i = close;
        repeatable = true;
        break;
      }
      case '(': {
        const found = lacking.find(([opening]) => pattern.startsWith(opening, i));
        if (found !== undefined) return unsupported(found[1]);
        depth++;
        // Skip flags and group names, because they don't match text.
        const head = /^\(\?(?:P?<\w+>|[a-zA-Z-]*[:)])/.exec(pattern.slice(i, i + 80))?.[0] ?? '(';
        if (head.endsWith(')')) depth--;
        i += head.length - 1;
        repeatable = false;
        break;
      }
      case ')':
        if (--depth < 0) return broken('unmatched )');
        repeatable = true;
        break;
      case '*':
      case '+':
      case '?':
        if (!repeatable) return broken(`nothing to repeat before ${c}`);
        // Skip a ? that makes a quantifier lazy. Report a +, which would make the quantifier possessive.
        if (pattern.charAt(i + 1) === '?') i++;
        else if (pattern.charAt(i + 1) === '+')
          return unsupported(`possessive quantifiers, as in ${c}+`);
        else if (pattern.charAt(i + 1) === '*') return broken(`repeated quantifier ${c}*`);
        repeatable = false;
        break;
      case '|':
        repeatable = false;
        break;
      default:
        // A quantifier may follow any other character, even ^ and $. RE2 treats braces that aren't a quantifier as
        // literals.
        repeatable = true;
    }
  }
  return depth > 0 ? broken('unclosed (') : undefined;
}

function unsupported(what: string): RegexFault {
  return { code: 'regex-unsupported', what };
}

function broken(what: string): RegexFault {
  return { code: 'regex-broken', what };
}

function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern.charAt(i) === '^') i++;
  // Skip a closing bracket at the start of a class, because it is a literal.
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

/** Returns the names of a pattern's groups in order. Unnamed groups are undefined. */
export function regexGroupNames(pattern: string): readonly (string | undefined)[] {
  const plain = pattern.replace(/\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g, '');
  return [...plain.matchAll(/\((?!\?)|\(\?P?<([^>]*)/g)].map(([, name]) => name);
}

/** A pattern that matches a fixed string, optionally anchored or case-insensitive. */
export interface PlainPattern {
  readonly text: string;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly caseless: boolean;
}

/** Returns a pattern's fixed string and anchors, or undefined if it has other syntax. Ignores `.*` at the ends. */
export function plainPattern(pattern: string): PlainPattern | undefined {
  const caseless = pattern.startsWith('(?i)');
  let body = caseless ? pattern.slice(4) : pattern;
  const atStart = body.startsWith('^');
  if (atStart) body = body.slice(1);
  const atEnd = /(^|[^\\])\$$/.test(body);
  if (atEnd) body = body.slice(0, -1);
  if (!atStart && body.startsWith('.*')) body = body.slice(2);
  if (!atEnd && /(^|[^\\])\.\*$/.test(body)) body = body.slice(0, -2);
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
