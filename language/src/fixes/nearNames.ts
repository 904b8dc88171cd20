/** Finds replacements for a misspelled name, in addition to the name that the problem suggests. */
import type { QueryAnalysis } from '../analysis.ts';
import type { BoundQuery } from '../binding/bound.ts';
import { aggregates, closestFew, functions, operators } from '../catalog/index.ts';
import { quoteName } from '../names.ts';
import type { Problem, ProblemCode } from '../problems.ts';
import type { Schema } from '../schema.ts';

const most = 3;

type Names = (problem: Problem, bound: BoundQuery, schema?: Schema) => Iterable<string>;

/** For each problem code, the names that may replace the unknown name. */
const candidates: Partial<Record<ProblemCode, Names>> = {
  'unknown-function': () => [...functions, ...aggregates].map(({ name }) => name),
  'unknown-operator': () =>
    operators.filter(({ role }) => role !== 'source').map(({ name }) => name),
  'unknown-column': columnsAt,
  'unknown-dataset': datasetsAt,
};

export function nearNames(
  { bound }: QueryAnalysis,
  problem: Problem,
  schema: Schema | undefined,
): readonly string[] {
  const names = candidates[problem.code];
  // If the binder suggests no name, suggest none either, because only the binder knows whether a name is valid here.
  if (names === undefined || problem.suggestion === undefined) return [];
  const written = bound.tree.text.slice(problem.start, problem.end);
  const near = closestFew(unquoted(written), names(problem, bound, schema), most);
  return names === columnsAt || names === datasetsAt ? near.map(quoteName) : near;
}

/** Returns a name without brackets and quotes. Escapes are kept. */
export function unquoted(written: string): string {
  return /^\[\s*(['"])(.*)\1\s*\]$/s.exec(written)?.[2] ?? written;
}

/** Returns the names of the columns, scalar `let` statements and parameters that are available at a problem. */
function* columnsAt(problem: Problem, bound: BoundQuery): Iterable<string> {
  // Stages are in text order, so the last stage around a problem is the innermost.
  const stage = bound.stages.findLast(
    ({ start, end }) => start <= problem.start && problem.end <= end,
  );
  for (const { name } of stage?.input.list ?? []) yield name;
  for (const { name, value } of bound.lets) if (value.kind !== 'pipeline') yield name;
  for (const { name, type } of bound.outer) if (type !== 'table') yield name;
  for (const { name } of bound.parameters) yield name;
}

function* datasetsAt(_: Problem, bound: BoundQuery, schema?: Schema): Iterable<string> {
  for (const { name } of schema?.datasets ?? []) yield name;
  for (const { name, value } of bound.lets) if (value.kind === 'pipeline') yield name;
  for (const { name, type } of bound.outer) if (type === 'table') yield name;
}
