/** Guesses that change an earlier stage or remove the broken stage. */
import type { QueryAnalysis } from '../analysis.ts';
import { type Fix, insert, removeWithGap, replace } from '../edits.ts';
import { inQuotes, quoteName } from '../names.ts';
import type { Problem } from '../problems.ts';
import type { QueryTree, Stage } from '../syntax/tree.ts';
import { pathAt } from '../syntax/visit.ts';
import { unquoted } from './nearNames.ts';

/** Returns a fix that adds a column to the earlier `project` or `project-keep` stage that dropped it. */
export function namedLater({ bound }: QueryAnalysis, problem: Problem, written: string): Fix[] {
  const name = unquoted(written);
  const has = (list: readonly { readonly name: string }[]) => list.some((one) => one.name === name);
  const loser = bound.stages.findLast(
    ({ end, input, output }) =>
      end <= problem.start && has(input.list) && !has(output.list) && !output.open,
  )?.operator;
  if (loser === undefined) return [];
  const keeps =
    loser.kind === 'project' || (loser.kind === 'select' && loser.name === 'project-keep');
  if (!keeps) return [];
  const quoted = quoteName(name);
  // Quote the name in the later stage too, because an unquoted dotted name would still read a property.
  const brackets = written === name && quoted !== name ? [replace(problem, quoted)] : [];
  const title = `Keep ${inQuotes(quoted)} in ${loser.kind === 'project' ? 'project' : loser.name}`;
  return [{ title, edits: [insert(loser.end, `, ${quoted}`), ...brackets] }];
}

const needless: ReadonlySet<string> = new Set(['as', 'consume', 'execute-and-cache', 'render']);

export function stageRemoved(tree: QueryTree, problem: Problem, operator: string): Fix[] {
  if (!needless.has(operator)) return [];
  const stage = pathAt(tree, problem.start).findLast(
    (node): node is Stage => node.kind === 'Stage',
  );
  if (stage === undefined) return [];
  return [{ title: `Remove ${inQuotes(operator)}`, edits: [removeWithGap(tree.text, stage)] }];
}
