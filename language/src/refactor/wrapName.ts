/**
 * `geo.city` → `['geo.city']`: stored fields have dots in their names, and without brackets a dot reads
 * a property of a column. Offered where the base is no column that could have properties and
 * the stage has a column of the whole name, or may have one.
 */
import { quoteName } from '../names.ts';
import type { Expression } from '../syntax/tree.ts';
import { boundStageOf, type Place, type Refactoring, stageOf } from './refactoring.ts';

export function wrapName(place: Place): readonly Refactoring[] {
  // Nodes nest from the longest path inwards, and the whole of it is the name.
  const node = place.path.find((each) => each.kind === 'Member' && partsOf(each) !== undefined);
  const stage = stageOf(place);
  if (node?.kind !== 'Member' || stage === undefined) return [];
  const parts = partsOf(node) as readonly [string, ...string[]];
  const [base] = parts;
  const name = parts.join('.');
  const input = boundStageOf(place, stage)?.input;
  const columns = input?.list ?? [];
  const { references } = place.analysis.bound;
  const isValue = references.some(({ start, meaning }) => {
    return start === node.start && (meaning.kind === 'let' || meaning.kind === 'parameter');
  });
  const isColumn = columns.some((column) => column.name === base);
  const isWhole = columns.some((column) => column.name === name);
  if (isValue || base.startsWith('$')) return [];
  if (!isWhole && (isColumn || input?.open === false)) return [];
  const { start, end } = node;
  const text = quoteName(name);
  return [{ kind: 'rewrite', title: `Name the column ${text}`, edits: [{ start, end, text }] }];
}

/** The names of a path that has nothing but names; undefined for any other. */
function partsOf(node: Expression): readonly string[] | undefined {
  const parts: string[] = [];
  let target = node;
  while (target.kind === 'Member') {
    if (target.name.kind === 'Missing') return undefined;
    parts.push(target.name.name);
    target = target.target;
  }
  if (target.kind !== 'NameReference' || target.quoted) return undefined;
  return [...parts, target.name].reverse();
}
