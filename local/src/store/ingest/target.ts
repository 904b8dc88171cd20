/** The dataset that events go to, which may change or go while they are on their way. */
import { ApiError } from '../../errors.ts';
import type { Dataset } from '../datasets.ts';
import type { Store } from '../store.ts';

/** Different fields that one request may bring, before any limit of its dataset is looked at. */
export const REQUEST_FIELDS_MAX = 10_000;

/** The dataset as it is now. Throws when there is none of that name (any more). */
export function datasetOf(store: Store, name: string): Dataset {
  const dataset = store.datasets.get(name);
  if (dataset === undefined)
    throw new ApiError('dataset-not-found', { name: JSON.stringify(name) });
  return dataset;
}

/** The names of its map fields. */
export function mapsOf(dataset: Dataset): ReadonlySet<string> {
  return new Set(dataset.document.mapFields ?? []);
}
