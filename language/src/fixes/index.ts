/**
 * The ways to mend a problem. Those that are certain come with the problem; the others are guesses, made
 * when somebody asks, and offered only when an analysis of the mended text finds the problem gone.
 */
import { analyzeQuery, type QueryAnalysis } from '../analysis.ts';
import { applyEdits, type Fix } from '../edits.ts';
import type { Problem } from '../problems.ts';
import type { Schema } from '../schema.ts';
import { guessesOf } from './guesses.ts';
import { nearNames } from './nearNames.ts';

const longestShown = 60;

const longestGuessed = 50_000;

/** The fix that comes with a problem, when one is safe. */
export function certainFix(problem: Problem): Fix | undefined {
  if (problem.fix !== undefined) return problem.fix;
  if (problem.suggestion === undefined) return undefined;
  return replacement(problem, problem.suggestion);
}

/** The ways to mend a problem of a query, the likeliest first; offsets are those of the query's text. */
export function fixesFor(
  analysis: QueryAnalysis,
  problem: Problem,
  schema?: Schema,
): readonly Fix[] {
  const certain = certainFix(problem);
  // Each guess costs an analysis, and a text so long is written by no hand.
  if (analysis.tree.text.length > longestGuessed) return certain === undefined ? [] : [certain];
  if (certain !== undefined) {
    const others = nearNames(analysis, problem, schema)
      .filter((name) => name !== problem.suggestion)
      .map((name) => replacement(problem, name));
    return [certain, ...others.filter((fix) => mends(analysis, problem, fix, schema))];
  }
  const guess = guessesOf(analysis, problem).find((fix) => mends(analysis, problem, fix, schema));
  return guess === undefined ? [] : [guess];
}

/** Puts a text in the place of the problem. */
function replacement({ start, end }: Problem, text: string): Fix {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return { title: `Write ${shown.replace(/\s+/g, ' ')}`, edits: [{ start, end, text }] };
}

/** Whether a change takes the problem away and brings no other error. */
function mends(
  before: QueryAnalysis,
  { code, severity }: Problem,
  { edits }: Fix,
  schema: Schema | undefined,
): boolean {
  const after = analyzeQuery(applyEdits(before.tree.text, edits), schema);
  const fewer = severity === 'error' ? 1 : 0;
  const ofCode = (one: Problem) => one.code === code;
  return (
    count(after, ofCode) < count(before, ofCode) &&
    count(after, isError) <= count(before, isError) - fewer
  );
}

const isError = ({ severity }: Problem) => severity === 'error';

/** How many problems are so, silenced ones too: a setting changes nothing about what is right. */
function count({ problems, silenced }: QueryAnalysis, wanted: (one: Problem) => boolean): number {
  return problems.filter(wanted).length + silenced.filter(wanted).length;
}
