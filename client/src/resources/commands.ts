// The names that the manifest uses for each kind of resource.
import { type KindName, kinds } from '../../../resources/src/kinds.ts';

/** Returns the identifier of a kind's view and its context key, such as `aplomb.monitors`. */
export function viewOf(kind: KindName): string {
  return `aplomb.${kind}`;
}

/** Returns a command such as `aplomb.refreshMonitors`; undefined for kinds that are refreshed with their dataset. */
export function refreshCommand(kind: KindName): string | undefined {
  const { tree, title } = kinds[kind];
  if (tree === 'dataset') return undefined;
  return tree === 'history' ? 'aplomb.refreshHistory' : `aplomb.refresh${joined(title)}`;
}

/** Returns a command such as `aplomb.filterMonitors`, for a kind with a view. */
export function filterCommand(kind: KindName): string {
  return `aplomb.filter${joined(kinds[kind].title)}`;
}

export function newCommand(kind: KindName): string {
  return `aplomb.new${joined(titleOf(kinds[kind].noun))}`;
}

/** Capitalizes the words: `saved query` becomes `Saved Query`. */
export function titleOf(words: string): string {
  return words.replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase());
}

function joined(words: string): string {
  return words.replaceAll(' ', '');
}
