/** Matches strings against the text that a user typed. */
import { createContext, Script } from 'node:vm';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import type { TextMatch } from '../viewState.ts';

export interface TextCondition {
  readonly match: TextMatch;
  readonly text: string;
  readonly caseSensitive: boolean;
}

/** Sets `results[index]` to 1 if the string at `index` matches, otherwise to 0. */
type Matcher = (texts: readonly string[], results: Uint8Array) => void;

const regexMilliseconds = 2_000;

/** Returns a condition's matcher. Throws `Invalid` if the regular expression is invalid. */
export function matcherOf({ match, text, caseSensitive }: TextCondition): Matcher {
  if (match === 'regex') return regexMatcher(text, caseSensitive);
  const wanted = caseSensitive ? text : text.toLowerCase();
  const test = tests[match];
  return (texts, results) => {
    for (let index = 0; index < texts.length; index++) {
      const candidate = texts[index] as string;
      results[index] = test(caseSensitive ? candidate : candidate.toLowerCase(), wanted) ? 1 : 0;
    }
  };
}

const batchTexts = 1_024;

/** Returns one byte per string: 1 if it matches, otherwise 0. Throws `Invalid`. */
export async function matchingTexts(
  count: number,
  textOf: (index: number) => string,
  condition: TextCondition,
  task: LongTask,
): Promise<Uint8Array> {
  const matcher = matcherOf(condition);
  const matches = new Uint8Array(count);
  for (let from = 0; from < count; from += batchTexts) {
    const length = Math.min(batchTexts, count - from);
    const texts = Array.from({ length }, (_, at) => textOf(from + at));
    matcher(texts, matches.subarray(from));
    if (task.due) await task.pause(from, count);
  }
  return matches;
}

const tests: Readonly<
  Record<Exclude<TextMatch, 'regex'>, (text: string, wanted: string) => boolean>
> = {
  contains: (text, wanted) => text.includes(wanted),
  equals: (text, wanted) => text === wanted,
  startsWith: (text, wanted) => text.startsWith(wanted),
};

function regexMatcher(source: string, caseSensitive: boolean): Matcher {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, caseSensitive ? '' : 'i');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Invalid(
      why.replace(/^Invalid regular expression:\s*/, 'Invalid regular expression: '),
    );
  }
  const context = createContext({ pattern });
  const script = new Script(
    'for (let at = 0; at < texts.length; at++) results[at] = pattern.test(texts[at]) ? 1 : 0',
  );
  return (texts, results) => {
    try {
      // Only a VM context can stop a regular expression that backtracks without end.
      Object.assign(context, { texts, results });
      script.runInContext(context, { timeout: regexMilliseconds });
    } catch {
      throw new Invalid('The regular expression takes too long. Remove nested repetition.');
    }
  };
}
