// The manifest's names for each kind of resource.
import { type KindName, kinds } from '../../../resources/src/kinds.ts';

/** `aplomb.monitors`: the view and the context key of its state. */
export function viewOf(kind: KindName): string {
  return `aplomb.${kind}`;
}

/** `aplomb.refreshMonitors`; undefined for items that are refreshed with their dataset. */
export function refreshCommand(kind: KindName): string | undefined {
  const { tree, title } = kinds[kind];
  if (tree === 'dataset') return undefined;
  return tree === 'history' ? 'aplomb.refreshHistory' : `aplomb.refresh${joined(title)}`;
}

/** `aplomb.filterMonitors`, for a kind with a view. */
export function filterCommand(kind: KindName): string {
  return `aplomb.filter${joined(kinds[kind].title)}`;
}

/** `aplomb.newMonitor`. */
export function newCommand(kind: KindName): string {
  return `aplomb.new${joined(titleOf(kinds[kind].noun))}`;
}

/** `saved query` as `Saved Query`. */
export function titleOf(words: string): string {
  return words.replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase());
}

function joined(words: string): string {
  return words.replaceAll(' ', '');
}
