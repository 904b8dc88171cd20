/** Guesses that change an earlier stage or remove the broken stage. */
import type { QueryAnalysis } from '../analysis.ts';
import type { Columns } from '../binding/bound.ts';
import { exact, type Fix, insert, removeWithGap, replace } from '../edits.ts';
import { inQuotes, quoteName } from '../names.ts';
import type { Problem } from '../problems.ts';
import type { Stage } from '../syntax/tree.ts';
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

/** Returns a fix that removes a stage that changes nothing in APL. */
export function stageRemoved(analysis: QueryAnalysis, problem: Problem, operator: string): Fix[] {
  const { tree, bound } = analysis;
  const stage = pathAt(tree, problem.start).findLast(
    (node): node is Stage => node.kind === 'Stage',
  );
  if (stage === undefined) return [];
  const source = tree.text.slice(problem.start, stage.end).trim();
  const columns = bound.stages.findLast(({ start }) => start <= problem.start)?.input;
  const changesNothing = needless.has(operator) || source === 'serialize';
  if (!changesNothing && !unpacksNothing(source, columns)) return [];
  const fix = { title: `Remove ${inQuotes(operator)}`, edits: [removeWithGap(tree.text, stage)] };
  // Unpacked columns have other names in Kusto.
  return changesNothing ? exact([fix]) : [fix];
}

const needless: ReadonlySet<string> = new Set(['as', 'consume', 'execute-and-cache', 'render']);

/**
 * Returns whether a stage unpacks a bag whose properties are columns already, as `attributes` if `attributes.region` is
 * a column. Returns false if an unpacked column would replace another one.
 */
function unpacksNothing(source: string, columns: Columns | undefined): boolean {
  const bag = /^evaluate\s+bag_unpack\s*\(\s*([A-Za-z_]\w*)\s*\)$/.exec(source)?.[1];
  if (bag === undefined || columns === undefined) return false;
  const names = new Set(columns.list.map(({ name }) => name));
  const unpacked = [...names].filter((name) => name.startsWith(`${bag}.`));
  const isFree = (name: string) => !names.has(name.slice(bag.length + 1));
  return !names.has(bag) && unpacked.length > 0 && unpacked.every(isFree);
}
