/**
 * Finds text that each match of a regular expression contains. A search for it is faster than the expression, so it
 * rules out most rows first.
 */

/** The minimum length. Shorter text is in too many rows. */
const MIN_LENGTH = 4;

/**
 * Returns the longest text outside groups and classes that each match contains, or undefined if it is short or unknown.
 * Patterns with flags, named groups, `\Q…\E` or escapes with digits are unknown.
 */
export function requiredText(pattern: string): string | undefined {
  // In a group, quoted text could contain the `)` of the group.
  if (pattern.includes('\\Q')) return undefined;
  const found: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    found.push(run.join(''));
    run = [];
  };
  for (const [token, escaped] of tokensOf(pattern)) {
    if (escaped !== undefined) {
      if (/[EpPxuUc0-9]/.test(escaped)) return undefined;
      if (/[A-Za-z]/.test(escaped)) endRun();
      else run.push(escaped);
    } else if (token.startsWith('(?') || token === '|') {
      return undefined;
    } else if (/^[*?{]/.test(token) && token !== '{') {
      // The character before the quantifier may be absent.
      run.pop();
      endRun();
    } else if (/^[[(.^$+]/.test(token)) {
      endRun();
    } else {
      run.push(token);
    }
  }
  endRun();
  const longest = found.reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.length < MIN_LENGTH ? undefined : longest;
}

/** Matches an escape, a class or a quantifier. */
const step =
  /\\([\s\S])|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|(?:[*+?]|\{\d*,?\d*\})[?+]?/uy;

/** Splits a pattern into characters, escapes, classes, quantifiers and groups. A group is a single token. */
function* tokensOf(pattern: string): Generator<readonly [token: string, escaped?: string]> {
  for (let at = 0; at < pattern.length; ) {
    const end = pattern[at] === '(' ? groupEnd(pattern, at) : at;
    step.lastIndex = at;
    const [token, escaped] =
      end > at ? [pattern.slice(at, end)] : (step.exec(pattern) ?? [characterAt(pattern, at)]);
    yield escaped === undefined ? [token] : [token, escaped];
    at += token.length;
  }
}

/** Returns the end of a group, or of the pattern if the group isn't closed. */
function groupEnd(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; ) {
    step.lastIndex = at;
    const [token] = step.exec(pattern) ?? [characterAt(pattern, at)];
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    at += token.length;
    if (depth === 0) return at;
  }
  return pattern.length;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
