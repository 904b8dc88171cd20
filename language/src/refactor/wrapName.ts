/**
 * Quotes `geo.city` as `['geo.city']`, because an unquoted dot reads a property. Offered only if the stage may have a
 * column with the quoted name.
 */
import { replace } from '../edits.ts';
import { quoteName } from '../names.ts';
import type { Expression } from '../syntax/tree.ts';
import { boundStageOf, type Place, type Refactoring, rewrite, stageOf } from './refactoring.ts';

export function wrapName(place: Place): readonly Refactoring[] {
  // Find the outermost member node, because it contains the entire name.
  const node = place.path.find((each) => each.kind === 'Member' && partsOf(each) !== undefined);
  const stage = stageOf(place);
  if (node?.kind !== 'Member' || stage === undefined) return [];
  const parts = partsOf(node) as readonly [string, ...string[]];
  const [base] = parts;
  const name = parts.join('.');
  const input = boundStageOf(place, stage)?.input;
  const columns = input?.list ?? [];
  const { references } = place.analysis.bound;
  const isValue = references.some(
    ({ start, meaning }) =>
      start === node.start && (meaning.kind === 'let' || meaning.kind === 'parameter'),
  );
  const isColumn = columns.some((column) => column.name === base);
  const isWhole = columns.some((column) => column.name === name);
  if (isValue || base.startsWith('$')) return [];
  if (!isWhole && (isColumn || input?.open === false)) return [];
  const text = quoteName(name);
  return rewrite(`Name the column ${text}`, replace(node, text));
}

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
