// The items that the tree of datasets passes to commands.
import type { KindName } from '../../../resources/src/kinds.ts';
import type { WireDataset, WireField } from '../../../server/src/protocol.ts';
import type { Resource } from './resource.ts';

export type DatasetNode =
  | { readonly kind: 'dataset'; readonly dataset: WireDataset }
  | { readonly kind: 'field'; readonly dataset: string; readonly field: WireField }
  | { readonly kind: 'group'; readonly of: KindName; readonly dataset: string }
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'note'; readonly text: string };

/**
 * Returns the dataset name of a dataset's item. Ignores items below a dataset, so that commands that delete or trim
 * datasets don't run on them.
 */
export function datasetOfNode(node: unknown): string | undefined {
  const { kind, dataset } = (node ?? {}) as { readonly kind?: unknown; readonly dataset?: unknown };
  const { name } = (kind === 'dataset' ? (dataset ?? {}) : {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}
