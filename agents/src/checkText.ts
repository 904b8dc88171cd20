// Writes the problems of a query with their position and fix, and the fixed query.
import { counted } from '../../formats/src/counts.ts';
import { certainFix } from '../../language/src/editing.ts';
import type { Schema } from '../../language/src/index.ts';
import {
  LineTable,
  type Problem,
  type ProblemCode,
  printable,
  type QueryAnalysis,
} from '../../language/src/index.ts';
import { cutText, queryBlock } from './answer.ts';
import { type FixedQuery, fixQuery, hasErrors, isError } from './fixQuery.ts';

/** Maximum number of problems in an answer. */
const PROBLEMS_MAX = 25;

/** Maximum tokens of a query that is repeated in an answer. */
const QUERY_TOKENS_MAX = 2_500;

/** What to call if a problem has no certain fix. */
const nextSteps: Readonly<Partial<Record<ProblemCode, string>>> = {
  'unknown-dataset': ' Call list_datasets.',
  'unknown-column': ' Call get_fields.',
};

/** Describes the problems of a query, and gives the fixed query if there are certain fixes. */
export function checkText(analysis: QueryAnalysis, schema: Schema): string {
  const { text } = analysis.tree;
  const problems = [...analysis.problems].toSorted(
    (a, b) => Number(isError(b)) - Number(isError(a)) || a.start - b.start,
  );
  if (problems.length === 0) return 'No problems.';
  const errors = problems.filter(isError).length;
  const lines = [
    `${counted(errors, 'error')}, ${counted(problems.length - errors, 'other problem')}.`,
    ...problems.slice(0, PROBLEMS_MAX).map((problem) => problemLine(problem, text)),
  ];
  if (problems.length > PROBLEMS_MAX) lines.push(`… ${problems.length - PROBLEMS_MAX} more`);
  const fixed = fixQuery(text, schema, { withGuesses: false });
  if (fixed.applied.length > 0) lines.push('', fixedText(fixed, 'Fixed query, with certain fixes'));
  if (
    hasErrors(fixed.analysis) &&
    fixQuery(fixed.text, schema, { withGuesses: true }).applied.length > 0
  ) {
    lines.push('', 'There is a likely fix: call check_query with fix: true.');
  }
  return lines.join('\n');
}

/** Describes what was fixed and what is left. */
export function fixText(fixed: FixedQuery): string {
  if (fixed.applied.length === 0) return 'No fix is known.';
  const changes = fixed.applied
    .slice(0, PROBLEMS_MAX)
    .map(
      ({ problem, title, isCertain }) =>
        `- ${problem.code}: ${printable(title)}${isCertain ? '' : ' (a guess: check that it means the same)'}`,
    );
  return ['Applied:', ...changes, '', fixedText(fixed, 'Fixed query')].join('\n');
}

function fixedText({ text, analysis }: FixedQuery, title: string): string {
  const left = analysis.problems.filter(isError).length;
  const rest = left === 0 ? 'no errors are left' : `${counted(left, 'error')} left`;
  return `${title} (${rest}):\n${queryBlock(cutText(text.trim(), QUERY_TOKENS_MAX))}`;
}

/** Formats a problem: `2:9-2:14 error unknown-column: Unknown column … Fix: Replace with 'status'`. */
function problemLine(problem: Problem, text: string): string {
  const table = new LineTable(text);
  const [from, to] = [table.positionAt(problem.start), table.positionAt(problem.end)];
  const place = `${from.line + 1}:${from.character + 1}-${to.line + 1}:${to.character + 1}`;
  const fix = certainFix(problem);
  const advice =
    fix === undefined ? (nextSteps[problem.code] ?? '') : ` Fix: ${printable(fix.title)}.`;
  return `${place} ${problem.severity} ${problem.code}: ${printable(problem.message)}${advice}`;
}
