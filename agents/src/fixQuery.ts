// Checks a query and applies fixes, one after the other, because a fix can reveal or remove other problems.

import { certainFix, fixableEverywhere, fixesFor } from '../../language/src/editing.ts';
import {
  analyzeQuery,
  applyEdits,
  type Fix,
  type Problem,
  type QueryAnalysis,
  type Schema,
} from '../../language/src/index.ts';

export interface AppliedFix {
  readonly problem: Problem;
  readonly title: string;
  readonly isCertain: boolean;
}

export interface FixedQuery {
  readonly text: string;
  readonly applied: readonly AppliedFix[];
  readonly analysis: QueryAnalysis;
}

const FIXES_MAX = 60;

/** Maximum number of problems whose guesses are tried for one fix. Each guess needs another analysis. */
const GUESSED_PROBLEMS_MAX = 25;

/** Each fix needs other analyses, so fewer fixes are applied to long queries. Their characters, in all. */
const ANALYZED_CHARACTERS_MAX = 400_000;

/**
 * Applies fixes to errors, and to warnings whose fix is unambiguous. Without `withGuesses`, only certain fixes, among
 * them those that keep the meaning exactly. A fix that would add an error is left out.
 */
export function fixQuery(
  query: string,
  schema: Schema,
  { withGuesses }: { readonly withGuesses: boolean },
): FixedQuery {
  let text = query;
  let analysis = analyzeQuery(text, schema);
  const applied: AppliedFix[] = [];
  const refused = new Set<string>();
  let analyzed = 0;
  while (applied.length < FIXES_MAX && analyzed < ANALYZED_CHARACTERS_MAX) {
    const next = nextFix(analysis, schema, withGuesses, refused);
    if (next === undefined) break;
    // A fix that isn't part of its problem was analyzed before it was returned.
    analyzed += certainFix(next.problem) === undefined ? 4 * text.length : text.length;
    const changed = applyEdits(text, next.fix.edits);
    const after = analyzeQuery(changed, schema);
    const isBetter = errorsIn(after) <= errorsIn(analysis) && changed !== text;
    if (!isBetter) {
      refused.add(keyOf(next.problem));
      continue;
    }
    applied.push({ problem: next.problem, title: next.fix.title, isCertain: next.isCertain });
    [text, analysis] = [changed, after];
  }
  return { text, applied, analysis };
}

interface Candidate {
  readonly problem: Problem;
  readonly fix: Fix;
  readonly isCertain: boolean;
}

/** Returns the first certain fix, or else the first exact one or guess. Errors come first. */
function nextFix(
  analysis: QueryAnalysis,
  schema: Schema,
  withGuesses: boolean,
  refused: ReadonlySet<string>,
): Candidate | undefined {
  const open = [...analysis.problems, ...analysis.silenced]
    .filter(isWorthFixing)
    .filter((problem) => !refused.has(keyOf(problem)))
    .toSorted((a, b) => Number(isError(b)) - Number(isError(a)));
  for (const problem of open) {
    const fix = certainFix(problem);
    if (fix !== undefined) return { problem, fix, isCertain: true };
  }
  for (const problem of open.slice(0, GUESSED_PROBLEMS_MAX)) {
    const [fix] = fixesFor(analysis, problem, schema);
    const isCertain = fix?.isExact === true;
    if (fix !== undefined && (isCertain || withGuesses)) return { problem, fix, isCertain };
  }
  return undefined;
}

function isWorthFixing(problem: Problem): boolean {
  return isError(problem) || fixableEverywhere.has(problem.code);
}

export const isError = ({ severity }: Problem): boolean => severity === 'error';

export const hasErrors = (analysis: QueryAnalysis): boolean => errorsIn(analysis) > 0;

function errorsIn({ problems, silenced }: QueryAnalysis): number {
  return problems.filter(isError).length + silenced.filter(isError).length;
}

const keyOf = ({ code, start, end }: Problem) => `${code}:${start}:${end}`;
