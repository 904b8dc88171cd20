/**
 * Fixes for problems. A safe fix is part of its problem. Other fixes are guesses, offered only if an analysis of the
 * fixed text has fewer problems with the same code and no additional errors.
 */
import { analyzeQuery, type QueryAnalysis } from '../analysis.ts';
import { applyEdits, type Fix, replace } from '../edits.ts';
import { inQuotes } from '../names.ts';
import type { Problem } from '../problems.ts';
import type { Schema } from '../schema.ts';
import { guessesOf } from './guesses.ts';
import { nearNames } from './nearNames.ts';

const longestShown = 60;

const longestGuessed = 50_000;

export function certainFix(problem: Problem): Fix | undefined {
  if (problem.fix !== undefined) return problem.fix;
  if (problem.suggestion === undefined) return undefined;
  return replacement(problem, problem.suggestion);
}

/** Returns the fixes for a query's problem, the most likely first. Offsets are relative to the query's text. */
export function fixesFor(
  analysis: QueryAnalysis,
  problem: Problem,
  schema?: Schema,
): readonly Fix[] {
  const certain = certainFix(problem);
  // Each guess requires another analysis, so skip guesses for very long queries, which are usually generated.
  if (analysis.tree.text.length > longestGuessed) return certain === undefined ? [] : [certain];
  if (certain !== undefined) {
    const others = nearNames(analysis, problem, schema)
      .filter((name) => name !== problem.suggestion)
      .map((name) => replacement(problem, name));
    return [certain, ...others.filter((fix) => fixes(analysis, problem, fix, schema))];
  }
  const guess = guessesOf(analysis, problem).find((fix) => fixes(analysis, problem, fix, schema));
  return guess === undefined ? [] : [guess];
}

function replacement(problem: Problem, text: string): Fix {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  const title = `Replace with ${inQuotes(shown.replace(/\s+/g, ' '))}`;
  return { title, edits: [replace(problem, text)] };
}

function fixes(
  before: QueryAnalysis,
  { code, severity }: Problem,
  { edits }: Fix,
  schema: Schema | undefined,
): boolean {
  const text = applyEdits(before.tree.text, edits);
  const after = analyzeQuery(text, schema, { lets: before.bound.outer });
  const fewer = severity === 'error' ? 1 : 0;
  const ofCode = (one: Problem) => one.code === code;
  const counts = hidingCodes.has(code) ? isUnfixableError : isError;
  return (
    count(after, ofCode) < count(before, ofCode) &&
    count(after, counts) <= count(before, counts) - fewer
  );
}

/**
 * Problems that hide wrong names after them, because the columns are unknown there. A fix may reveal wrong names if they
 * have a fix too.
 */
const hidingCodes: ReadonlySet<string> = new Set(['kusto-function', 'kusto-operator']);

const isUnfixableError = (one: Problem) => isError(one) && certainFix(one) === undefined;

const isError = ({ severity }: Problem) => severity === 'error';

/** Returns the number of matching problems. Includes suppressed problems, so that settings don't affect fixes. */
function count({ problems, silenced }: QueryAnalysis, wanted: (one: Problem) => boolean): number {
  return problems.filter(wanted).length + silenced.filter(wanted).length;
}
